"""What the measured heads learn from: the future of each example, found in the window alone."""

import numpy as np
import pytest
import torch

from arena.players.network import asking, new_net
from arena.players.rules import compiled
from assets.make.more_heads import PLIES_LEFT, REPLY, RESULT, HeadMaker, LearnerOfAll, future
from trainer.learner import LearnSettings
from trainer.selfplay import Examples, PlaySettings, SelfPlay

RULES = compiled("connect_four")
SETTINGS = PlaySettings(
    games=8, simulations=8, quick_simulations=8, full_share=1.0, considered=4, random_share=0.9, random_plies=(1, 20))


class Watched(SelfPlay):
    """Self-play that keeps each game's examples with its result."""

    def _examples(self, game: int, result: int) -> Examples:
        examples = super()._examples(game, result)
        self.ended = [*getattr(self, "ended", []), (examples, result)]
        return examples


@pytest.fixture(scope="module")
def games() -> list[tuple[Examples, int]]:
    """Finished games: the examples of all plies, and the result for the player who would move next."""
    torch.manual_seed(0)
    play = Watched(RULES, SETTINGS, 3)
    play.play(asking(new_net(RULES, 8, 1)), 1500)
    return play.ended


@pytest.mark.usefixtures("computing")
def test_the_future_of_an_example_is_that_of_its_game(games: list[tuple[Examples, int]]) -> None:
    found = future(Examples.joined([examples for examples, _ in games]))
    lengths = [len(examples) for examples, _ in games]
    assert len({result for _, result in games}) == 2 and min(lengths) < 5 < max(lengths)
    assert found.plies_left.tolist() == [left for length in lengths for left in range(length, 0, -1)]
    assert found.followed.tolist() == [left > 1 for length in lengths for left in range(length, 0, -1)]
    results = [1 - result * (-1) ** left for (_, result), length in zip(games, lengths) for left in range(length, 0, -1)]
    assert found.results.tolist() == results


@pytest.mark.usefixtures("repetition")
@pytest.mark.parametrize("head", [RESULT, REPLY, PLIES_LEFT])
def test_a_head_learns(games: list[tuple[Examples, int]], head: str) -> None:
    torch.manual_seed(0)
    net = HeadMaker(channels=8, blocks=1, head=head)(RULES)
    learner = LearnerOfAll(RULES, net, LearnSettings(batch_size=64, warm_up=10), seed=0)
    window = Examples.joined([examples for examples, _ in games])
    batch = learner._batch(window)
    before = [loss.item() for loss in learner._losses(*batch)]
    layer = {RESULT: net.result_head, REPLY: net.reply_head, PLIES_LEFT: net.plies_head}[head]
    was = layer.weight.detach().clone()
    for _ in range(20):
        learner.learn(window, 64, 0.1)
    after = [loss.item() for loss in learner._losses(*batch)]
    assert sum(after) < sum(before)
    assert not torch.equal(layer.weight, was)
    assert np.isfinite(after).all()
