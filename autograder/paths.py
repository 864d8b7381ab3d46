"""Where the repository lies: what only staff run is always run from a checkout."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
