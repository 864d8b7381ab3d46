"""Weights that are close to each other: copies are found in their disguises, and independent networks are not reported."""

import csv
from pathlib import Path

import numpy as np
import pytest

from autograder.course.challenge.near_weights import look_at_weights
from autograder.course.roster import Entry
from autograder.similarity.coded_weights import Orders, shares
from autograder.similarity.weights import NEAR, distance, nearest, shipped_nets

Arrays = dict[str, np.ndarray]


def net(seed: int, channels: int = 32) -> Arrays:
    rng = np.random.default_rng(seed)
    shapes = {"conv1.weight": (channels, 2, 3, 3), "conv2.weight": (channels, channels, 3, 3),
              "hidden.weight": (64, 42 * channels), "hidden.bias": (64,), "policy_head.weight": (7, 64)}
    arrays = {name: rng.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes.items()}
    arrays["hidden.weight"][40:] *= 1e-4  # units that training has left at nearly 0
    return arrays


def noisy(arrays: Arrays, share: float) -> Arrays:
    rng = np.random.default_rng(99)
    return {name: array + share * array.std() * rng.normal(size=array.shape) for name, array in arrays.items()}


def scaled(arrays: Arrays) -> Arrays:
    rng = np.random.default_rng(98)
    return {name: array * rng.uniform(0.1, 9, (len(array),) + (1,) * (array.ndim - 1)) for name, array in arrays.items()}


def renamed(arrays: Arrays) -> Arrays:
    return {f"layer{number}": array for number, array in enumerate(reversed(arrays.values()))}


def inside(arrays: Arrays) -> Arrays:
    return arrays | {"more.weight": np.random.default_rng(97).normal(size=(300, 300))}


@pytest.mark.parametrize("disguise", [dict, scaled, renamed, inside, lambda arrays: noisy(arrays, 0.2),
                                      lambda arrays: renamed(scaled(noisy(arrays, 0.1)))])
def test_a_copy_is_near_in_every_disguise(disguise) -> None:
    assert distance(net(1), disguise(net(1))) == distance(disguise(net(1)), net(1)) < 0.03


@pytest.mark.parametrize("share, low, high", [(0.01, 0, 0.001), (0.2, 0.01, 0.03), (0.5, 0.07, 0.14), (2.0, 0.4, 0.7)])
def test_noise_moves_a_copy_away_little_by_little(share: float, low: float, high: float) -> None:
    assert low <= distance(net(1), noisy(net(1), share)) <= high


# -- the same numbers in another order or coding ----------------------------------------------------------


def flat(arrays: Arrays) -> np.ndarray:
    return np.concatenate([array.ravel() for array in arrays.values()])


def integers(numbers: np.ndarray, kind: type) -> np.ndarray:
    return np.round(numbers / np.abs(numbers).max() * np.iinfo(kind).max).astype(kind)


def last_axis_first(arrays: Arrays) -> Arrays:
    return {name: np.moveaxis(array, 0, -1) for name, array in arrays.items()}


def units_shuffled(arrays: Arrays) -> Arrays:
    rng = np.random.default_rng(96)
    return {name: array[rng.permutation(len(array))] for name, array in arrays.items()}


CODINGS = {
    "flattened": lambda arrays: {"x": flat(arrays)},
    "flattened in Fortran's order": lambda arrays: {"x": flat({name: array.T for name, array in arrays.items()})},
    "transposed": lambda arrays: {name: array.T for name, array in arrays.items()},
    "the output axis last": last_axis_first,
    "height, width, input, output": lambda arrays: {
        n: a.transpose(2, 3, 1, 0) if a.ndim == 4 else a.T for n, a in arrays.items()},
    "cut": lambda arrays: {f"x{number}": part for number, part in enumerate(np.array_split(flat(arrays), 200))},
    "in another shape": lambda arrays: {"x": flat(arrays)[:86_016].reshape(256, 336)},
    "backwards, negative, scaled and moved": lambda arrays: {"x": 7 - 3 * flat(arrays)[::-1]},
    "each row scaled, then flattened": lambda arrays: {"x": flat(scaled(arrays))},
    "float16": lambda arrays: {"x": flat(arrays).astype(np.float16)},
    "int16": lambda arrays: {"x": integers(flat(arrays), np.int16)},
    "int8": lambda arrays: {"x": integers(flat(arrays), np.int8)},
    "uint8 with an offset": lambda arrays: {"x": (integers(flat(arrays), np.int8).astype(int) + 128).astype(np.uint8)},
    "bytes": lambda arrays: {"x": np.frombuffer(flat(arrays).astype(np.float32).tobytes(), np.uint8)},
    "the bits of floats": lambda arrays: {"x": flat(arrays).astype(np.float32).view(np.int32)},
    "with a little noise": lambda arrays: {"x": flat(noisy(arrays, 0.02))},
    "inside another": lambda arrays: {"x": np.concatenate([np.random.default_rng(95).normal(size=200_000), flat(arrays)])},
    "units in another order": units_shuffled,
}


@pytest.mark.first_shows
@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("coding", CODINGS.values(), ids=CODINGS)
def test_the_numbers_of_another_are_found_in_every_coding(coding) -> None:
    people = {"ada": net(1), "bela": coding(net(1)), "carl": net(2), "dora": {"x": flat(net(3))}}
    table = {row.student: row for row in nearest(people, {})}
    assert (table["ada"].other, table["bela"].other) == ("bela", "ada")
    assert {name for name, row in table.items() if row.near} == {"ada", "bela"}


@pytest.mark.usefixtures("computing")
def test_a_shipped_network_is_found_in_another_coding() -> None:
    shipped = shipped_nets()
    (row,) = nearest({"ada": {"x": integers(flat(shipped["connect_four"]), np.int16)}}, shipped)
    assert (row.other, row.near, row.coded) == ("shipped: connect_four", True, True) and row.distance < 0.05


@pytest.mark.first_shows
@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("array", [
    np.zeros(50_000), np.arange(50_000.0), np.tile(np.arange(20.0), 3_000), np.sin(np.arange(50_000.0)),
    np.random.default_rng(1).integers(0, 2, 50_000), np.eye(200),
], ids=["zeros", "a line", "periods", "a wave", "bits", "the unit matrix"])
def test_numbers_without_a_look_of_their_own_accuse_nobody(array: np.ndarray) -> None:
    beside = {"ada": net(1) | {"more": array}, "bela": net(2) | {"more": array}}
    people = beside | {"carl": {"x": array}, "dora": {"y": 2 * array + 1}}
    assert not any(row.coded for row in nearest(people, {}))


@pytest.mark.usefixtures("repetition")
def test_networks_of_their_own_have_nothing_in_common_however_they_are_read() -> None:
    orders = [Orders(net(seed)) for seed in range(40)] + [Orders(arrays) for arrays in shipped_nets().values()]
    assert list(shares(orders)) == []
    assert list(shares([orders[0], Orders(net(0))]))  # the control


def test_networks_of_their_own_are_far_apart() -> None:
    assert all(distance(net(1), net(seed)) > 0.9 for seed in range(2, 6))
    assert distance(net(1), net(1, channels=16)) > 0.9
    assert distance(net(1), {}) == distance({}, {}) == 1.0
    assert distance({"bias": np.ones(200)}, {"bias": np.ones(200)}) == 1.0  # one row of numbers shows nothing


def test_a_network_without_length_is_like_nobody() -> None:
    nothing = {"w": np.zeros((20, 20))}
    assert distance(nothing, nothing) == distance(nothing, {"w": np.ones((20, 20))}) == 1.0


@pytest.mark.usefixtures("computing")
def test_each_is_told_with_its_nearest_and_the_nearest_first() -> None:
    table = nearest({"ada": net(1), "bela": net(2), "chidi": noisy(net(1), 0.01), "dana": net(3)}, {"lesson": net(3)})
    assert [(row.student, row.other) for row in table[:3]] == [("dana", "shipped: lesson"), ("ada", "chidi"), ("chidi", "ada")]
    assert [row.near for row in table] == [True, True, True, False] and table[3].distance > NEAR


@pytest.mark.usefixtures("computing")
def test_a_copy_of_a_shipped_network_is_found() -> None:
    shipped = shipped_nets()
    assert {"othello6_policy", "othello6_value"} <= shipped.keys()
    table = nearest({"ada": scaled(shipped["othello6_policy"]), "bela": net(1)}, shipped)
    assert (table[0].student, table[0].other, table[0].near) == ("ada", "shipped: othello6_policy", True)
    assert not table[1].near


def entry(course: Path, student: str, arrays: Arrays | bytes | None) -> Entry:
    folder = course / "submitted" / student / "ps5_alphazero"
    folder.mkdir(parents=True)
    if isinstance(arrays, bytes):
        (folder / "weights.npz").write_bytes(arrays)
    elif arrays is not None:
        np.savez(folder / "weights.npz", **arrays)
    return Entry(student, folder)


@pytest.mark.usefixtures("computing")
def test_the_instructor_gets_a_table_and_a_sentence(tmp_path: Path) -> None:
    people = {"ada": net(1), "bela": scaled(net(1)), "chidi": net(4), "dana": None, "=emeka": b"\x80 pickled"}
    remarks = look_at_weights(tmp_path, tuple(entry(tmp_path, *person) for person in people.items()))
    assert [remark.split(":")[0] for remark in remarks] == ["'=emeka'", "the weights.npz of 'ada' is near that of 'bela'"]
    with (tmp_path / "weights.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["student"] + row["nearest"] + row["remark"] for row in rows[:2]] == ["adabelanear", "belaadanear"]
    assert rows[2]["student"] == "chidi" and float(rows[2]["distance"]) > 0.9 and rows[2]["remark"] == ""


def test_where_nobody_brought_weights_nothing_is_written(tmp_path: Path) -> None:
    assert look_at_weights(tmp_path, (entry(tmp_path, "ada", None),)) == []
    assert not (tmp_path / "weights.csv").exists()


# -- numbers of any size ------------------------------------------------------------------------------

TINIEST = {np.float16: 6e-8, np.float32: 1e-45, np.float64: 5e-324}
KINDS = (np.float16, np.float32, np.float64)


def odd(kind: type, value: float) -> Arrays:
    """A network of which one array has only this number, with changing signs."""
    signs = np.random.default_rng(5).choice([-1, 1], (20, 30))
    ordinary = np.random.default_rng(6).normal(size=(30, 20))
    return {"w": (signs * np.full((20, 30), value, kind)).astype(kind), "v": ordinary.astype(kind)}


def size_of(kind: type, what: str) -> float:
    return {"huge": float(np.finfo(kind).max), "tiny": TINIEST[kind], "least": float(np.finfo(kind).tiny), "nothing": 0.0}[what]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", ["huge", "tiny", "least", "nothing"])
def test_weights_of_any_size_are_compared_and_accuse_nobody(kind: type, what: str) -> None:
    """1.7e308 once made every distance nan, shown as 0.000: then the whole class looked copied"""
    weights = odd(kind, size_of(kind, what))
    own = {"w": np.random.default_rng(7).normal(size=(20, 30)), "v": np.random.default_rng(8).normal(size=(30, 20))}
    assert 0.4 < distance(weights, own) <= 1 and distance(weights, own) == distance(own, weights)
    assert distance(weights, weights) == pytest.approx(0 if what != "nothing" else 0.5, abs=1e-6)
    assert distance(scaled(own), own) == pytest.approx(0, abs=1e-6)


@pytest.mark.filterwarnings("error")
def test_rows_of_very_different_sizes_make_no_likeness() -> None:
    """lengths that become 0 while products do not would make an infinite likeness"""
    def rows(*sizes: float) -> Arrays:
        signs = np.random.default_rng(hash(sizes) % 1000).normal(size=(len(sizes), 60))
        return {"w": signs * np.array(sizes)[:, None]}

    for power in (-40, -80, -120, -160, -162, -200, -300, -320):
        tiny = 10.0**power
        for first, second in (((1, tiny), (tiny, 1)), ((1, tiny, 1), (tiny, 1e8, tiny)), ((tiny,) * 3, (1, tiny, 1e300))):
            assert 0.5 < distance(rows(*first), rows(*second)) <= 1


@pytest.mark.first_shows
@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_cannot_be_compared_and_is_in_no_pair(kind: type, value: float) -> None:
    weights = odd(kind, 1.0)
    weights["w"][3, 4] = value
    assert distance(weights, odd(kind, 1.0)) is None and distance(odd(kind, 1.0), weights) is None
    assert distance(weights, weights) is None
    table = nearest({"ada": weights, "bela": net(1), "chidi": net(2)}, {"lesson": net(3), "broken": weights})
    assert {row.student for row in table} == {"bela", "chidi"}
    assert {row.other for row in table} <= {"bela", "chidi", "shipped: lesson"}


@pytest.mark.usefixtures("repetition")
def test_in_a_class_with_huge_weights_nobody_is_accused_and_no_nan_is_written(tmp_path: Path) -> None:
    huge = {name: np.full(array.shape, 1.7e308) for name, array in net(1).items()}
    people = {"ada": net(1), "bela": net(2), "mallory": huge, "nan": {"w": np.full((20, 20), np.nan)}}
    remarks = look_at_weights(tmp_path, tuple(entry(tmp_path, *person) for person in people.items()))
    assert len(remarks) == 1 and remarks[0].startswith("'nan': weights.npz: w holds nan or infinity")
    written = (tmp_path / "weights.csv").read_text()
    assert "nan" not in written and "near,\n" not in written and "0.000" not in written
    assert sorted(row.split(",")[0] for row in written.splitlines()[1:]) == ["ada", "bela", "mallory"]
