"""The place of the repository: staff always run this code from a checkout."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
