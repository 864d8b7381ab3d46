"""What stands inside the sandbox of each problem set: the parts of arena, the packages, and the memory."""

from autograder.sandbox.wall import Wall

_NUMPY = Wall()
_TORCH = Wall(packages=("numpy", "torch"), memory_mib=4096)
_WALLS = {
    # its students write the games themselves, so ours are not there
    "ps1_games": Wall(arena=("__init__.py", "check.py", "time_limit.py")),
    "ps4_puct": _TORCH,
    "ps5_alphazero": _TORCH,
}


def wall_of(problem_set: str) -> Wall:
    """Return the wall of a problem set; games, visible checks and numpy where nothing else is said."""
    return _WALLS.get(problem_set, _NUMPY)
