"""The demo class of ps2_uct and the grades it must get, written down by hand."""

from autograder.selftest.demo.members import Cast, Expected
from autograder.selftest.demo.submission_maker import name_of_added

CAST = Cast(
    right=("recursive backpropagate", "numpy everywhere", "a list of untried actions in every node", "a dataclass"),
    wrong=(
        ("2.5", "backpropagate does not flip the sign"),
        ("2.6", "the logarithm of the child's visits"),
        ("2.2", "a draw is a loss"),
        ("2.4", "the same child again and again"),
        ("2.1", "the global generator instead of rng"),
        ("2.7", "ties go to the first child"),
        ("2.9", "the move with the best mean"),
        ("2.10", "the value from below is not negated"),
    ),
    half="2.5",
    syntax="2.6",
    endless="2.5",
    hog="2.9",
    talkative="search",
)

BELOW = name_of_added("ps2_uct")
ALL_PASSED: dict[str, str] = {}
# the joint check is "not yet" as soon as something is written: it waits for the other exercises
NOT_WRITTEN_AFTER_2_5 = dict.fromkeys(("2.6", "2.7", "2.8", "2.9", "2.10", "2.11", "2.14"), "not written") | {"joint": "not yet"}

EXPECTED = {
    # six right answers
    "ada": Expected("the reference, filled into the notebook", "notebook", 100, ALL_PASSED),
    "bela": Expected("right, with a recursive backpropagate", "module", 100, ALL_PASSED),
    "chidi": Expected("right, with numpy everywhere", "notebook", 100, ALL_PASSED),
    "dana": Expected("right, with a list of untried actions in every node", "notebook", 100, ALL_PASSED),
    "emeka": Expected("right, with a dataclass for the node", "module", 100, ALL_PASSED),
    "freya": Expected("right, prints and warns on standard error", "notebook", 100, ALL_PASSED),
    # eight wrong ones: they lose the points of their exercise, and of the joint check if it notices
    "gita": Expected("backpropagate does not flip the sign", "notebook", 85, {"2.5": "not yet", "joint": "not yet"}),
    "hugo": Expected("ucb takes the logarithm of the child's visits", "notebook", 85, {"2.6": "not yet", "joint": "not yet"}),
    "ines": Expected("simulate takes a draw for a loss", "module", 89, {"2.2": "not yet", "joint": "not yet"}),
    "jonas": Expected("expand gives the same child again and again", "notebook", 85, {"2.4": "not yet", "joint": "not yet"}),
    "kenji": Expected("random_policy uses the global generator", "notebook", 93, {"2.1": "not yet", "joint": "not yet"}),
    "lara": Expected("best_child gives ties to the first child", "module", 88, {"2.7": "not yet", "joint": "not yet"}),
    "milo": Expected("search plays the move with the best mean", "notebook", 81, {"2.9": "not yet", "joint": "not yet"}),
    "nadia": Expected("recursive_search forgets a sign", "notebook", 92, {"2.10": "not yet"}),
    # unfinished
    "otto": Expected("the stubs, untouched", "notebook", 0, says="this check waits for exercises 2.1"),
    "petra": Expected("written up to 2.5", "notebook", 42, NOT_WRITTEN_AFTER_2_5),
    # both forms at once
    "quinn": Expected("both forms, the same work", "notebook", 100, ALL_PASSED),
    "rosa": Expected("both forms, the notebook behind the module", "notebook", 42, NOT_WRITTEN_AFTER_2_5,
                     "Both forms hold work and they differ: the notebook was graded, the module was not."),
    # broken
    "samir": Expected("a notebook cut off in the middle", "none", 0,
                      says="ps2_uct.ipynb is not a readable notebook: its JSON breaks off or is damaged"),
    "tove": Expected("an empty folder", "none", 0,
                     says="Nothing was found to grade: the folder needs ps2_uct.ipynb or ps2_uct.py."),
    "umar": Expected("a syntax error in the cell of 2.6", "notebook", 85, {"2.6": "not written", "joint": "not yet"},
                     "Skipped while loading: SyntaxError in cell 40, line 17"),
    "vera": Expected("an endless loop in backpropagate", "notebook", 85, {"2.5": "too slow", "joint": "not yet"},
                     "Your code used up its time"),
    "wanda": Expected("search takes all the memory there is", "notebook", 81, {"2.9": "not yet", "joint": "not yet"},
                      "Your code needed more memory than a submission may use"),
    "xavi": Expected("right, after 100 MB of output", "notebook", 100, ALL_PASSED),
    "yara": Expected("right, with a <script> in a markdown cell", "notebook", 100, ALL_PASSED),
    # forged, on top of the stub: these must get nothing
    "zeno": Expected("an object that equals everything, returned everywhere", "notebook", 0,
                     says="The docstring promises "),
    "abel": Expected("every function ends the process with success", "notebook", 0,
                     says="Your code ended its own process"),
    "brix": Expected("builtins, pytest and the grader's own modules patched", "notebook", 0,
                     says="The docstring promises "),
    "cleo": Expected("writes into the gradebook and the hidden tests", "notebook", 0,
                     says=f"Skipped while loading: FileNotFoundError in {BELOW}, line 13. The rest of your code was loaded."),
    "dorn": Expected("reads the hidden tests and the solution", "notebook", 0,
                     says=f"Skipped while loading: FileNotFoundError in {BELOW}, line 5; FileNotFoundError in {BELOW}, line 6."),
}
