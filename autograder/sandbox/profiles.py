"""The contents of the sandbox for each problem set: the parts of arena, the packages, and the memory."""

from dataclasses import dataclass

from autograder.problem_sets.facts import Facts

GAMES = ("games", "show")  # the parts of arena that hold the games


@dataclass(frozen=True)
class SandboxProfile:
    """The contents of a sandbox, and the limits of a worker.

    `arena` names the parts of arena that a problem set may import; `packages` are imported ahead by the zygote.
    """

    arena: tuple[str, ...] = ("__init__.py", "check.py", "own_check.py", "time_limit.py", "games", "show")
    packages: tuple[str, ...] = ("numpy",)
    memory_mib: int = 1024
    processes: int = 16


def profile_of(facts: Facts) -> SandboxProfile:
    """Return the profile for a problem set's facts: visible checks, numpy, and what the facts name."""
    arena = SandboxProfile.arena if facts.games else tuple(part for part in SandboxProfile.arena if part not in GAMES)
    return SandboxProfile(arena, (*SandboxProfile.packages, *facts.packages), facts.memory_mib)
