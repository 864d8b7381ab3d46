"""The weights that were handed in beside a submission of ps5; `arena.weights_file` reads the file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from arena.weights_file import NAME, WeightsError, check_size, parse
from autograder.submission.payload import Item, read_item


@dataclass(frozen=True, eq=False)
class Weights:
    """A network's arrays by their names; all numbers are finite. `sha256` is the hash of the file."""

    arrays: dict[str, np.ndarray]
    sha256: str


def read_weights(folder: Path) -> Weights | None:
    """Return the weights in a submission's folder; see `weights_of`."""
    return weights_of(read_item(folder, NAME))


def weights_of(item: Item | None) -> Weights | None:
    """Return the weights in a file of a submission; None without a file.

    Raises:
        WeightsError: the file is too large, or it is not an archive of numbers.
    """
    if item is None:
        return None
    check_size(max(len(item.content), item.size))
    if item.kind != "file":
        raise WeightsError(f"{NAME} is not a regular file that can be read; hand in the file itself")
    return Weights(parse(item.content), hashlib.sha256(item.content).hexdigest())
