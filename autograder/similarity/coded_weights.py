"""Find weights with the numbers of another network in another order or coding: flattened, joined, cut, transposed, as integers.

A network is read as sequences of numbers: each array row by row, and also with its axes exchanged. Of RUN consecutive numbers
only their order by size counts. So nothing changes if numbers are scaled, moved by a constant, rounded to float16 or to
integers, negated or reversed, or if arrays are joined, cut or renamed. Two independent networks have hardly one order of 14
numbers in ten thousand in common, because there are 20 billion orders; copies have most of them in common. Integers are also
read as the bytes of floats.

Units in another order are found as well, if they are much longer than a run. Numbers that are shuffled one by one are not found,
nor is a copy with noise of more than a tenth of the weights' standard deviation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

RUN = 14
ONE_IN = 8  # one order in this many, chosen by its own number, represents all
FEWEST_SHARED = 10
Arrays = Mapping[str, np.ndarray]
_AT_ONCE = 1 << 16  # runs
_PLACES = RUN ** np.arange(RUN, dtype=np.int64)
_BYTES = {1: ("<f4", "<f2", "<f8", "<i2", "<i4"), 2: ("<f2",), 4: ("<f4",), 8: ("<f8", "<f4")}  # what integers may be bytes of
_EXCHANGED = {2: ((1, 0),), 3: ((2, 1, 0), (1, 0, 2), (0, 2, 1), (1, 2, 0), (2, 0, 1)),
              4: ((3, 2, 1, 0), (1, 0, 2, 3), (0, 1, 3, 2), (0, 2, 3, 1), (1, 2, 3, 0), (2, 3, 0, 1), (2, 3, 1, 0))}


class Orders:
    """The orders of a network's runs: `read` as they are in the file, `known` also with exchanged axes; both ascending."""

    def __init__(self, arrays: Arrays) -> None:
        sequences = [sequence for array in arrays.values() for sequence in _sequences(array)]
        exchanged = [array.transpose(axes) for array in arrays.values() for axes in _EXCHANGED.get(array.ndim, ())]
        self.read = _orders(sequences)
        self.known = np.union1d(self.read, _orders(array.ravel() for array in exchanged))


def shares(networks: Sequence[Orders]) -> Iterator[tuple[int, int, float]]:
    """Yield (number, number, share) of each pair of networks with orders in common; the lower number comes first.

    The share, in [0, 1], is the part of one network's orders that the other has too; the larger of the two such parts.
    """
    if not networks:
        return
    owners = np.repeat(np.arange(len(networks)), [len(network.known) for network in networks])
    orders = np.concatenate([network.known for network in networks])
    by_order = np.argsort(orders, kind="stable")
    orders, owners = orders[by_order], owners[by_order]
    by_pair: dict[tuple[int, int], float] = {}
    for number, network in enumerate(networks):
        begin, end = np.searchsorted(orders, network.read), np.searchsorted(orders, network.read, "right")
        lengths = end - begin
        at = np.repeat(begin - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths) + np.arange(lengths.sum())
        shared = np.bincount(owners[at], minlength=len(networks)) if len(network.read) else np.zeros(len(networks))
        for other in np.flatnonzero(shared >= FEWEST_SHARED):
            if other != number:
                pair = (min(number, int(other)), max(number, int(other)))
                by_pair[pair] = max(by_pair.get(pair, 0.0), float(shared[other] / len(network.read)))
    for (first, second), share in sorted(by_pair.items()):
        yield first, second, share


def _sequences(array: np.ndarray) -> Iterator[np.ndarray]:
    """Yield an array's numbers; for integers also the numbers whose bytes they may be."""
    if array.dtype.kind not in "fiu":
        return
    yield array.ravel()
    if array.dtype.kind in "iu":
        content = array.tobytes()
        for kind in _BYTES.get(array.itemsize, ()):
            if len(content) % np.dtype(kind).itemsize == 0:
                yield np.frombuffer(content, kind)


def _orders(sequences: Iterator[np.ndarray] | Sequence[np.ndarray]) -> np.ndarray:
    """Return the orders of all runs as numbers, ascending, each once: int64."""
    orders = [np.empty(0, np.int64)]
    for sequence in sequences:
        for begin in range(0, len(sequence) - RUN + 1, _AT_ONCE):
            with np.errstate(invalid="ignore"):  # bytes that are not numbers
                part = sequence[begin : begin + _AT_ONCE + RUN - 1].astype(np.float64)
            orders.append(_of_part(np.lib.stride_tricks.sliding_window_view(part, RUN)))
    return np.unique(np.concatenate(orders))


def _of_part(runs: np.ndarray) -> np.ndarray:
    """Return the orders of these runs, (n, RUN), without runs that have no order, and only one order in ONE_IN.

    Only runs with their largest or smallest number at an end count. This is a third of them, and the same third in every coding.
    """
    ends = runs[:, [0, -1]]
    runs = runs[((ends == runs.max(axis=1, keepdims=True)) | (ends == runs.min(axis=1, keepdims=True))).any(axis=1)]
    runs = runs[np.isfinite(runs).all(axis=1)]
    by_size = np.argsort(runs, axis=1)
    rising = np.take_along_axis(runs, by_size, axis=1)
    by_size = by_size[(rising[:, 1:] > rising[:, :-1]).all(axis=1)]  # equal numbers have no order
    ranks = np.argsort(by_size, axis=1)
    backward = ranks[:, ::-1]
    ways = [order @ _PLACES for order in (ranks, backward, RUN - 1 - ranks, RUN - 1 - backward)]
    numbers = np.minimum.reduce(ways)
    chosen: np.ndarray = numbers[numbers % 1_000_003 % ONE_IN == 0]
    return chosen
