"""The contents of the sandbox for each problem set: the parts of arena, the packages, and the memory."""

from dataclasses import dataclass

from autograder.problem_sets.facts import Facts


@dataclass(frozen=True)
class SandboxProfile:
    """The contents of a sandbox, and the limits of a worker.

    `arena` names the parts of arena that a problem set may import; `packages` are imported ahead by the zygote.
    """

    arena: tuple[str, ...] = ("__init__.py", *Facts().arena)
    packages: tuple[str, ...] = Facts().imports
    memory_mib: int = 1024
    processes: int = 16


def profile_of(facts: Facts) -> SandboxProfile:
    """Return the profile for a problem set's facts: visible checks, numpy, and what the facts name."""
    return SandboxProfile(("__init__.py", *facts.arena), facts.imports, facts.memory_mib)
