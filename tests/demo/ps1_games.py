"""The demo class of ps1_games and the grades it must get, written down by hand."""

from autograder.selftest.demo.members import Cast, Expected

CAST = Cast(
    right=(
        "has_run with plain loops over squares",
        "sets, tuples and numpy numbers",
        "each game has methods of its own, written into the class",
        "negamax with a stack instead of recursion",
    ),
    wrong=(
        ("1.3", "the last diagonals are left out"),
        ("1.4", "the full board is asked about before the row"),
        ("1.9", "a draw is a loss"),
        ("1.5", "stones fall upwards"),
        ("1.9", "the global generator is used"),
        ("1.8", "the board turns one way and the policy the other"),
        ("1.10", "no minus"),
        ("1.7", "the board changes colours, but player 1 stays to move"),
    ),
    half="1.5",
    syntax="1.6",
    endless="1.5",
    hog="1.10",
    talkative="BoardGame.play",
)
ALL_PASSED: dict[str, str] = {}
# the joint check is "not yet" as soon as something is written: it waits for the other exercises
NOT_WRITTEN_AFTER_1_5 = dict.fromkeys(("1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.13"), "not written") | {"joint": "not yet"}

EXPECTED = {
    # six right answers
    "ada": Expected("the reference, filled into the notebook", "notebook", 100, ALL_PASSED),
    "bela": Expected("right, has_run with plain loops", "module", 100, ALL_PASSED),
    "chidi": Expected("right, with sets, tuples and numpy numbers", "notebook", 100, ALL_PASSED),
    "dana": Expected("right, each game with methods of its own", "notebook", 100, ALL_PASSED),
    "emeka": Expected("right, negamax with a stack", "module", 100, ALL_PASSED),
    "freya": Expected("right, prints and warns on standard error", "notebook", 100, ALL_PASSED),
    # eight wrong ones: they lose the points of their exercise, and of the joint check if it notices
    "gita": Expected("has_run overlooks the last diagonals", "notebook", 83, {"1.3": "not yet", "joint": "not yet"}),
    "hugo": Expected("a win with the last stone is a draw", "notebook", 86, {"1.4": "not yet", "joint": "not yet"}),
    "ines": Expected("random_playout takes a draw for a loss", "module", 87, {"1.9": "not yet", "joint": "not yet"}),
    "jonas": Expected("stones fall upwards", "notebook", 81, {"1.5": "not yet", "joint": "not yet"}),
    "kenji": Expected("random_playout uses the global generator", "notebook", 87, {"1.9": "not yet", "joint": "not yet"}),
    "lara": Expected("board and policy turn in opposite senses", "module", 83, {"1.8": "not yet", "joint": "not yet"}),
    "milo": Expected("negamax forgets the minus", "notebook", 85, {"1.10": "not yet", "joint": "not yet"}),
    "nadia": Expected("canonical leaves the player as he was", "notebook", 89, {"1.7": "not yet", "joint": "not yet"}),
    # unfinished
    "otto": Expected("the stubs, untouched", "notebook", 0, says="this check waits for exercises 1.1"),
    "petra": Expected("written up to 1.5", "notebook", 45, NOT_WRITTEN_AFTER_1_5),
    # both forms at once
    "quinn": Expected("both forms, the same work", "notebook", 100, ALL_PASSED),
    "rosa": Expected("both forms, the notebook behind the module", "notebook", 45, NOT_WRITTEN_AFTER_1_5,
                     "Both forms hold work and they differ: the notebook was graded, the module was not."),
    # broken
    "samir": Expected("a notebook cut off in the middle", "none", 0,
                      says="ps1_games.ipynb is not a readable notebook: its JSON breaks off or is damaged"),
    "tove": Expected("an empty folder", "none", 0,
                     says="Nothing was found to grade: the folder needs ps1_games.ipynb or ps1_games.py."),
    "umar": Expected("a syntax error in the cell of 1.6", "notebook", 89, {"1.6": "not written", "joint": "not yet"},
                     "Skipped while loading: SyntaxError in cell"),
    "vera": Expected("an endless loop in play and landing", "notebook", 81, {"1.5": "too slow", "joint": "not yet"},
                     "Your code used up its time"),
    "wanda": Expected("negamax takes all the memory there is", "notebook", 85, {"1.10": "not yet", "joint": "not yet"},
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
                     says="Skipped while loading: FileNotFoundError in cell"),
    "dorn": Expected("reads the hidden tests and the solution", "notebook", 0,
                     says="Skipped while loading: FileNotFoundError in cell"),
}
