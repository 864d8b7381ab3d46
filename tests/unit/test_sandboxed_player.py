"""The player that the grader builds from a submission: its weights, and the count of its calls of the rules."""

import random
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena.challenge.kinds import CHECKS, NETWORK
from arena.challenge.ladder import load_ladder
from arena.errors import UserError
from arena.games import ConnectFour, after
from arena.match import play_match
from arena.players.uct import UCTPlayer
from arena.result import MatchResult
from arena.strength.openings import line_to, quiet_draws
from arena.weights_file import WeightsError
from autograder.challenge.player.query_budget import CountedGame, Overrun, allowed, not_counted
from autograder.challenge.player.sandboxed import SandboxedPlayer, contestant, entry_name
from autograder.challenge.player.weights import Weights, read_weights
from autograder.challenge.practice import challenge
from autograder.grading import submission_runner
from autograder.problem_sets.bank.answers import Answer, load_bank
from autograder.problem_sets.source import load, module_text
from autograder.sandbox import session
from autograder.sandbox.errors import Refused
from autograder.sandbox.sandbox import Sandbox
from autograder.submission import read as submission
from solutions import ps5_alphazero as ps5

GAME = ConnectFour()
PS3, PS5 = load("ps3_connect_four"), load("ps5_alphazero")
SOLVED = {ps.name: module_text(ps, solution=True) for ps in (PS3, PS5)}
RIGHT = load_bank(Path(__file__).parents[1] / "right" / "ps3_connect_four.py")
OPENINGS = [line_to(quiet_draws()[number]) for number in (1000, 4000)]
Made = Callable[..., SandboxedPlayer]


def weights(channels: int = 32, **changed: np.ndarray) -> Weights:
    """Random weights of the lesson's network."""
    rng = np.random.default_rng(5)
    shapes = {"conv1": (channels, 2, 3, 3), "conv2": (channels, channels, 3, 3), "hidden": (64, 42 * channels),
              "policy_head": (7, 64), "value_head": (1, 64)}
    arrays = {f"{name}.weight": rng.normal(0, np.prod(shape[1:]) ** -0.5, shape).astype(np.float32)
              for name, shape in shapes.items()}
    arrays |= {f"{name}.bias": np.zeros(shape[0], np.float32) for name, shape in shapes.items()}
    return Weights(arrays | changed, "hash")


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    players: list[SandboxedPlayer] = []

    def make(
        code: str = "", ps: str = PS3.name, brought: Weights | None = None, one_in: int = 1, **more: object
    ) -> SandboxedPlayer:
        (tmp_path / f"{ps}.py").write_text(f"{SOLVED[ps]}\n\n# %%\n{code}\n")
        player = contestant(submission.read_folder(tmp_path, ps), load_ladder(), brought, secret=b"autumn", **more)
        player.watched_one_in = one_in
        players.append(player)
        return player

    yield make
    for player in players:
        player.end()
        player.runner.close()


def match(player: SandboxedPlayer, simulations: int = 20, games: int = 4) -> MatchResult:
    result = play_match(GAME, player, UCTPlayer(), games, (simulations, simulations), 7, openings=OPENINGS, progress=False)
    player.end()
    return result


NEVER = 10**15


# -- a network and its weights ---------------------------------------------------------------------


@pytest.mark.usefixtures("repetition")
def test_a_network_with_its_weights_plays_and_other_weights_play_otherwise(made: Made) -> None:
    games = [match(made("", PS5.name, brought, NEVER), games=2).games for brought in (weights(), weights(), _shuffled(weights()))]
    assert games[0] == games[1] != games[2]
    assert all(game.fault is None for game in games[0])


def _shuffled(brought: Weights) -> Weights:
    return Weights({name: array[::-1].copy() for name, array in brought.arrays.items()}, "other")


@pytest.mark.usefixtures("computing")
def test_the_weights_are_those_that_the_network_has_over_there(made: Made) -> None:
    player = made("", PS5.name, weights())
    player.new_game()
    there = player._student.state(player._net)
    assert there.keys() == weights().arrays.keys()
    assert all((there[name] == array).all() for name, array in weights().arrays.items())


def test_what_save_weights_writes_is_what_is_read(tmp_path: Path) -> None:
    saved, loaded = (ps5.make_net(GAME) for _ in range(2))
    ps5.save_weights(saved, str(tmp_path / "weights.npz"))
    ps5.load_weights(loaded, str(tmp_path / "weights.npz"))
    read = read_weights(tmp_path).arrays
    for net in (saved, loaded):
        state = {name: tensor.numpy() for name, tensor in net.state_dict().items()}
        assert state.keys() == read.keys() and all((state[name] == read[name]).all() for name in read)
    assert sum(array.nbytes for array in read.values()) == pytest.approx(0.4e6, rel=0.1)  # as the lesson says


LARGER = "small = make_net\ndef make_net(game, channels=48, hidden=64):\n    return small(game, channels, hidden)"


@pytest.mark.usefixtures("computing")
def test_a_network_of_another_size_plays_where_make_net_makes_it(made: Made) -> None:
    assert match(made(LARGER, PS5.name, weights(48), NEVER)).faults == ()


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("brought, message", [
    (weights(48), "does not fit the network that make_net"),
    (weights(more=np.zeros(3)), "does not fit the network that make_net"),
    (Weights({}, "hash"), "does not fit the network"),
    (None, "the submission has no weights.npz beside it"),
])
def test_weights_that_do_not_fit_are_told_once_before_any_game(made: Made, brought: Weights | None, message: str) -> None:
    with pytest.raises(WeightsError, match=message):
        made("", PS5.name, brought)


def test_weights_change_the_name_that_the_seeds_hang_on(made: Made) -> None:
    work = made().runner.submission
    assert entry_name(work, None) == work.sha256
    names = {entry_name(work, None), entry_name(work, weights()), entry_name(work, _shuffled(weights()))}
    assert len(names) == 3


# -- the count of calls ----------------------------------------------------------------------------


@pytest.mark.usefixtures("processes")
def test_through_handles_a_search_chooses_as_it_does_directly(made: Made) -> None:
    chooses_the_same_through_handles(made, "")


@pytest.mark.parametrize("answer", RIGHT, ids=lambda answer: answer.name)
def test_so_does_every_right_search(made: Made, answer: Answer, repetition: None) -> None:
    chooses_the_same_through_handles(made, answer.code)


def chooses_the_same_through_handles(made: Made, code: str) -> None:
    direct, watched = made(code, one_in=NEVER), made(code)
    assert match(direct).games == match(watched).games
    moves = watched.simulations // 20
    assert (direct.watched, watched.watched) == (0, moves) and moves > 8
    assert (watched.overruns, watched.uncounted) == ([], 0)


@pytest.mark.usefixtures("repetition")
def test_through_handles_a_network_chooses_as_it_does_directly(made: Made) -> None:
    direct, watched = (made("", PS5.name, weights(), one_in) for one_in in (NEVER, 1))
    assert match(direct).games == match(watched).games
    assert watched.watched > 8 and (watched.overruns, watched.uncounted) == ([], 0)


TENFOLD = """
plain = uct
def uct(game, state, rng, *, simulations=None, **more):
    action, root = plain(game, state, rng, simulations=10 * simulations)
    root.num_visits = simulations
    return action, root
"""


@pytest.mark.usefixtures("repetition")
def test_ten_times_the_simulations_are_an_overrun_and_lose_nothing(made: Made) -> None:
    player = made(TENFOLD)
    result = match(player, games=2)
    assert result.faults == () and player.uncounted == 0
    assert len(player.overruns) >= player.watched // 2
    first = player.overruns[0]
    assert first.question == "play" and first.allowed < first.asked <= 2 * first.allowed + 1
    assert "a search of 20 simulations may call it" in first.sentence() and f"{first.stones} stones" in first.sentence()


@pytest.mark.usefixtures("repetition")
def test_a_network_that_is_asked_ten_times_as_often_is_an_overrun(made: Made) -> None:
    code = ("few = search\ndef search(game, net, root, num_simulations, c, rng):\n"
            "    few(game, net, root, 10 * num_simulations, c, rng)")
    player = made(code, PS5.name, weights())
    assert match(player, games=2).faults == ()
    assert {overrun.question for overrun in player.overruns} == {"planes"}


LOOKS_INSIDE = """
plain = uct
def uct(game, state, rng, **more):
    mine, theirs = state
    mine & theirs
    return plain(game, state, rng, **more)
"""


@pytest.mark.usefixtures("processes")
def test_whoever_looks_into_the_states_plays_on_and_is_told_of(made: Made) -> None:
    player = made(LOOKS_INSIDE)
    assert match(player).games == match(made(one_in=NEVER)).games
    assert player.uncounted == player.watched > 8 and player.overruns == []
    assert not_counted(0) == [] and "were not counted" in not_counted(player.uncounted)[0]


@pytest.mark.usefixtures("repetition")
@pytest.mark.parametrize("doing", ["__import__('os')._exit(0)", "while True: pass"])
def test_whoever_cannot_bear_to_be_watched_plays_on_in_a_new_process(made: Made, doing: str) -> None:
    code = (f"plain = uct\ndef uct(game, state, rng, **more):\n    if isinstance(state, str):\n        {doing}\n"
            "    return plain(game, state, rng, **more)")
    player = made(code, one_in=3)
    player.ladder = replace(player.ladder, move_cpu_s=0.05)
    assert match(player).games == match(made(one_in=NEVER)).games
    assert player.uncounted == player.watched > 0


def test_the_watched_moves_are_drawn_by_the_edition_and_not_by_the_student(made: Made) -> None:
    def drawn(secret: bytes) -> list[bool]:
        player = made(one_in=10)
        player.secret = secret
        return [player._is_watched(seed) for seed in range(2000)]

    assert drawn(b"autumn") == drawn(b"autumn") != drawn(b"spring")
    assert 130 < sum(drawn(b"autumn")) < 270  # 200 are expected; 70 off is more than 5 standard deviations


@pytest.mark.usefixtures("repetition")
def test_time_that_a_watched_move_takes_is_on_nobodys_account(made: Made) -> None:
    player = made()
    match(player, 100, games=2)
    spent_s = player.runner.cpu_s - player.watched_cpu_s
    assert player.watched_cpu_s > spent_s > 0 and player.simulations_per_second == player.simulations / spent_s
    player.ladder = replace(player.ladder, game_cpu_s=player.watched_cpu_s / 4)
    assert match(player, 100, games=2).faults == ()


@pytest.mark.usefixtures("processes")
def test_a_game_may_take_its_whole_time_and_not_only_that_of_a_move(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel's limit on a process is for the whole game: here loading, one move and slack are a second, the moves two."""
    monkeypatch.setattr(submission_runner, "LOAD_CPU_S", 0.8)
    monkeypatch.setattr(session, "SIGXCPU_SLACK_S", 0.0)
    player = made("import time\nplain = uct\ndef uct(*given, **more):\n    while time.process_time() < uct.until: pass\n"
                  "    uct.until += 0.2\n    return plain(*given, **more)\nuct.until = time.process_time()\n", one_in=NEVER)
    player.ladder = replace(player.ladder, move_cpu_s=0.4)
    player.new_game()
    for _ in range(10):
        player.choose(GAME.start(), 10, random.Random(1))
    assert player._process.cpu_used_s > 1.5


@pytest.mark.usefixtures("processes")
def test_the_start_of_a_sandbox_is_not_the_player_s_waiting(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    player, waiting = made(), []
    counted, start = SandboxedPlayer._waiting, Sandbox._start

    @contextmanager
    def seen(self: SandboxedPlayer) -> Iterator[None]:
        with counted(self):
            waiting.append(True)
            yield
            waiting.pop()

    def started(self: Sandbox, inside: socket.socket) -> object:
        assert not waiting
        return start(self, inside)

    monkeypatch.setattr(SandboxedPlayer, "_waiting", seen)
    monkeypatch.setattr(Sandbox, "_start", started)
    submission_runner.close_idle()
    player.runner.close()
    player.new_game()
    assert player.choose(GAME.start(), 10, random.Random(1)) in range(7)


def test_what_may_be_asked_is_twice_what_a_search_can_need() -> None:
    start = GAME.start()
    assert allowed(start, 400) == {"play": 2 * 400 * 49, "planes": 802}
    assert allowed(after(GAME, [3, 3, 2, 4]), 100) == {"play": 2 * 100 * 45, "planes": 202}


def test_a_count_is_exact_until_it_is_settled() -> None:
    game = CountedGame(GAME.start(), 1)
    token, most = game.token(GAME.start()), allowed(GAME.start(), 1)["play"]
    for _ in range(most):
        game.answer("play", token, 3)
    assert game.overrun is None
    game.answer("play", token, 3)
    assert game.overrun == Overrun("play", most + 1, most, 1, 0)
    with pytest.raises(Refused):
        for _ in range(most):
            game.answer("play", token, 3)


@pytest.mark.usefixtures("processes")
def test_the_open_class_is_asked_by_its_own_name_and_not_counted(made: Made) -> None:
    code = "def open_player(game, state, rng):\n    return uct(game, state, rng, simulations=50)[0]"
    player = made(code, kind="open_player")
    assert match(player).faults == () and player.watched == 0 and player.kind == "open_player"


@pytest.mark.usefixtures("processes")
def test_seeds_of_moves_do_not_depend_on_whether_a_move_is_watched(made: Made) -> None:
    player, first, second = made(one_in=NEVER), random.Random(3), random.Random(3)
    player.new_game()
    player.choose(GAME.start(), 10, first)
    player.watched_one_in = 1
    player.choose(GAME.start(), 10, second)
    assert first.random() == second.random() and player.watched == 1



# -- at home ---------------------------------------------------------------------------------------


def at_home(folder: Path, brought: Weights | None) -> Path:
    (folder / f"{PS5.name}.py").write_text(SOLVED[PS5.name])
    if brought:
        np.savez(folder / "weights.npz", **brought.arrays)
    return folder


@pytest.mark.usefixtures("whole_world")
def test_at_home_a_network_climbs_with_the_weights_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(CHECKS, NETWORK, ("5.4",))  # the others take seconds
    challenge(at_home(tmp_path, weights()), "random")
    printed = capsys.readouterr().out
    assert "visible checks passed: 1 of 1" in printed and "`AlphaMCTS` of problem set 5 plays" in printed
    assert "15 of 15 points" in printed


@pytest.mark.usefixtures("repetition")
def test_at_home_what_is_wrong_with_the_weights_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="the submission has no weights.npz beside it"):
        challenge(at_home(tmp_path, None), "Random")
    with pytest.raises(UserError, match="does not fit the network that make_net"):
        challenge(at_home(tmp_path, weights(48)) / f"{PS5.name}.py", "Random")
    (tmp_path / "weights.npz").write_bytes(b"\x80")
    with pytest.raises(UserError, match="is a pickle"):
        challenge(tmp_path, "Random")
