"""Problem set 4: its tables and intervals, worked out."""

import re

from lesson import says, share, text_of

from solutions.ps4_puct import wilson

PS = "ps4_puct"
ROW = re.compile(r"\| (?P<player>[^|]+) \| [^|]+ \| (?P<won>\d+), (?P<drawn>\d+), (?P<lost>\d+) \| (?P<score>[\d.]+) % "
                 r"\| (?P<low>\d+) % to (?P<high>\d+) % \| (?:(?P<published>\d+) %: (?P<from>\d+) % to (?P<to>\d+) % )?\|")


def difference(one: float, games: int, other: float, others: int) -> tuple[float, float]:
    """Newcombe's 95 % interval of the difference of two shares: the hybrid score interval, method 10 of Newcombe (1998)."""
    (low, high), (other_low, other_high) = wilson(one, games), wilson(other, others)
    apart = one - other
    return (apart - ((one - low) ** 2 + (other_high - other) ** 2) ** 0.5,
            apart + ((high - one) ** 2 + (other - other_low) ** 2) ** 0.5)


def rows() -> list[re.Match]:
    return list(ROW.finditer(text_of(f"solutions/{PS}.py")))


def test_scores_and_intervals_of_the_table_to_beat() -> None:
    assert len(rows()) == 7
    for row in rows():
        won, drawn, lost = (int(row[name]) for name in ("won", "drawn", "lost"))
        games, score = won + drawn + lost, (won + drawn / 2) / (won + drawn + lost)
        assert games == 200 and float(row["score"]) == round(100 * score + 1e-9, 1)
        assert [int(row["low"]), int(row["high"])] == [round(100 * end) for end in wilson(score, games)]
        if row["published"]:
            assert [int(row["from"]), int(row["to"])] == [round(100 * end) for end in wilson(int(row["published"]) / 100, 20)]


def test_the_differences_to_the_published_scores() -> None:
    ends = [difference((int(row["won"]) + int(row["drawn"]) / 2) / 200, 200, int(row["published"]) / 100, 20)
            for row in rows() if row["published"]]
    first, second, third, fourth = (f"from {share(low)} to {share(high)}" for low, high in ends)
    says(PS, f"In the four rows it goes {first}, {second}, {third} and {fourth}.")
    assert 0 < ends[0][0] < 0.01 and all(low < 0 < high for low, high in ends[1:])
    assert 0.18 < 1 - 0.95**4 < 0.2
    says(PS, "among four rows one does so by luck in about every fifth table")


def test_two_intervals_that_overlap_may_still_differ() -> None:
    (low, _), (_, high) = wilson(0.6, 100), wilson(0.45, 100)
    assert low < high
    ends = difference(0.6, 100, 0.45, 100)
    says(PS, f"the difference, .15, has a 95 % interval from {share(ends[0])} to {share(ends[1])}")
