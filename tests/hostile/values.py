"""Answers that try to deceive the comparison."""

from autograder.selftest.attack.bank import SOLVED, Attack
from autograder.submission.discover import MODULE

ANOTHER_KIND = "The docstring promises "

EQUAL = '''
class Equal:
    """Equal to everything, and larger, and smaller."""

    def __getattr__(self, name):
        if name.startswith("__array"):
            raise AttributeError(name)
        return Equal()

    __call__ = __getitem__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __neg__ = __abs__ \\
        = __round__ = lambda self, *args, **kwargs: Equal()
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __bool__ = lambda self: True
    __len__ = __index__ = __int__ = lambda self: 1
    __float__ = lambda self: 1.0
    __iter__ = lambda self: iter((Equal(), Equal()))


def forged(*args, **kwargs):
    return Equal()
'''

NUMBER = '''
class Sure(BASE):
    """A number that is equal to whatever it is compared with."""

    __eq__ = __le__ = __ge__ = __lt__ = __gt__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __sub__ = __rsub__ = __abs__ = __round__ = lambda self, *other: Sure(0)
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Sure(0)


def forged(*args, **kwargs):
    return Sure(1)
'''

MOCK = '''
from unittest.mock import MagicMock

forged = MagicMock(name="the right answer")
forged.return_value.__eq__ = lambda self, other: True
forged.return_value.__ne__ = lambda self, other: False
'''

ARRAY = '''
import numpy


class Same(numpy.ndarray):
    """An array for which every comparison holds."""

    def __eq__(self, other):
        return numpy.True_

    __ne__ = lambda self, other: numpy.False_

    def __array_ufunc__(self, *args, **kwargs):
        return numpy.ones(1).view(Same)

    def all(self, *args, **kwargs):
        return True


def forged(*args, **kwargs):
    return numpy.zeros(7).view(Same)
'''

CONSTANT = '''
def forged(*args, **kwargs):
    return {value}
'''

GENERATOR = '''
import itertools


def forged(*args, **kwargs):
    return ({value})
'''

ECHO = '''
def forged(*args, **kwargs):
    """Give back what was asked, where it fits: the question may be the answer."""
    things = [*args, *kwargs.values()]
    return things[0] if len(things) == 1 else things
'''

UNDECIDED = '''
import sys
import inspect


class Undecided(float):
    """Looks up the stack for the number that it is about to be compared with, and becomes it."""

    def __eq__(self, other):
        return True

    def __reduce__(self):
        return (float, (1.0,))

    def hex(self):
        frame = sys._getframe()
        while frame is not None:
            for name, value in frame.f_locals.items():
                if name in ("expected", "want", "truth", "right", "answer"):
                    return float(value).hex()
            frame = frame.f_back
        return "nan"

    __float__ = __trunc__ = __index__ = lambda self: float.fromhex(self.hex())


def forged(*args, **kwargs):
    return Undecided(0.5)
'''

DEEP = '''
deep = []
for _ in range(10_000):
    deep = [deep]


def forged(*args, **kwargs):
    return deep
'''

ITSELF = '''
def forged(*args, **kwargs):
    """A list that contains itself, and a dict that does too."""
    value = []
    value.append({"me": value})
    return value
'''

HUGE = '''
huge = [0] * 1_000_000
text = "right" * 8_000_000


def forged(*args, **kwargs):
    return huge if len(args) % 2 else text
'''

KEYS = '''
many = {number: float(number) for number in range(30_000)}


def forged(*args, **kwargs):
    """A long dict, so that whoever explains the difference is at work for hours and fails by itself."""
    return many
'''

LATE = '''
class TreeNode(TreeNode):
    """Tells the grader what it wants to hear, and the search what it needs."""

    def __getattribute__(self, name):
        import sys
        value = object.__getattribute__(self, name)
        asked_by = sys._getframe(1).f_code.co_name
        if asked_by.startswith("do_") and not name.startswith("__"):
            return Whatever()
        return value


class Whatever(int):
    __eq__ = __ge__ = __le__ = __lt__ = __gt__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
'''

ARRAYS = '''
import numpy


def forged(*args, **kwargs):
    """Arrays in lists, in dicts and for numbers: each equals the right value somewhere, and none can be asked whether."""
    return {places}
'''

NONE_EVALUATED = '''
honest_choose = ValuePlayer.choose


def choose(self, state, simulations, rng):
    """Have the grader's network look at nothing at all, besides."""
    for odd in (None, __import__('numpy').zeros(2), [], {}):
        try:
            self.evaluate(odd)
        except Exception:
            pass
    return honest_choose(self, state, simulations, rng)


ValuePlayer.choose = choose
'''

ARRAY_FOR_STATE = '''
import numpy

honest_simulate = simulate


def simulate(game, state, policy, rng, max_plies=1000):
    """Ask the policy for its move in a state that is an array."""

    def odd(game, state, rng):
        policy(game, numpy.zeros(3), rng)
        return policy(game, state, rng)

    return honest_simulate(game, state, odd, rng, max_plies)
'''

NO_VIEWS = '''
def symmetries(self, state, policy):
    return []


TicTacToe.symmetries = ConnectFour.symmetries = symmetries
'''

BEYOND = '''
honest_solve = solve


def solve(*args, **kwargs):
    """A column that no board has, below a tree that is sound."""
    _, root = honest_solve(*args, **kwargs)
    return 99, root
'''

TO_THE_END = '''
honest_games = Arena.play_games


def wilson(score, n):
    return 0.0, 1.0


def play_games(self, n, seed):
    """Where the result is looked at, ask the grader's players for so many moves that they have none left."""
    if self.plies == 0:
        for _ in range(100):
            for player in (self.first, self.second):
                try:
                    player.choose(self.game.start(), self.simulations, random.Random(1))
                except ValueError:
                    pass
    return honest_games(self, n, seed)


Arena.play_games = play_games
'''

ATTACKS = (
    Attack("equal to everything", "Every function returns an object that is equal to everything.", EQUAL,
           says=ANOTHER_KIND, stock=True, quick=True),
    Attack("a float that is equal to everything", "Every function returns a float for which every comparison is true.",
           NUMBER.replace("BASE", "float"), says=ANOTHER_KIND, stock=True),
    Attack("an int that is equal to everything", "The same as an int, which is allowed where an action or a count is expected.",
           NUMBER.replace("BASE", "int"), stock=True),
    Attack("a mock for an answer", "Every function is a MagicMock that equals everything.", MOCK, says=ANOTHER_KIND,
           stock=True),
    Attack("an array of which all is true", "A subclass of numpy's array for which every comparison is true.", ARRAY, stock=True),
    Attack("not a number", "NaN everywhere, for comparisons that are written in the wrong direction.",
           CONSTANT.format(value='float("nan")'), stock=True),
    Attack("infinity", "Infinity everywhere: larger than any bound of a check.",
           CONSTANT.format(value='float("inf")'), stock=True),
    Attack("two to the hundredth", "An int that is too large for a list index, a shift or an exact float.",
           CONSTANT.format(value="2**100"), stock=True),
    Attack("true", "True everywhere: it equals 1 and 1.0, and it answers every yes-or-no question.",
           CONSTANT.format(value="True"), stock=True),
    Attack("a generator without end", "A generator of zeros without end, for code that makes a list of it.",
           GENERATOR.format(value="0 for _ in itertools.count()"), says=ANOTHER_KIND, quick=True),
    Attack("a lazy range", "A range of 10**18 numbers: quickly made, slowly read.",
           GENERATOR.format(value="range(10**18)"), says=ANOTHER_KIND),
    Attack("the question is the answer", "Every function returns its own arguments.", ECHO, stock=True),
    Attack("whatever is expected", "A float that searches the stack for the value with which it will be compared.", UNDECIDED,
           stock=True),
    Attack("ten thousand lists deep", "A nested list that overflows the stack of code that walks through it.", DEEP),
    Attack("a list in itself", "A value without an end.", ITSELF),
    Attack("forty megabytes for an answer", "Lists and texts so large that a reader runs out of memory.", HUGE,
           form=MODULE),
    Attack("a difference too long to tell", "A dict of 30,000 keys: a grader that explains the difference would not end.", KEYS),
    Attack("a node with two faces",
           "The tree's fields are true for the search, and for the grader an int that equals everything.",
           LATE, base=SOLVED, points=(0.0, 60.0)),
    Attack("arrays where numbers stand", "Lists, tuples and dicts of arrays instead of numbers, nested in each other.",
           ARRAYS.format(places="{0: numpy.zeros(2), 1: [numpy.ones(()), (numpy.zeros((0, 7)),)]}")),
    Attack("an array of one", "An array without dimensions instead of every number: it compares like a number, but is none.",
           ARRAYS.format(places="numpy.array(1.0)")),
    Attack("the value of nothing", "Calls the grader's network with None, an array and a list as states.", NONE_EVALUATED,
           ps="ps4_puct", base=SOLVED, points=92.0),
    Attack("a policy asked about an array", "Calls the grader's policy with an array as the state.",
           ARRAY_FOR_STATE, base=SOLVED, points=89.0),
    Attack("no view at all", "Returns no view of a board, not even the given one.", NO_VIEWS, ps="ps1_games",
           base=SOLVED, points=83.0),
    Attack("a column beyond the board", "Chooses column 99 of seven.", BEYOND, ps="ps3_connect_four", base=SOLVED,
           points=77.0),
    Attack("moves until there are none", "Calls a check's own players until their list of moves ends in an error, so that a "
           "wrong interval is not seen.", TO_THE_END, ps="ps4_puct", base=SOLVED, points=85.0),
)
