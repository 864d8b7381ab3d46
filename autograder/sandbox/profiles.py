"""The contents of the sandbox for each problem set: the parts of arena, the packages, and the memory."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SandboxProfile:
    """The contents of a sandbox, and the limits of a worker.

    `arena` names the parts of arena that a problem set may import; `packages` are imported ahead by the zygote.
    """

    arena: tuple[str, ...] = ("__init__.py", "check.py", "own_check.py", "time_limit.py", "games", "show")
    packages: tuple[str, ...] = ("numpy",)
    memory_mib: int = 1024
    processes: int = 16


_NUMPY = SandboxProfile()
_TORCH = SandboxProfile(packages=("numpy", "torch"), memory_mib=4096)
_PROFILES = {
    # its students write the games themselves, so that ours are not inside
    "ps1_games": SandboxProfile(arena=("__init__.py", "check.py", "own_check.py", "time_limit.py")),
    "ps4_puct": _TORCH,
    "ps5_alphazero": _TORCH,
}


def profile_of(problem_set: str) -> SandboxProfile:
    """Return the profile of a problem set; by default it has games, visible checks and numpy."""
    return _PROFILES.get(problem_set, _NUMPY)
