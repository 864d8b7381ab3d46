"""Predict first: a guess and a result side by side, in words and in the plot."""

import matplotlib as mpl
import pytest

from arena.show.guess import compare

mpl.use("Agg")


@pytest.fixture
def axes():
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


@pytest.mark.parametrize("nothing", [None, "", []])
def test_without_a_guess_the_plot_stays_and_a_line_asks_for_one(axes, capsys, nothing):
    compare(nothing, 3, axes)
    assert capsys.readouterr().out.startswith("No guess yet. Write one into the first line") and not axes.lines


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
