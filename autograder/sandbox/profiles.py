"""The contents of the sandbox for each problem set: the parts of arena, the packages, and the memory."""

from autograder.sandbox.wall import Wall

_NUMPY = Wall()
_TORCH = Wall(packages=("numpy", "torch"), memory_mib=4096)
_WALLS = {
    # its students write the games themselves, so that ours are not inside
    "ps1_games": Wall(arena=("__init__.py", "check.py", "own_check.py", "time_limit.py")),
    "ps4_puct": _TORCH,
    "ps5_alphazero": _TORCH,
}


def wall_of(problem_set: str) -> Wall:
    """Return the wall of a problem set; by default it has games, visible checks and numpy."""
    return _WALLS.get(problem_set, _NUMPY)
