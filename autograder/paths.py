"""The place of the repository: staff always run this code from a checkout."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]


def is_source(path: Path, repository: Path = REPOSITORY) -> bool:
    """Whether a path of the repository is a file of ours: nothing in a cache, and nothing hidden that a tool left behind."""
    parts = path.relative_to(repository).parts
    return path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in parts)
