"""A stranger's player on the board, in its sandbox: whatever it does, the page gets a sentence, and the board goes on."""

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.board.session import Session
from arena.challenge.ladder import load_ladder
from arena.errors import UserError
from autograder.challenge.board import own_opponent
from autograder.challenge.practice import player_at
from autograder.problem_sets.source import load, module_text

PS = "ps3_connect_four"
LADDER = replace(load_ladder(), student_simulations=20, move_cpu_s=0.5)
SECRET = "left-by-a-player"
# What the player does at its move, if a file of this name is not beside it; and a word of what the reader is told.
ACTS = {
    "HTML as an exception": ("raise ValueError('<img src=x onerror=alert(1)>')", "gave no move"),
    "HTML as a class": ("raise type('<script>alert(1)</script>', (Exception,), {})('x')", "gave no move"),
    "letters for the terminal": ("raise ValueError('\\x1b]0;pwned\\x07\\x1b[2J\\u202e')", "gave no move"),
    "a huge number": ("return 2**100_000, root", "gave no move"),
    "a boolean": ("return True, root", "gave no move"),
    "no number": ("return float('nan'), root", "gave no move"),
    "an object that is equal to everything":
        ("return type('Any', (), {'__eq__': lambda *both: True, '__hash__': lambda one: 3})(), root", "gave no move"),
    "a column that is none": ("return -1, root", "not a legal move"),
    "no tree": ("return 3, None", "gave no move"),
    "without end": ("while True: pass", "gave no move"),
    "its own end": ("os._exit(0)", "gave no move"),
    "signals to everybody": ("[os.kill(who, 9) for who in (-1, os.getpid())]", "gave no move"),
    "an exception that is none of Exception": ("raise KeyboardInterrupt", "gave no move"),
    "an exit": ("raise SystemExit(0)", "gave no move"),
    "not written": ("raise NotImplementedError('<b>exercise</b>')", "gave no move"),
    "letters on the connection": ("os.write(3, b'\\xff' * 4096)", "gave no move"),
    "a file of the reader": ("raise ValueError(open('{secret}').read())", "gave no move"),
    "a new file": ("open('{secret}.new', 'w').write('x')", "gave no move"),
}
TWIST = """

# %%
import os

honest = uct


def uct(game, state, rng, **more):
    if {when}:
        root = honest(game, state, rng, simulations=2)[1]
        {act}
    return honest(game, state, rng, **more)
"""


@pytest.fixture
def secret(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "secret"
    path.write_text(SECRET)
    yield path
    assert path.read_text() == SECRET and not Path(f"{path}.new").exists()


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("act, reason", ACTS.values(), ids=ACTS)
def test_a_stranger_s_player_does_nothing_to_its_reader(act: str, reason: str, tmp_path: Path, secret: Path, capfd) -> None:
    """it acts at an empty board with one stone; at the next move, with three, it plays as usual"""
    path, before = tmp_path / f"{PS}.py", os.getpid()
    twist = TWIST.format(when="sum(state).bit_count() == 1", act=act.replace("{secret}", str(secret)))
    path.write_text(module_text(load(PS), solution=True) + twist)
    player = player_at(path, LADDER)
    try:
        opponent = own_opponent(player, LADDER)
        session = Session(lambda game: [opponent] if game == "connect_four" else [])
        assert "in the sandbox" in opponent.description and opponent.name == "Your player"
        began = time.monotonic()
        session.answer({"do": "play", "action": 3})
        answer = session.answer({"do": "think"})
        assert reason in answer["error"] and answer["error"].isprintable() and len(answer["error"]) < 500
        assert SECRET not in answer["error"] and not any(tag in answer["error"] for tag in ("<img", "<script", "<b>"))
        assert answer["board"]["actions"] == [3] and answer["board"]["turn"] == "opponent"
        session.answer({"do": "position", "moves": "334"})  # the board goes on, and so does the player
        session.answer({"do": "new", "moves": "334", "you": "X"})
        assert len(session.answer({"do": "think"})["board"]["actions"]) == 4
        assert time.monotonic() - began < 60 and os.getpid() == before
    finally:
        player.end()
        player.runner.close()
    assert "Traceback" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("make", [
    lambda path: os.mkfifo(path), lambda path: path.symlink_to("/dev/zero"), lambda path: path.symlink_to(path),
    lambda path: path.symlink_to("/etc/passwd"), lambda path: path.mkdir(), lambda path: path.write_bytes(b"#" * 2**25),
    lambda path: path.write_bytes(b"\x1b[2J\x00" * 100),
], ids=["a pipe", "a device", "a circle", "a link", "a folder", "too large", "no text"])
def test_what_is_no_player_is_refused_in_a_sentence_and_never_opened(make, tmp_path: Path) -> None:
    path = tmp_path / f"{PS}.py"
    make(path)
    with pytest.raises(UserError) as refused:
        player_at(tmp_path, LADDER)
    assert "root:" not in str(refused.value) and len(str(refused.value)) < 500


def test_without_a_sandbox_the_page_says_so(tmp_path: Path) -> None:
    path = tmp_path / f"{PS}.py"
    path.write_text(module_text(load(PS), solution=True))
    player = player_at(path, LADDER, sandboxed=False)
    assert "without a sandbox" in own_opponent(player, LADDER).description
    player.runner.close()
