"""The trainer: a run with stops ends in the same state as a run without stops; its training targets are true."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn
from typer.testing import CliRunner

from arena.challenge.ladder import load_ladder
from arena.errors import UserError
from arena.players.network import NetworkPlayer, asking, faster_dtype, load_net, new_net, save_net, search_all
from arena.players.rules import OPEN, compiled, outcome
from tests.speeds import again
from tests.unit.equal_network import equal
from trainer import __main__ as command
from trainer.learner import Learner, LearnSettings
from trainer.measure import BOTS
from trainer.nets import NetMaker
from trainer.selfplay import Examples, PlaySettings, SelfPlay
from trainer.strength import losses, moves
from trainer.training_run import Run, RunSettings, StoppedRun, load_trained, read_settings

PLAY = PlaySettings(games=8, simulations=16, quick_simulations=4, random_share=0.5, random_plies=(1, 4))
LEARN = LearnSettings(batch_size=32, window_first=300, window_last=500)
SMALL = RunSettings("tic_tac_toe", PLAY, LEARN, NetMaker(channels=4, blocks=1), workers=1, examples=120)


def ended(settings: RunSettings, folder: Path, stops: tuple[int, ...]) -> dict:
    """Run 4 iterations; leave after each of those in `stops` and continue from the files."""
    torch.set_num_threads(1)
    run = Run(settings, folder, ("iterations", 4))
    for iteration in range(1, 5):
        run.iterate()
        run.save()
        if iteration in stops:
            run.close()
            run = Run(settings, folder, ("iterations", 4))
    state = run._state()
    run.close()
    return state


def flat(value: object, name: str = "") -> dict[str, object]:
    if isinstance(value, dict):
        return {key: leaf for inner in value for key, leaf in flat(value[inner], f"{name}.{inner}").items()}
    if isinstance(value, list):
        return {key: leaf for number, inner in enumerate(value) for key, leaf in flat(inner, f"{name}.{number}").items()}
    return {name: value}


@pytest.mark.usefixtures("repetition")
@pytest.mark.parametrize("workers, dtype, considered", [(1, "float32", 0), again(2, "bfloat16", 4)])
def test_a_run_that_stops_and_goes_on_ends_where_one_without_a_stop_does(
    tmp_path: Path, workers: int, dtype: str, considered: int
) -> None:
    settings = replace(SMALL, workers=workers, dtype=dtype, play=replace(PLAY, considered=considered))
    whole, stopped = (flat(ended(settings, tmp_path / name, stops)) for name, stops in (("whole", ()), ("stopped", (1, 3))))
    assert whole.keys() == stopped.keys() and any("optimizer" in name for name in whole)
    for name in whole:
        if name.endswith(("spent_s", "minutes", "core_s")):
            continue
        expected, restored = whole[name], stopped[name]
        assert torch.equal(expected, restored) if isinstance(expected, torch.Tensor) else expected == restored, name


@pytest.mark.usefixtures("processes")
def test_another_run_in_the_folder_and_a_damaged_one_are_said(tmp_path: Path) -> None:
    run = Run(SMALL, tmp_path, ("iterations", 4))
    run.iterate()
    run.save()
    run.close()
    with pytest.raises(StoppedRun, match=r"holds a run with seed 0 \(asked for: 1\)"):
        Run(replace(SMALL, seed=1), tmp_path, ("iterations", 4))
    (tmp_path / "checkpoint.pt").write_bytes(b"no checkpoint")
    with pytest.raises(StoppedRun, match="cannot be read"):
        Run(SMALL, tmp_path, ("iterations", 4))


@pytest.mark.usefixtures("repetition")
def test_a_run_begins_with_a_smaller_net_and_goes_on_without_its_file(tmp_path: Path) -> None:
    rules, start = compiled("tic_tac_toe"), tmp_path / "start.npz"
    small = new_net(rules, 4, 1)
    save_net(small, start)
    settings = replace(SMALL, net=NetMaker(channels=4, blocks=2), start=str(start))
    run = Run(settings, tmp_path / "run", ("iterations", 4))
    states = [rules.game.start(), (0b1, 0b10)]
    first, second = (search_all(rules, asking(net), states, 0) for net in (small, run.learner.averaged))
    assert all(np.allclose(mine, theirs) for mine, theirs in zip(first, second))
    run.iterate()
    run.save()
    run.close()
    start.unlink()
    again = Run(settings, tmp_path / "run", ("iterations", 4))
    again.close()
    assert len(again.metrics) == 1
    with pytest.raises(UserError, match="no weights to begin with"):
        Run(settings, tmp_path / "another", ("iterations", 4))


@pytest.mark.usefixtures("repetition")
def test_the_log_has_a_line_of_figures_for_each_iteration(tmp_path: Path) -> None:
    run = Run(SMALL, tmp_path, ("iterations", 3))
    first, second = run.iterate(), run.iterate()
    run.note({"lost at 25": 0.5})
    run.save()
    run.close()
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [line["iteration"] for line in lines] == [1, 2] and lines[1]["lost at 25"] == 0.5
    assert lines[0].keys() | {"policy", "value", "entropy", "lost at 25"} == lines[1].keys() and first.losses is None
    assert lines[1]["games so far"] == first.played.games + second.played.games == second.games_so_far
    assert all(any(name in line for line in lines) for name in ("policy", "window", "unique", "rate", "simulations so far"))


@pytest.mark.usefixtures("repetition")
def test_a_run_remembers_its_type_of_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """which one is faster is measured once: another answer, on a busy machine, would refuse to go on"""
    monkeypatch.setitem(command.GAMES, "tic_tac_toe", (PLAY, LEARN, NetMaker(channels=4, blocks=1)))
    for iterations, answer in ((1, "bfloat16"), (2, "float32")):
        monkeypatch.setattr(command, "faster_dtype", lambda rules, net, device, answer=answer: answer)
        result = CliRunner().invoke(
            command.app, ["train", "tic_tac_toe", "--iterations", str(iterations), "--workers", "1", "--folder", str(tmp_path)])
        assert result.exit_code == 0, result.output
    assert read_settings(tmp_path)["dtype"] == "bfloat16" and len((tmp_path / "log.jsonl").read_text().splitlines()) == 2


@pytest.mark.usefixtures("repetition")
def test_a_checkpoint_of_an_older_version_is_a_sentence(tmp_path: Path) -> None:
    run = Run(SMALL, tmp_path, ("iterations", 1))
    run.iterate()
    saved = run._state()
    run.close()
    del saved["metrics"]
    torch.save(saved, tmp_path / "checkpoint.pt")
    with pytest.raises(StoppedRun, match="older version; move the folder away"):
        Run(SMALL, tmp_path, ("iterations", 1))


def test_the_bots_of_the_curves_are_rungs_of_the_ladder() -> None:
    rungs = {rung.name: rung.simulations for rung in load_ladder().rungs}
    assert BOTS == {name: rungs[name] for name in BOTS}


@pytest.mark.usefixtures("processes")
def test_a_student_s_policy_is_trained_and_measured_where_its_run_lies(tmp_path: Path) -> None:
    rules, module = compiled("tic_tac_toe"), Path(__file__).resolve().parents[2] / "solutions" / "ps5_alphazero.py"
    run = Run(replace(SMALL, net=NetMaker(str(module), channels=4)), tmp_path, ("iterations", 1))
    run.iterate()
    run.save()
    run.close()
    loaded, states = load_trained(rules, tmp_path / "net.npz"), [rules.game.start(), (0b1, 0b10)]
    assert type(loaded).__name__ == "Policy"
    first, second = (search_all(rules, asking(net), states, 0) for net in (loaded, run.learner.averaged))
    assert all((mine == theirs).all() for mine, theirs in zip(first, second))
    with pytest.raises(ValueError, match="was trained for another game than connect_four"):
        load_trained(compiled("connect_four"), tmp_path / "net.npz")
    (tmp_path / "checkpoint.pt").unlink()
    with pytest.raises(ValueError, match="holds no network for tic_tac_toe"):
        load_trained(rules, tmp_path / "net.npz")


@pytest.mark.usefixtures("repetition")
def test_a_policy_that_has_changed_since_its_run_began_is_a_sentence(tmp_path: Path) -> None:
    solution = (Path(__file__).resolve().parents[2] / "solutions" / "ps5_alphazero.py").read_text()
    module = tmp_path / "ps5_alphazero.py"
    module.write_text(solution)
    settings = replace(SMALL, net=NetMaker(str(module), channels=4))
    run = Run(settings, tmp_path, ("iterations", 1))
    run.iterate()
    run.save()
    run.close()
    module.write_text(solution.replace("self.hidden", "self.inner"))
    with pytest.raises(StoppedRun, match="has changed since; move the folder away"):
        Run(settings, tmp_path, ("iterations", 2))


class Picky(nn.Module):
    """A network that makes a float32 tensor of its own, or cannot answer at all."""

    def __init__(self, broken: bool) -> None:
        super().__init__()
        self.layer, self.broken = nn.Linear(18, 10), broken

    def forward(self, planes: torch.Tensor, legal: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        if self.broken:
            raise NotImplementedError("5.1 is not written yet")
        outputs = self.layer(planes.float().flatten(1))
        return outputs[:, :9].log_softmax(1), outputs[:, 9].tanh()


def test_a_network_that_is_not_made_for_bfloat16_is_trained_in_float32() -> None:
    assert faster_dtype(compiled("tic_tac_toe"), Picky(False), "cpu") == "float32"
    with pytest.raises(UserError, match="the network gives no answer: NotImplementedError: 5.1 is not written yet"):
        faster_dtype(compiled("tic_tac_toe"), Picky(True), "cpu")


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("considered", [0, 5])
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "othello"])
def test_examples_are_positions_with_a_policy_over_legal_moves_and_a_value(name: str, considered: int) -> None:
    rules = compiled(name)
    selfplay = SelfPlay(rules, PlaySettings(games=8, simulations=16, quick_simulations=4, considered=considered), 3)
    examples = selfplay.play(equal, 150)
    assert len(examples) >= 150 and selfplay.finished_games > 3
    assert np.allclose(examples.policies.sum(axis=1), 1) and (np.abs(examples.values) <= 1).all()
    assert len(np.unique(np.sign(examples.values))) >= 2
    for own, theirs, policy in zip(examples.own.tolist(), examples.theirs.tolist(), examples.policies):
        assert outcome(rules.number, own, theirs) == OPEN
        state = (own, theirs, 0) if name == "othello" else (own, theirs)
        assert set(np.flatnonzero(policy)) <= set(rules.game.legal_actions(state))


def test_the_value_target_is_the_result_in_the_view_of_the_position_s_mover() -> None:
    """With only the result as a target, a position one ply before a win at once has the value 1, the one before it -1."""
    rules = compiled("tic_tac_toe")
    settings = PlaySettings(games=4, simulations=8, quick_simulations=2, full_share=1.0, trace_decay=1.0, random_share=0)
    examples = SelfPlay(rules, settings, 5).play(equal, 200)
    wins = 0
    for own, theirs, policy, value in zip(examples.own, examples.theirs, examples.policies, examples.values):
        states = [rules.game.play((int(own), int(theirs)), action) for action in np.flatnonzero(policy).tolist()]
        if all(rules.game.outcome(state) == -1 for state in states):  # every move wins
            assert value == 1
            wins += 1
    assert wins > 5 and (examples.values == -1).any()


def test_the_value_target_looks_ahead_less_and_less() -> None:
    """By hand, with half the weight after each ply; plies without an example count too, and each ply turns the view."""
    selfplay = SelfPlay(compiled("tic_tac_toe"), PlaySettings(games=1, simulations=4, quick_simulations=2, trace_decay=0.5), 0)
    selfplay.kept[0], selfplay.plies[0] = 3, 5
    selfplay.kept_ply[0, :3], selfplay.kept_value[0, :3] = [0, 1, 3], [0.2, -0.4, 0.6]
    examples = selfplay._examples(0, result=-1)
    third = 0.25 * -1 + 0.75 * 0.6
    second = 0.25 * third + 0.75 * -0.4
    assert examples.values.tolist() == pytest.approx([0.5 * -second + 0.5 * 0.2, second, third])


def test_the_window_grows_with_progress_and_no_further() -> None:
    assert [LEARN.window(progress) for progress in (0.0, 0.5, 1.0, 1.5)] == [300, 400, 500, 500]


def test_the_learning_rate_rises_slowly_and_falls_to_a_hundredth() -> None:
    settings = LearnSettings(learning_rate=0.5, warm_up=100)
    rates = [settings.rate(0, steps) for steps in (0, 49, 99, 1000)]
    assert rates == pytest.approx([0.005, 0.25, 0.5, 0.5])
    assert settings.rate(1, 1000) == pytest.approx(0.005) and settings.rate(0.5, 1000) == pytest.approx(0.5 * 0.505)


@pytest.mark.usefixtures("computing")
def test_the_average_forgets_the_first_weights_soon() -> None:
    """After n steps the average keeps n / (n + 10) of itself, and later as much as the settings say."""
    rules = compiled("tic_tac_toe")
    torch.manual_seed(1)
    learner = Learner(rules, new_net(rules, 4, 1), LearnSettings(batch_size=8, average=0.14, warm_up=1), 2)
    window = Examples(np.array([1]), np.array([2]), np.full((1, 9), 1 / 9, np.float32), np.array([0.5], np.float32))
    for keep in (1 / 11, 0.14):  # 2 / 12 would be more
        before = [weight.detach().clone() for weight in learner.averaged.parameters()]
        learner.learn(window, 0, 0.0)
        for old, mean, latest in zip(before, learner.averaged.parameters(), learner.net.parameters()):
            assert torch.allclose(mean, keep * old + (1 - keep) * latest, atol=1e-7) and not torch.equal(old, latest)


@pytest.mark.parametrize("considered", [0, 9])
def test_self_play_keeps_answers_and_forgets_them_when_the_network_changes(considered: int) -> None:
    """Games and searches meet the same positions again: most of their questions were answered before."""
    rules, sizes = compiled("tic_tac_toe"), []

    def network(planes: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        sizes.append(len(planes))
        return equal(planes, allowed)

    selfplay = SelfPlay(rules, replace(PLAY, considered=considered), 3)
    for _ in range(2):  # the second call may be for another network
        sizes.clear()
        before = selfplay.simulations
        selfplay.play(network, 100)
        assert 50 < sum(sizes) < (selfplay.simulations - before) / 2


class Viewed(nn.Module):
    """A right network as a student may write it: `view` needs its planes in the memory order of an image convolution."""

    def __init__(self) -> None:
        super().__init__()
        self.body, self.head = nn.Conv2d(2, 8, 3, padding=1), nn.Linear(8 * 42, 8)

    def forward(self, planes: torch.Tensor, legal: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        outputs = self.head(torch.relu(self.body(planes)).view(len(planes), -1))
        return torch.log_softmax(outputs[:, :7].masked_fill(~legal, -1e9), dim=1), torch.tanh(outputs[:, 7])


class Normalized(nn.Module):
    """A right network as a student may write it, with batch normalization and with its own numbers in buffers."""

    def __init__(self, height: int = 6, width: int = 7, num_actions: int = 7, channels: int = 8) -> None:
        super().__init__()
        self.body, self.norm = nn.Conv2d(2, channels, 3, padding=1), nn.BatchNorm2d(channels, momentum=0.3)
        self.head = nn.Linear(channels * height * width, num_actions + 1)
        self.register_buffer("fixed", torch.arange(3))
        self.register_buffer("mask", torch.tensor([0.0, -torch.inf]))

    def forward(self, planes: torch.Tensor, legal: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        outputs = self.head(torch.relu(self.norm(5 + 9 * self.body(planes))).flatten(1))
        return torch.log_softmax(outputs[:, :-1].masked_fill(~legal, -1e9), dim=1), torch.tanh(outputs[:, -1])


@pytest.mark.usefixtures("computing")
def test_what_plays_has_the_statistics_of_what_was_trained() -> None:
    """Batch normalization plays with running statistics, which are not parameters: those of an untrained net would spoil it."""
    rules = compiled("connect_four")
    torch.manual_seed(1)
    learner = Learner(rules, Normalized(), LearnSettings(batch_size=32, average=0.9, learning_rate=2e-3), 2)
    policy = np.array([[0.7, 0.2, 0.1, 0, 0, 0, 0]], np.float32)
    window = Examples(np.array([1 << 0]), np.array([1 << 7]), policy, np.array([0.5], np.float32))
    for _ in range(10):
        learner.learn(window, 200, 0.0)
    fresh, plays, trained = (dict(net.named_buffers()) for net in (Normalized(), learner.averaged, learner.net))
    assert plays.keys() == trained.keys() == {"norm.running_mean", "norm.running_var", "norm.num_batches_tracked", "fixed",
                                              "mask"}
    assert plays["norm.num_batches_tracked"] == trained["norm.num_batches_tracked"] == learner.steps > 100
    assert plays["fixed"].tolist() == [0, 1, 2] and plays["mask"].tolist() == [0, -np.inf]
    for name in ("norm.running_mean", "norm.running_var"):
        assert not torch.allclose(plays[name], fresh[name], atol=0.1)
        assert torch.allclose(plays[name], trained[name], rtol=0.1, atol=0.1)
    states = [(1 << 0, 1 << 7), (1 << 42, 1 << 35)]
    (averaged, value), (latest, another) = (search_all(rules, asking(net), states, 0) for net in (learner.averaged, learner.net))
    assert np.allclose(averaged, latest, atol=0.05) and np.allclose(value, another, atol=0.1)
    assert np.allclose(averaged[0], policy[0], atol=0.05) and not learner.averaged.training


@pytest.mark.usefixtures("repetition")
def test_a_run_with_batch_normalization_stops_goes_on_and_ships_its_statistics(tmp_path: Path) -> None:
    module = tmp_path / "own.py"
    lines = Path(__file__).read_text().split("class Normalized")[1].split("\n\n\n")[0]
    module.write_text(f"import torch\nfrom torch import nn\n\n\nclass Policy{lines}\n")
    settings = replace(SMALL, net=NetMaker(str(module), channels=4))
    whole, stopped = (flat(ended(settings, tmp_path / name, stops)) for name, stops in (("whole", ()), ("stopped", (1, 3))))
    statistics = [name for name in whole if "running_" in name]
    assert len(statistics) == 4  # mean and variance, of the learning and of the playing network
    assert all(torch.equal(whole[name], stopped[name]) for name in whole if isinstance(whole[name], torch.Tensor))
    shipped = load_trained(compiled("tic_tac_toe"), tmp_path / "whole" / "net.npz").state_dict()
    for name in statistics:
        if ".averaged." in name:
            assert torch.equal(shipped[name.partition(".averaged.")[2]], whole[name]) and not torch.all(whole[name] == 0)


@pytest.mark.first_shows
@pytest.mark.usefixtures("repetition")
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("kind", ["ours", "a student's"])
def test_learning_goes_to_the_targets_in_every_symmetric_form(kind: str, dtype: str) -> None:
    rules = compiled("connect_four")
    torch.manual_seed(1)
    net = new_net(rules, 8, 1) if kind == "ours" else Viewed()
    learner = Learner(rules, net, LearnSettings(batch_size=32, average=0.9, learning_rate=5e-3), 2, dtype=dtype)
    policy = np.array([[0.7, 0.2, 0.1, 0, 0, 0, 0]], np.float32)
    window = Examples(np.array([1 << 0]), np.array([1 << 7]), policy, np.array([0.5], np.float32))
    for _ in range(6):
        learned = learner.learn(window, 200, 0.0)
    assert learned.policy - learned.entropy < 0.02 and learned.value < 0.01
    states = [(1 << 0, 1 << 7), (1 << 42, 1 << 35)]  # the mirror image learned the mirrored policy
    policies, values = search_all(rules, asking(learner.averaged), states, 0)
    assert np.allclose(policies[0], policy[0], atol=0.05) and np.allclose(policies[1], policy[0][::-1], atol=0.05)


def test_a_saved_net_plays_the_same(tmp_path: Path) -> None:
    rules = compiled("connect_four")
    net = new_net(rules, 8, 1)
    save_net(net, tmp_path / "net.npz")
    states = [rules.game.start()]
    first, second = (search_all(rules, asking(each), states, 20)[0] for each in (net, load_net(rules, tmp_path / "net.npz")))
    assert (first == second).all()
    with pytest.raises(ValueError, match="holds no network for othello"):
        load_net(compiled("othello"), tmp_path / "net.npz")


def test_searching_side_by_side_gives_the_moves_of_searching_alone() -> None:
    rules = compiled("tic_tac_toe")
    torch.manual_seed(2)
    network = asking(new_net(rules, 4, 1))
    states = [(0, 0), (1, 2), (0b100000010, 0b1), (0b10000, 0b1)]
    player = NetworkPlayer(rules, network)
    assert moves(rules, network, states, 30) == [player.choose(state, 30, None) for state in states]


def test_losses_counts_every_game_there_is() -> None:
    """Against a network that knows nothing and does not search: it always takes the first free square."""
    rules = compiled("tic_tac_toe")
    games, lost = losses(rules.game, lambda states: moves(rules, equal, states, 0))

    def count(state: tuple[int, int], colour: int) -> tuple[int, int]:
        result = rules.game.outcome(state)
        if result is not None:
            return 1, int((result if rules.game.player(state) == colour else -result) < 0)
        actions = rules.game.legal_actions(state)
        chosen = actions[:1] if rules.game.player(state) == colour else actions
        counts = [count(rules.game.play(state, action), colour) for action in chosen]
        return sum(played for played, _ in counts), sum(defeats for _, defeats in counts)

    both = [count((0, 0), colour) for colour in (0, 1)]
    assert (games, lost) == tuple(map(sum, zip(*both))) and lost > 0
