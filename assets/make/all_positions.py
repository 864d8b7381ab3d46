"""Make the frozen positions of all kinds: 1,000 for each stratum, won, drawn or lost, with or without a possible mistake.

    python -m assets.make.all_positions        the same seed gives the same file, with or without interruptions

The games are those of `quality_positions`, which keeps a position only if a mistake is possible there. Here the first position
of a stratum that is still needed is kept, whatever its scores are. No position or mirror image comes twice.
"""

from pathlib import Path

from arena.games import ConnectFour
from arena.players.perfect import PerfectPlayer
from arena.players.solver import HIGHEST, UNKNOWN
from arena.strength.drawing import Row
from arena.strength.positions import State, stratum_of
from assets.make.quality_positions import make
from trainer.strength import ALL_POSITIONS

GAME = ConnectFour()


def labelled(state: State, wanted: list[str], perfect: PerfectPlayer) -> tuple[str, Row] | None:
    """Return stratum and scores of a position; None if the stratum is not wanted."""
    fitting = [score for score in range(-HIGHEST, HIGHEST + 1) if stratum_of(state, score) in wanted]
    if not _may_be(state, fitting, perfect):
        return None
    stratum = stratum_of(state, perfect.score(state))
    if stratum not in wanted:
        return None
    scores = perfect.scores(state)
    return stratum, (*state, [scores.get(column, UNKNOWN) for column in range(GAME.num_actions)])


def _may_be(state: State, fitting: list[int], perfect: PerfectPlayer) -> bool:
    """Say whether the score may be one of `fitting`: two quick questions spare the exact score of most other positions."""
    won, lost = [score for score in fitting if score > 0], [score for score in fitting if score < 0]
    if 0 in fitting:
        return True
    return bool(won) and perfect.is_at_least(state, min(won)) or bool(lost) and not perfect.is_at_least(state, max(lost) + 1)


if __name__ == "__main__":
    make(labelled, ALL_POSITIONS, Path("build/all_positions_draft.json"), __doc__, "assets.make.all_positions")
