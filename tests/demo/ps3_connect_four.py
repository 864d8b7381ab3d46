"""The demo class of ps3_connect_four and the grades it must get, written down by hand."""

from autograder.selftest.demo.members import Cast, Expected

CAST = Cast(
    right=(
        "recursive backup and tree_policy",
        "numpy everywhere",
        "a node class of one's own, with a list of untried actions and children in a list",
        "exams by dynamic programming and by two random numbers a game",
    ),
    wrong=(
        ("3.5", "one reward with alternating signs"),
        ("3.2", "the logarithm of the child's visits"),
        ("3.1", "a draw is a loss for player 0"),
        ("3.3", "the same action may be drawn again"),
        ("3.9", "the global generator"),
        ("3.8", "a win needs all children"),
        ("3.6", "the final move is the one with the best mean"),
        ("3.10", "draws are played again"),
    ),
    half="3.6",
    syntax="3.6",
    endless="3.4",
    hog="3.6",
    talkative="uct",
)
ALL_PASSED: dict[str, str] = {}
# the demo class plays no further; a right search passes Pebble in all but one exam of a thousand
CLIMBED = {"challenge": "up to Pebble"}
# the joint check is "not yet" as soon as something is written: it waits for the other exercises
NOT_WRITTEN_AFTER_3_6 = dict.fromkeys(("3.7", "3.8", "3.9", "3.10", "3.13"), "not written") | {"joint": "not yet"}

EXPECTED = {
    # six right answers
    "ada": Expected("the reference, filled into the notebook", "notebook", 100, ALL_PASSED, **CLIMBED),
    "bela": Expected("right, recursive backup and tree_policy", "module", 100, ALL_PASSED, **CLIMBED),
    "chidi": Expected("right, with numpy everywhere", "notebook", 100, ALL_PASSED, **CLIMBED),
    "dana": Expected("right, with a node class and books of its own", "notebook", 100, ALL_PASSED, **CLIMBED),
    "emeka": Expected("right, with exams by dynamic programming", "module", 100, ALL_PASSED, **CLIMBED),
    "freya": Expected("right, prints and warns on standard error", "notebook", 100, ALL_PASSED, **CLIMBED),
    # eight wrong ones: they lose the points of their exercise, and of the joint check if it notices
    "gita": Expected("backup flips signs, and the players' rewards with them", "notebook", 91,
                     {"3.5": "not yet", "joint": "not yet"}),
    "hugo": Expected("best_child takes the logarithm of the child's visits", "notebook", 91,
                     {"3.2": "not yet", "joint": "not yet"}),
    "ines": Expected("default_policy takes a draw for a loss of player 0", "module", 91, {"3.1": "not yet", "joint": "not yet"}),
    "jonas": Expected("expand draws the same action again", "notebook", 91, {"3.3": "not yet", "joint": "not yet"}),
    "kenji": Expected("tactical_action draws from the global generator", "notebook", 85, {"3.9": "not yet", "joint": "not yet"}),
    "lara": Expected("prove wants all children won", "module", 77, {"3.8": "not yet", "joint": "not yet"}),
    "milo": Expected("uct plays the move with the best mean", "notebook", 77, {"3.6": "not yet", "joint": "not yet"}),
    "nadia": Expected("simulated_pass_rate plays draws again", "notebook", 90, {"3.10": "not yet"}, **CLIMBED),
    # unfinished
    "otto": Expected("the stubs, untouched", "notebook", 0, says="this check waits for exercises 3.1"),
    "petra": Expected("written up to 3.6", "notebook", 38, NOT_WRITTEN_AFTER_3_6),
    # both forms at once
    "quinn": Expected("both forms, the same work", "notebook", 100, ALL_PASSED, **CLIMBED),
    "rosa": Expected("both forms, the notebook behind the module", "notebook", 38, NOT_WRITTEN_AFTER_3_6,
                     "Both forms hold work and they differ: the notebook was graded, the module was not."),
    # broken
    "samir": Expected("a notebook cut off in the middle", "none", 0,
                     says="ps3_connect_four.ipynb is not a readable notebook: its JSON breaks off or is damaged"),
    "tove": Expected("an empty folder", "none", 0,
                     says="Nothing was found to grade: the folder needs ps3_connect_four.ipynb or ps3_connect_four.py."),
    "umar": Expected("a syntax error in the cell of 3.6", "notebook", 77, {"3.6": "not written", "joint": "not yet"},
                     "Skipped while loading: SyntaxError in cell"),
    "vera": Expected("an endless loop in tree_policy", "notebook", 91, {"3.4": "too slow", "joint": "not yet"},
                     "Your code used up its time"),
    "wanda": Expected("uct takes all the memory there is", "notebook", 77, {"3.6": "not yet", "joint": "not yet"},
                     "Your code needed more memory than a submission may use"),
    "xavi": Expected("right, after 100 MB of output", "notebook", 100, ALL_PASSED, **CLIMBED),
    "yara": Expected("right, with a <script> in a markdown cell", "notebook", 100, ALL_PASSED, **CLIMBED),
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
