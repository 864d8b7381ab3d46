"""The demo class of ps5_alphazero and the grades it must get, written down by hand."""

from autograder.selftest.demo.members import Cast, Expected

CAST = Cast(
    right=(
        "the loss with einsum and mse_loss",
        "a network with residual blocks, whose impossible is the lowest float",
        "learn with a deque",
        "a recursive episode",
    ),
    wrong=(
        ("5.3", "the network's value is turned around at the leaf"),
        ("5.4", "the root of no visits is 0"),
        ("5.8", "the value is not turned around from player to player"),
        ("5.9", "the gradient is never zeroed"),
        ("5.7", "numpy's global generator"),
        ("5.2", "z as a column against v as a row makes a square of differences"),
        ("5.11", "a draw counts nothing"),
        ("5.1", "the softmax goes along the batch"),
    ),
    half="5.7",
    syntax="5.5",
    endless="5.4",
    hog="5.12",
    talkative="loss",
)
ALL_PASSED: dict[str, str] = {}
# the joint check is "not yet" as soon as something is written: it waits for the other exercises
NOT_WRITTEN_AFTER_5_7 = dict.fromkeys(("5.8", "5.9", "5.10", "5.11", "5.12", "5.13", "5.15"), "not written")
NOT_WRITTEN_AFTER_5_7["joint"] = "not yet"

EXPECTED = {
    # six right answers
    "ada": Expected("the reference, filled into the notebook", "notebook", 100, ALL_PASSED),
    "bela": Expected("right, the loss with einsum", "module", 100, ALL_PASSED),
    "chidi": Expected("right, a network with residual blocks", "notebook", 100, ALL_PASSED),
    "dana": Expected("right, learn with a deque", "notebook", 100, ALL_PASSED),
    "emeka": Expected("right, a recursive episode", "module", 100, ALL_PASSED),
    "freya": Expected("right, prints and warns on standard error", "notebook", 100, ALL_PASSED),
    # eight wrong ones: they lose the points of their exercise, and of the joint check if it notices
    "gita": Expected("evaluate turns the network's value around at the leaf", "notebook", 86,
                     {"5.3": "not yet", "joint": "not yet"}),
    "hugo": Expected("ucb is blind before the first visit", "notebook", 89, {"5.4": "not yet", "joint": "not yet"}),
    "ines": Expected("the examples' values are not turned around from player to player", "module", 85,
                     {"5.8": "not yet", "joint": "not yet"}),
    "jonas": Expected("train_policy never zeroes the gradient", "notebook", 86, {"5.9": "not yet", "joint": "not yet"}),
    "kenji": Expected("the noise comes from numpy's global generator", "notebook", 88, {"5.7": "not yet", "joint": "not yet"}),
    "lara": Expected("loss makes a square of differences", "module", 88, {"5.2": "not yet", "joint": "not yet"}),
    "milo": Expected("pit counts a draw as nothing", "notebook", 88, {"5.11": "not yet", "joint": "not yet"}),
    "nadia": Expected("the softmax goes along the batch", "notebook", 85, {"5.1": "not yet", "joint": "not yet"}),
    # unfinished
    "otto": Expected("the stubs, untouched", "notebook", 0, says="this check waits for exercises 5.1"),
    "petra": Expected("written up to 5.7", "notebook", 50, NOT_WRITTEN_AFTER_5_7),
    # both forms at once
    "quinn": Expected("both forms, the same work", "notebook", 100, ALL_PASSED),
    "rosa": Expected("both forms, the notebook behind the module", "notebook", 50, NOT_WRITTEN_AFTER_5_7,
                     "Both forms hold work and they differ: the notebook was graded, the module was not."),
    # broken
    "samir": Expected("a notebook cut off in the middle", "none", 0,
                     says="ps5_alphazero.ipynb is not a readable notebook: its JSON breaks off or is damaged"),
    "tove": Expected("an empty folder", "none", 0,
                     says="Nothing was found to grade: the folder needs ps5_alphazero.ipynb or ps5_alphazero.py."),
    "umar": Expected("a syntax error in the cell of 5.5", "notebook", 89, {"5.5": "not written", "joint": "not yet"},
                     "Skipped while loading: SyntaxError in cell"),
    "vera": Expected("an endless loop in ucb", "notebook", 89, {"5.4": "too slow", "joint": "not yet"},
                     "Your code used up its time"),
    "wanda": Expected("collect takes all the memory there is", "notebook", 90, {"5.12": "not yet", "joint": "not yet"},
                     "Your code needed more memory than a submission may use"),
    "xavi": Expected("right, after 100 MB of output", "notebook", 100, ALL_PASSED),
    "yara": Expected("right, with a <script> in a markdown cell", "notebook", 100, ALL_PASSED),
    # forged, on top of the stub: nothing may come of it
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
