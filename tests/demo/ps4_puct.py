"""The demo class of ps4_puct and the grades it must get, written down by hand."""

from autograder.selftest.demo.members import Cast, Expected

CAST = Cast(
    right=(
        "numpy everywhere",
        "a dataclass with defaultdicts, and a helper that meets a state",
        "the search goes down and up in two loops",
        "losses by hand",
    ),
    wrong=(
        ("4.3", "the value is not negated at the call"),
        ("4.1", "nothing under the root at a new state"),
        ("4.3", "a draw counts as a loss"),
        ("4.2", "masked, but not divided by the sum"),
        ("4.6", "the global generator breaks ties"),
        ("4.8", "draws do not count among the games"),
        ("4.4", "the best mean is played"),
        ("4.0", "the old gradient is never forgotten"),
    ),
    half="4.4",
    syntax="4.2",
    endless="4.1",
    hog="4.2",
    talkative="evaluate_leaf",
)
ALL_PASSED: dict[str, str] = {}
# the joint check is "not yet" as soon as something is written: it waits for the other exercises
NOT_WRITTEN_AFTER_4_4 = dict.fromkeys(("4.5", "4.6", "4.7", "4.8", "4.10"), "not written") | {"joint": "not yet"}

EXPECTED = {
    # six right answers
    "ada": Expected("the reference, filled into the notebook", "notebook", 100, ALL_PASSED),
    "bela": Expected("right, with numpy everywhere", "module", 100, ALL_PASSED),
    "chidi": Expected("right, with a dataclass and defaultdicts", "notebook", 100, ALL_PASSED),
    "dana": Expected("right, the search in two loops", "notebook", 100, ALL_PASSED),
    "emeka": Expected("right, with losses by hand", "module", 100, ALL_PASSED),
    "freya": Expected("right, prints and warns on standard error", "notebook", 100, ALL_PASSED),
    # eight wrong ones: they lose the points of their exercise, and of the joint check if it notices
    "gita": Expected("search does not negate the value at the call", "notebook", 79, {"4.3": "not yet", "joint": "not yet"}),
    "hugo": Expected("puct is blind before the first visit", "notebook", 83, {"4.1": "not yet", "joint": "not yet"}),
    "ines": Expected("search takes a draw for a loss", "module", 79, {"4.3": "not yet", "joint": "not yet"}),
    "jonas": Expected("evaluate_leaf masks and does not renormalise", "notebook", 83, {"4.2": "not yet", "joint": "not yet"}),
    "kenji": Expected("PolicyPlayer draws from the global generator", "notebook", 93, {"4.6": "not yet", "joint": "not yet"}),
    "lara": Expected("the Arena drops draws from the games", "module", 85, {"4.8": "not yet", "joint": "not yet"}),
    "milo": Expected("MCTSPlayer plays the best mean", "notebook", 85, {"4.4": "not yet", "joint": "not yet"}),
    "nadia": Expected("training never clears the gradient", "notebook", 86, {"4.0": "not yet"}),
    # unfinished
    "otto": Expected("the stubs, untouched", "notebook", 0, says="this check waits for exercises 4.1"),
    "petra": Expected("written up to 4.4", "notebook", 64, NOT_WRITTEN_AFTER_4_4),
    # both forms at once
    "quinn": Expected("both forms, the same work", "notebook", 100, ALL_PASSED),
    "rosa": Expected("both forms, the notebook behind the module", "notebook", 64, NOT_WRITTEN_AFTER_4_4,
                     "Both forms hold work and they differ: the notebook was graded, the module was not."),
    # broken
    "samir": Expected("a notebook cut off in the middle", "none", 0,
                     says="ps4_puct.ipynb is not a readable notebook: its JSON breaks off or is damaged"),
    "tove": Expected("an empty folder", "none", 0,
                     says="Nothing was found to grade: the folder needs ps4_puct.ipynb or ps4_puct.py."),
    "umar": Expected("a syntax error in the cell of 4.2", "notebook", 83, {"4.2": "not written", "joint": "not yet"},
                     "Skipped while loading: SyntaxError in cell"),
    "vera": Expected("an endless loop in puct and best_action", "notebook", 83, {"4.1": "too slow", "joint": "not yet"},
                     "Your code used up its time"),
    "wanda": Expected("evaluate_leaf takes all the memory there is", "notebook", 83, {"4.2": "not yet", "joint": "not yet"},
                     "Your code needed more memory than a submission may use"),
    "xavi": Expected("right, after 100 MB of output", "notebook", 100, ALL_PASSED),
    "yara": Expected("right, with a <script> in a markdown cell", "notebook", 100, ALL_PASSED),
    # forged, on top of the stub: these must get nothing
    "zeno": Expected("an object that equals everything, returned everywhere", "notebook", 0,
                     says="The docstring promises "),
    "abel": Expected("every function ends the process with success", "notebook", 0, says="Your code ended its own process"),
    "brix": Expected("builtins, pytest and the grader's own modules patched", "notebook", 0,
                     says="The docstring promises "),
    "cleo": Expected("writes into the gradebook and the hidden tests", "notebook", 0,
                     says="Skipped while loading: FileNotFoundError in cell"),
    "dorn": Expected("reads the hidden tests and the solution", "notebook", 0,
                     says="Skipped while loading: FileNotFoundError in cell"),
}
