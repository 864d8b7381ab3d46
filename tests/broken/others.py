"""The same disorder in other sets: games at the top level, players, networks."""

from autograder.selftest.broken.bank import Mess
from autograder.selftest.broken.editing import edited, put, without_first_code
from autograder.selftest.demo.submission_maker import added, added_to_module
from autograder.submission.discover import MODULE

DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="


def pasted(words, attachments):
    """Write an answer with a picture pasted into it, in the form that Jupyter uses."""

    def change(content):
        cell = next(cell for cell in content["cells"] if cell["cell_type"] == "markdown" and "nbgrader" in cell["metadata"])
        put(cell, words)
        cell["attachments"] = attachments

    return change


MESSES = [
    Mess(
        "a picture pasted into an answer",
        "a photo of a tree on paper, pasted into the free answer",
        lambda maker: maker.notebook(edited(maker.solved, pasted("Like this: ![tree](attachment:image.png)",
                                                              {"image.png": {"image/png": DOT}}))),
        quick=True,
    ),
    Mess(
        "a picture whose file got lost",
        "the answer was copied to another notebook, and the picture stayed behind",
        lambda maker: maker.notebook(edited(maker.solved, pasted("Like this: ![tree](attachment:image.png)", {}))),
    ),
    Mess(
        "a huge picture in an answer",
        "a photo as it came from the telephone, larger than a page can show",
        lambda maker: maker.notebook(edited(maker.solved, pasted("Like this: ![tree](attachment:image.png)",
                                                              {"image.png": {"image/png": "A" * 9 * 2**20}}))),
    ),
    Mess(
        "another name, in ps3",
        "ps3_connect_four (3).ipynb",
        lambda maker: {"ps3_connect_four (3).ipynb": maker.solved},
        ps="ps3_connect_four",
        says=("ps3_connect_four (3).ipynb was read as your notebook: call it ps3_connect_four.ipynb next time.",),
    ),
    Mess(
        "a game against oneself at the top, in ps3",
        "asks for moves while it is loaded",
        lambda maker: maker.module(added_to_module(maker.solved_module, "while True:\n    column = int(input('your move? '))")),
        ps="ps3_connect_four",
        form=MODULE,
        says=("Skipped while loading: EOFError in ps3_connect_four.py, line ",),
    ),
    Mess(
        "imports deleted, in ps5",
        "the cell with the imports is gone",
        lambda maker: maker.notebook(edited(maker.solved, without_first_code)),
        ps="ps5_alphazero",
        says=("Imports or code that you were given are missing in your notebook; they were added.",),
    ),
    Mess(
        "cuda where there is one, in ps5",
        "a device chosen at the top, and Windows newlines",
        lambda maker: maker.module(
            added_to_module(
                maker.solved_module, 'device = "cuda" if torch.cuda.is_available() else "cpu"\nnet = nn.Linear(2, 2).to(device)'
            ).replace("\n", "\r\n")
        ),
        ps="ps5_alphazero",
        form=MODULE,
    ),
    Mess(
        "cuda without a question, in ps5",
        "a network moved to a device that the grader has not",
        lambda maker: maker.notebook(added(maker.solved, 'net = nn.Linear(2, 2).to("cuda")')),
        ps="ps5_alphazero",
        says=("Skipped while loading: ",),
    ),
]
