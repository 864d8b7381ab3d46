"""What a failed statement took along: named once, with the function that was lost."""

from autograder.grading.failed_statements import Failed, failed_statements

IMPORT = ("cell 1", 1)


def failed(*cells: str, problems: list[tuple[int, int, str]], functions: tuple[str, ...] = ("ucb",)) -> list[Failed]:
    """What the problems, each with the number of its cell, its line and its error, mean."""
    named = [(f"cell {number}", source) for number, source in enumerate(cells, 1)]
    return failed_statements(named, [((f"cell {cell}", line), error) for cell, line, error in problems], functions)


def test_what_fails_only_without_an_import_is_its_echo_also_at_second_hand():
    echoes = failed("from IPython.display import HTML, display\ndisplay(1)\nx = HTML('a')", "display(x)\nprint(x)\ny = z",
                   problems=[(1, 1, "ModuleNotFoundError"), (1, 2, "NameError"), (1, 3, "NameError"), (2, 1, "NameError"),
                             (2, 2, "NameError"), (2, 3, "NameError")])
    assert [each.echo_of for each in echoes] == [None, IMPORT, IMPORT, IMPORT, IMPORT, None]


def test_another_error_and_a_name_that_is_there_are_no_echoes():
    assert [each.echo_of for each in failed("import pandas as pd\nlen(pd)", problems=[(1, 1, "ImportError"), (1, 2, "TypeError")])
            ] == [None, None]
    assert [each.echo_of for each in failed("import pandas as pd\nfirst = pd + unknown\npd = 1", problems=[
        (1, 1, "ImportError"), (1, 2, "NameError")])] == [None, None]


def test_a_function_under_a_failed_import_is_lost_and_the_one_that_is_graded_instead_is_named():
    lost = failed("from numba import njit\n\n@njit\ndef ucb(node):\n    return 1", problems=[
        (1, 1, "ModuleNotFoundError"), (1, 3, "NameError")])[1]
    assert (lost.name, lost.echo_of, lost.instead) == ("ucb", IMPORT, None)
    two = ("def ucb(node):\n    return 1", "from numba import *\n@njit\ndef ucb(node):\n    return 2")
    problems = [(2, 1, "ModuleNotFoundError"), (2, 2, "NameError")]
    assert [(each.name, each.instead) for each in failed(*two, problems=problems)] == [("", None), ("ucb", ("cell 1", 1))]
    later = "def ucb(node):\n    return 3"
    assert [each.name for each in failed(*two, later, problems=problems)] == ["", ""]


def test_a_method_is_lost_under_the_name_of_its_class():
    cells = ("@method_of(Board)\ndef mask(self):\n    return 1", "@method_of(Game)\ndef mask(self):\n    return 1",
             "@cached\n@method_of(Board)\ndef mask(self):\n    return 2")
    (lost,) = failed(*cells, problems=[(3, 1, "NameError")])
    assert (lost.name, lost.instead) == ("Board.mask", ("cell 1", 2))


def test_an_import_names_the_functions_of_the_set_that_need_it():
    cells = ("import pandas as pd\nTABLE = pd.DataFrame()", "def ucb(node):\n    return TABLE\ndef other(node):\n    return pd")
    imported, echo = failed(*cells, problems=[(1, 1, "ModuleNotFoundError"), (1, 2, "NameError")])
    assert (imported.needed_by, echo.needed_by) == (("ucb",), ())
    cells = ("from numba import njit", "@njit\ndef ucb(node):\n    return 1", "def best_child(node):\n    return ucb(node)")
    imported, _ = failed(*cells, problems=[(1, 1, "ImportError"), (2, 1, "NameError")], functions=("ucb", "best_child"))
    assert imported.needed_by == ()  # while best_child is graded, its ucb is ours


def test_a_place_that_is_not_in_the_text_is_left_out():
    assert failed("x = 1", "def broken(:", problems=[(1, 7, "NameError"), (2, 1, "SyntaxError"), (9, 1, "NameError")]) == []
