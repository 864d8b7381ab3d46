"""Predict first: no guess, no result; and a guess and a result side by side, in words and in the plot."""

import builtins
import sys

import matplotlib as mpl
import pytest

from arena.show.guess import ASK, GuessMissing, compare, predict_first

mpl.use("Agg")


@pytest.fixture
def axes():
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


NOTHING = [None, "", [], (), ...]


@pytest.fixture
def shell(monkeypatch):
    """IPython's shell in this process, as in a notebook."""
    from IPython.core.interactiveshell import InteractiveShell

    monkeypatch.delenv("ARENA_GUESS", raising=False)
    before = set(vars(builtins))
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()
    for name in set(vars(builtins)) - before:  # a shell adds `display` and others, which this process had not
        delattr(builtins, name)


@pytest.mark.parametrize("nothing", NOTHING)
def test_without_a_guess_a_cell_asks_in_one_sentence_and_stops(shell, capsys, nothing):
    cell = f"from arena.show.guess import predict_first\nguess = {nothing!r}\npredict_first(guess)\nprint('the result')"
    result = shell.run_cell(cell)
    assert isinstance(result.error_in_exec, GuessMissing)
    assert "".join(capsys.readouterr()).strip() == ASK and ASK.count("\n") == 0


@pytest.mark.parametrize("guess", [0, 0.0, False, "X", ["c = 1"], "skip", "Skip "])
def test_a_guess_or_skip_lets_a_cell_run_on(shell, guess):
    assert predict_first(guess) is None


@pytest.mark.parametrize("nothing", NOTHING)
def test_one_variable_skips_all_guesses(shell, monkeypatch, nothing):
    monkeypatch.setenv("ARENA_GUESS", "skip")
    assert predict_first(nothing) is None


def test_a_program_ends_with_the_same_sentence(monkeypatch):
    monkeypatch.delenv("ARENA_GUESS", raising=False)
    monkeypatch.setitem(sys.modules, "IPython", None)
    with pytest.raises(SystemExit, match="Write your guess into the first line"):
        predict_first(None)


@pytest.mark.parametrize("nothing", [*NOTHING, "skip"])
def test_without_a_guess_the_result_is_printed_alone(axes, capsys, nothing):
    compare(nothing, 3, axes)
    assert capsys.readouterr().out == "the result  3\n" and not axes.lines


def test_a_number_is_a_line_across_the_plot_or_a_star_at_its_place(axes, capsys):
    compare(120, 67.3456, axes)
    assert capsys.readouterr().out == "your guess  120\nthe result  67.35\n"
    assert list(axes.lines[0].get_ydata()) == [120, 120] and axes.get_legend().texts[0].get_text() == "your guess"
    compare(5.0, 6, axes, at=100)
    assert (axes.lines[1].get_xdata()[0], axes.lines[1].get_ydata()[0], axes.lines[1].get_marker()) == (100, 5.0, "*")


def test_an_order_is_compared_place_by_place(axes, capsys):
    compare(["c = 1", "c = 0", "c = 3"], ["c = 1", "c = 3", "c = 0"], axes)
    assert "(1 of 3 in the right place)" in capsys.readouterr().out and not axes.lines
    compare(["c = 1"], ["c = 1", "c = 3"])
    assert "(1 of 2 in the right place)" in capsys.readouterr().out


def test_a_guess_of_another_kind_is_shown_as_it_is(axes, capsys):
    compare("the middle", 4, axes)
    assert capsys.readouterr().out == "your guess  the middle\nthe result  4\n" and not axes.lines
