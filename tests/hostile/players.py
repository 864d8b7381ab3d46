"""Players that cheat in the challenge: at the clock, at the count, at the referee, and with what they lose.

Their class plays short exams: 23 simulations a move, the lowest rung only. TWIST stands before every search of an exam.
"""

from autograder.attack.bank import SOLVED, Attack

PS = "ps3_connect_four"
TWIST = '''
honest = uct


def uct(game, state, rng, *, simulations=None, **more):
    if simulations == 23 and type(state) is tuple and sum(state).bit_count() >= 8:  # an exam, and no check
        {twist}
    return honest(game, state, rng, simulations=simulations, **more)
'''
# What a player gets who never moves in an exam (the second opinion has positions of fewer stones, where it is still itself),
# and at most who plays well.
NOTHING, HONEST = (0.0, 5.0), (0.0, 25.0)


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

PONDER = '''
import threading


def ponder():
    while True:
        sum(range(10_000))


thread = []


'''

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

ATTACKS = (
    player("columns that are none", "Answers 2**100 for a column.", "return 2**100, None", challenge=NOTHING, quick=True),
    player("a column and a half", "Answers 3.0, True, '3' and nan for a column.",
           'return rng.choice([3.0, True, "3", float("nan"), None, [3]]), None', challenge=NOTHING),
    player("crashes when it is lost", "Ends its process as soon as the other side threatens to win.",
           "if is_lost(state): __import__('os')._exit(0)", LOSING, challenge=HONEST,
           challenge_says="your code ended its own process"),
    player("sleeps instead of losing", "Waits for ever now and then, so that the game is played again as if the host were to "
           "blame.",
           "if rng.random() < 0.01: __import__('time').sleep(1000)", challenge=HONEST,
           challenge_says="your code waited instead of working"),
    player("not written when it is lost", "Says that its search is not written, which ends the match, when it loses.",
           "if is_lost(state): raise NotImplementedError('exercise 3.6 (uct) is not written yet')", LOSING, challenge=HONEST),
    player("thinks on the opponent's time", "A thread goes on thinking while the opponent moves.",
           "if not thread:\n            thread.append(threading.Thread(target=ponder, daemon=True))\n            "
           "thread[0].start()",
           PONDER, challenge=HONEST),
    player("stops the clock", "Patches every clock, ignores the kernel's signals, and thinks for ever.",
           "if rng.random() < 0.02: stop_the_clock()", CLOCK, challenge=HONEST, challenge_says="your code used up its time"),
    player("copies the reference bot", "Imports our own compiled player and lets it choose.",
           "from arena.players.uct import UCTPlayer\n        return UCTPlayer().choose(state, 10**6, rng), None",
           challenge=NOTHING, challenge_says="ModuleNotFoundError"),
    player("bribes the referee", "Changes the rules and the results that lie in its own process.", "bribe()", REFEREE,
           challenge=HONEST),
)
