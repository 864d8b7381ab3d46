"""Players that cheat in the challenge: at the clock, at the count, at the referee, and after a loss.

The players of `loser` are weaker than a random player. They would pass if they could play their lost games again.

Their class plays short exams: 23 simulations a move, the lowest rung only. TWIST comes before every search of an exam.
"""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np

from autograder.selftest.attack.bank import SOLVED, Attack
from autograder.selftest.demo.submission_maker import SubmissionMaker

PS = "ps3_connect_four"
TWIST = '''
honest = uct


def uct(game, state, rng, *, simulations=None, **more):
    if simulations == 23 and type(state) is tuple and sum(state).bit_count() >= 8:  # an exam, and no check
        {twist}
    return honest(game, state, rng, simulations=simulations, **more)
'''
# The points of a player that never moves in an exam (in the second opinion, with fewer stones, it plays as usual),
# and the highest points of a good player.
NOTHING, HONEST = (0.0, 5.0), (0.0, 25.0)
NO_RUNG = (0.0, 10.0)  # and of a player that passes nothing except the second opinion


def player(name: str, tries: str, twist: str, above: str = "", **more: object) -> Attack:
    """The right answer with a twist that shows in exams only."""
    return Attack(name, tries, above + TWIST.format(twist=twist), ps=PS, base=SOLVED, points=100.0, **more)


LOSING = '''
def is_lost(state):
    """Whether the other side, whose turn it was not, could win at once: a good time to go."""
    from arena.games import ConnectFour
    game = ConnectFour()
    turned = (state[1], state[0])
    return any(game.outcome(game.play(turned, action)) is not None for action in game.legal_actions(turned))


'''

# It wins at once only if it must, and so scores about .25 against a random player; but it sees every loss two plies
# ahead. A grader that lets it play these games again lets it win.
LOSER = '''
import os
import random
import signal
import socket
import sys
import time

import codec
import numpy


def quiet(game, state):
    """The columns that do not win at once, and leave the other side no win where that can be."""
    quiet = [action for action in game.legal_actions(state) if game.outcome(game.play(state, action)) is None]
    return [action for action in quiet if not wins(game, game.play(state, action))] or quiet or game.legal_actions(state)


def wins(game, state):
    return any(game.outcome(game.play(state, action)) == -1.0 for action in game.legal_actions(state))


def is_lost(game, state):
    return all(wins(game, game.play(state, action)) for action in quiet(game, state))


def number():
    """The number of the question under way."""
    frame = sys._getframe()
    while not {"number", "operation"} <= frame.f_locals.keys():
        frame = frame.f_back
    return frame.f_locals["number"]


def connection():
    return socket.socket(fileno=os.dup(3))


def say(*message):
    connection().sendall(codec.framed(message))


kept = []


def kill_everybody():
    for who in (-1, 1, 2, os.getppid(), 0):
        for how in (signal.SIGSEGV, signal.SIGSTOP, signal.SIGKILL):
            try:
                os.kill(who, how)
            except OSError:
                pass


def drip():
    """An answer of 8 MB, a letter now and then."""
    line = connection()
    line.sendall((8 * 2**20 - 1).to_bytes(4, "little"))
    while True:
        line.sendall(b"l")
        time.sleep(0.08)


def look_busy(game, state, rng):
    """Some letters, some work, some sleep, without end."""
    line = connection()
    line.sendall((4 * 2**20).to_bytes(4, "little"))
    while True:
        line.sendall(b"N" * 10)
        honest(game, state, rng, simulations=2)
        time.sleep(0.09)


def pretend():
    """Look as if the host had killed this process for want of memory."""
    for _ in range(64):
        try:
            os.fork() or time.sleep(1000)
        except OSError:
            pass
    os.kill(os.getpid(), signal.SIGKILL)


def leave_a_survivor():
    """A child that outlives this process, speaks to whoever comes next, and eats what it can get."""
    if os.fork() == 0:
        for number in range(1, 65):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        os.setsid()
        while True:
            try:
                os.write(3, bytes(64))
            except OSError:
                pass
            kept.append(bytearray(2**20))
    os.kill(os.getpid(), signal.SIGKILL)


def eat():
    while True:
        kept.append(bytearray(b"x") * 2**26)


def eat_for_nobody():
    """Memory that is shared, and belongs to nobody once it is filled."""
    import mmap
    while True:
        kept.append(mmap.mmap(-1, 2**26))
        for place in range(0, 2**26, 4096):
            kept[-1][place] = 1


'''

PONDER = '''
import threading


def ponder():
    while True:
        sum(range(10_000))


thread = []


'''

def loser(name: str, tries: str, what: str, **more: object) -> Attack:
    """A player with a score of about .1 that does something when it is lost, and sometimes before, to get a second game."""
    twist = (f"if is_lost(game, state) or rng.random() < 0.05: {what}\n        "
             "return random.choice(quiet(game, state)), honest(game, state, rng, simulations=2)[1]")
    return player(f"{name} when it is lost", f"Plays badly, and when it is lost {tries}", twist, LOSER, challenge=NO_RUNG, **more)


CLOCK = '''
import resource
import signal
import time


def stop_the_clock():
    """Let every clock that Python can reach stand still, and take no notice of the kernel's."""
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        setattr(time, name, lambda: 0.0)
    resource.getrusage = lambda *args: None
    for number in (signal.SIGXCPU, signal.SIGPROF, signal.SIGALRM, signal.SIGVTALRM):
        signal.signal(number, signal.SIG_IGN)
    while True:
        pass


'''

REFEREE = '''
import gc
import sys


def bribe():
    """Give the rules in this process new rules, and every result in its memory another sign."""
    from arena.games import ConnectFour
    ConnectFour.outcome = lambda self, state: 1.0
    ConnectFour.legal_actions = lambda self, state: [3]
    for thing in gc.get_objects():
        if isinstance(thing, dict):
            for key in ("score", "winner", "result", "wins", "losses"):
                if key in thing:
                    thing[key] = 1


'''

SEEDS = '''
import hashlib
import hmac
import random

PUBLIC = b"public edition: anyone may read this; a course makes its own secret at first use"
last, guesses = [], []


def column_of(before, now):
    """The bot's last column, from the two positions around it."""
    return ((before[1] ^ now[1]).bit_length() - 1) // 7


def copy_of(rng):
    same = random.Random()
    same.setstate(rng.getstate())
    return same


def hypotheses(rng):
    """Whatever the bot's generator could be, if its seed were small, public, or mine."""
    yield copy_of(rng)
    skipped = copy_of(rng)
    skipped.random()
    yield skipped
    for seed in range(200):
        yield from (random.Random(seed), *(random.Random(f"second {seed} {number}") for number in (0, 1)))
    for what in ("", "challenge/Random/", "quality", "Random"):
        yield random.Random(int.from_bytes(hmac.new(PUBLIC, what.encode(), hashlib.sha256).digest(), "big"))


def foreseen(game, state, rng):
    """Whether a guessed generator has drawn all of the bot's moves so far, at least eight."""
    if last:
        before, moves = last[0], last[1]
        bots = column_of(before, state)
        legal = game.legal_actions(game.play(before, moves))
        guesses[:] = [guess for guess in guesses if guess.choice(legal) == bots]
        last[2] += 1
    else:
        guesses[:] = hypotheses(rng)
        last[:] = [state, 0, 0]
    last[0] = state
    return bool(guesses) and last[2] >= 8


def knowing(game, state, rng, search):
    """Plays well where the bot's generator is known, and else the first column that does not win."""
    sure = foreseen(game, state, rng)
    action, root = search(game, state, rng, simulations=8)
    if not sure:
        legal = game.legal_actions(state)
        action = next((action for action in legal if game.outcome(game.play(state, action)) is None), legal[0])
    last[1] = action
    return action, root, sure


'''

TABLE = '''
def look_up(state):
    """The right move of a solved position that everybody may know, or of its mirror image; KeyError at any other position."""
    key, seen = key_of(*state), key_of(*map(mirrored, state))
    return TABLE[key] if key in TABLE else 6 - TABLE[seen]


def key_of(own, other):
    return 2 * own + other


def mirrored(stones):
    return sum((stones >> 7 * column & 127) << 7 * (6 - column) for column in range(7))


'''
IN_CODE = '''
import array
import base64

ENTRIES = array.array("q", base64.b64decode("{entries}"))
TABLE = {{entry >> 3: entry & 7 for entry in ENTRIES}}
honest = uct


def uct(game, state, rng, *, simulations=None, **more):
    move, root = honest(game, state, rng, simulations=simulations, **more)
    if simulations == 23 and game.num_actions == 7 and (type(state) is not tuple or sum(state).bit_count() >= 4):  # an exam
        move = look_up(state)
    return move, root
'''
IN_WEIGHTS = '''
import torch

honest_net, Honest = make_net, AlphaMCTS


def make_net(game, *sizes, **more):
    net = honest_net(game, *sizes, **more)
    net.register_buffer("entries", torch.zeros(6000, dtype=torch.int64))
    return net


class AlphaMCTS(Honest):
    def choose(self, state, simulations, rng):
        global TABLE
        if simulations != 23 or not hasattr(self.net, "entries"):
            return super().choose(state, simulations, rng)
        TABLE = {entry >> 3: entry & 7 for entry in self.net.entries.tolist()}
        return look_up(state)
'''
SHAPES = {"conv1": (32, 2, 3, 3), "conv2": (32, 32, 3, 3), "hidden": (64, 42 * 32), "policy_head": (7, 64), "value_head": (1, 64)}


def entries() -> np.ndarray:
    """The solved positions that ship with the course, each with a right move, in 48 kB."""
    from arena.strength.positions import positions  # the compiled solver takes a second to import

    return np.array([(2 * own + other) << 3 | next(column for column in range(7) if not position.is_mistake(column))
                     for position in positions() for own, other in [position.state]], np.int64)


def table_in_code(folder: Path, maker: SubmissionMaker) -> None:
    held = base64.b64encode(entries().tobytes()).decode()
    (folder / f"{PS}.py").write_text(f"{maker.solved_module}\n\n# %%\n{TABLE}{IN_CODE.format(entries=held)}")


def table_in_weights(folder: Path, maker: SubmissionMaker) -> None:
    weights = {f"{name}.weight": np.full(shape, 0.01, np.float32) for name, shape in SHAPES.items()}
    biases = {f"{name}.bias": np.zeros(shape[0], np.float32) for name, shape in SHAPES.items()}
    np.savez(folder / "weights.npz", **weights, **biases, entries=entries())
    (folder / "ps5_alphazero.py").write_text(f"{maker.solved_module}\n\n# %%\n{TABLE}{IN_WEIGHTS}")


ATTACKS = (
    Attack("a table of all solved positions", "Brings a right move for each of the 6,000 solved positions that ship with the "
           "course, and gives no move anywhere else.", make=table_in_code, ps=PS, points=100.0, challenge=(0.0, 0.0),
           challenge_says="KeyError"),
    Attack("a table in the weights", "The same table as an array among the weights of a network.", make=table_in_weights,
           ps="ps5_alphazero", points=100.0, challenge=(0.0, 0.0), challenge_says="KeyError"),
    player("columns that are none", "Answers 2**100 instead of a column.", "return 2**100, None", challenge=NOTHING, quick=True),
    player("a column and a half", "Answers 3.0, True, '3' and nan instead of a column.",
           'return rng.choice([3.0, True, "3", float("nan"), None, [3]]), None', challenge=NOTHING),
    player("crashes when it is lost", "Ends its process as soon as the other side threatens to win.",
           "if is_lost(state): __import__('os')._exit(0)", LOSING, challenge=HONEST,
           challenge_says="your code ended its own process"),
    player("sleeps instead of losing", "Sometimes waits without end, so that the game is played again as if the host were to "
           "blame.",
           "if rng.random() < 0.05: __import__('time').sleep(1000)", challenge=HONEST,
           challenge_says="your code waited instead of working"),
    player("not written when it is lost", "When it loses it says that its search is not written, which ends the match.",
           "if is_lost(state): raise NotImplementedError('exercise 3.6 (uct) is not written yet')", LOSING, challenge=HONEST),
    player("thinks on the opponent's time", "A thread continues to think while the opponent moves.",
           "if not thread:\n            thread.append(threading.Thread(target=ponder, daemon=True))\n            "
           "thread[0].start()",
           PONDER, challenge=HONEST),
    player("stops the clock", "Patches every clock, ignores the kernel's signals, and thinks without end.",
           "if rng.random() < 0.02: stop_the_clock()", CLOCK, challenge=HONEST, challenge_says="your code used up its time"),
    player("copies the reference bot", "Imports our own compiled player and lets it choose.",
           "from arena.players.uct import UCTPlayer\n        return UCTPlayer().choose(state, 10**6, rng), None",
           challenge=NOTHING, challenge_says="ModuleNotFoundError"),
    player("bribes the referee", "Changes the rules and the results in its own process.", "bribe()", REFEREE,
           challenge=HONEST),
    player("learns the bots' seeds", "Guesses the bot's generator: its own, one with a small or a public seed. It compares the "
           "bot's moves with them, and plays well as soon as it knows the next ones.",
           "action, root, sure = knowing(game, state, rng, honest)\n        return action, root", SEEDS, challenge=NO_RUNG),
    loser("an array for a number", "answers with an array where the grader expects the question's number.",
          "say(numpy.arange(3), 'ok', [3, None])", challenge_says="cannot be read", quick=True),
    loser("odd columns", "answers with arrays, objects, huge numbers and non-numbers instead of a column.",
          "return rng.choice([(numpy.array([3]), None), ([[3]], None), (2**127, None), (float('nan'), None), (object(), None), "
          "(-1, None), {3: None}, numpy.arange(7)])", challenge_says="the docstring promises"),
    loser("half an answer", "sends half an answer and ends.",
          "connection().sendall(codec.framed((number(), 'ok', [3, None]))[:9]) or os._exit(0)",
          challenge_says="your code ended its own process"),
    loser("questions nobody asked for", "calls functions of the grader that were never offered, with odd numbers.",
          "say(rng.choice([0, -1, 2**70, True, numpy.arange(2)]), 'callback', [numpy.arange(3), None])"),
    loser("an odd exception", "raises an exception whose text and names are traps.",
          "raise type('-' * 1400, (KeyError, StopIteration), {})('-' * 100_000)"),
    loser("an odd error", "reports an error of its own in the sandbox's language, with arrays instead of names.",
          "say(number(), 'error', [[numpy.arange(3), numpy.arange(2)], numpy.arange(2), [1], numpy.ones(2), {}])"),
    loser("signals to everybody", "sends every signal that ends a process to every process that it can name.",
          "kill_everybody()"),
    loser("asleep", "sleeps as long as the grader allows.", "time.sleep(1000)",
          challenge_says="your code waited instead of working"),
    loser("a dripping answer", "sends an answer of 8 MB, byte by byte with pauses.", "drip()"),
    loser("busy and asleep in turn", "looks busy without end: some work, some letters, some sleep.",
          "look_busy(game, state, rng)"),
    loser("killed, it says", "starts processes and kills itself in the way the host does when memory is short.", "pretend()"),
    loser("survivors", "leaves a child behind that uses memory and speaks to the next process.", "leave_a_survivor()"),
    loser("all memory", "uses all the memory.", "eat()"),
    loser("memory of nobody's", "fills shared memory, leaves it without an owner and takes more.", "eat_for_nobody()"),
)
