"""The protocol: values that go in come out unchanged, and nothing else ever comes out."""

import marshal
import math
import struct
from collections import namedtuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.sandbox import codec
from autograder.sandbox.codec import HandleId, ProtocolError, Special, decode, encode, packed

often = settings(deadline=None, max_examples=150)

small_ints = st.integers(-(2**60), 2**60)
keys = st.recursive(small_ints | st.text(max_size=8) | st.booleans(), lambda inner: st.tuples(inner, inner), max_leaves=4)
plain = st.none() | st.booleans() | st.integers(-(2**127), 2**127) | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=5) | st.tuples(inner, inner) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=30,
)
arrays = st.sampled_from(list(codec.DTYPES)).flatmap(
    lambda name: st.lists(st.integers(0, 3), max_size=4).map(lambda shape: np.ones(shape, name))
)


def same(a: object, b: object) -> bool:
    """Equal, and of the same types on all levels (True is not 1, a tuple is not a list)."""
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return len(a) == len(b) and all(map(same, a, b)) and all(map(same, a.values(), b.values()))
    return a == b


@pytest.mark.usefixtures("computing")
@often
@given(values)
def test_a_value_comes_back_as_it_was(value):
    assert same(decode(encode(value)), value)


@often
@given(arrays)
def test_an_array_comes_back_as_it_was(array):
    back = decode(encode(array))
    assert (back.dtype, back.shape) == (array.dtype, array.shape) and (back == array).all()


def test_numpy_numbers_stay_numpy_numbers_and_nan_stays_nan():
    for name in codec.DTYPES:
        back = decode(encode(np.dtype(name).type(1)))
        assert back.dtype == np.dtype(name) and back == 1
    assert math.isnan(decode(encode(math.nan))) and decode(encode(-math.inf)) == -math.inf
    assert math.copysign(1, decode(encode(-0.0))) == -1


@often
@given(st.binary(max_size=200))
def test_random_bytes_are_a_value_or_a_protocol_error(data):
    try:
        decode(data, HandleId)
    except ProtocolError:
        pass


@pytest.mark.usefixtures("computing")
@often
@given(values, st.data())
def test_a_mutated_frame_is_a_value_or_a_protocol_error(value, data):
    frame = bytearray(encode((1, "ok", value)))
    for _ in range(data.draw(st.integers(1, 4))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(frame)))
    for mutated in (frame, frame[:cut], frame + b"N"):
        try:
            decode(bytes(mutated), HandleId)
        except ProtocolError:
            pass


@often
@given(st.integers(0, 12), st.lists(st.sampled_from([0, 1, 2**16, 2**23, 2**31, 2**32 - 1]), max_size=9), st.binary(max_size=16))
def test_no_claim_about_an_array_is_believed(code, shape, data):
    claim = b"a" + bytes((code, len(shape))) + b"".join(struct.pack("<I", n) for n in shape) + data
    try:
        assert decode(claim).nbytes <= len(data)
    except ProtocolError:
        pass


def nested(depth: int) -> list:
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


def test_depth_is_capped_on_both_sides():
    assert decode(encode(nested(codec.MAX_DEPTH))) == nested(codec.MAX_DEPTH)
    with pytest.raises(ProtocolError):
        encode(nested(codec.MAX_DEPTH + 1))
    with pytest.raises(ProtocolError):
        decode(b"l\1\0\0\0" * 100_000 + b"N")
    endless: list = []
    endless.append(endless)
    with pytest.raises(ProtocolError):
        encode(endless)


def test_size_and_count_are_capped_on_both_sides():
    for large in ("x" * (codec.MAX_FRAME_BYTES + 1), [0] * (codec.MAX_ITEMS + 1), np.zeros(codec.MAX_FRAME_BYTES), 2**136):
        with pytest.raises(ProtocolError):
            encode(large)
    with pytest.raises(ProtocolError):
        decode(b"N" * (codec.MAX_FRAME_BYTES + 1))
    with pytest.raises(ProtocolError):
        decode(b"l" + struct.pack("<I", codec.MAX_ITEMS + 1) + b"N" * (codec.MAX_ITEMS + 1))
    half = codec.MAX_ITEMS // 2 + 1
    with pytest.raises(ProtocolError, match="too many items"):  # all lists together count
        decode(b"l" + struct.pack("<I", 2) + 2 * (b"l" + struct.pack("<I", half) + b"N" * half))
    with pytest.raises(ProtocolError):
        codec.frame_size(struct.pack("<I", codec.MAX_FRAME_BYTES + 1))


@pytest.mark.parametrize("tag", [b"l", b"t", b"d", b"s"])
def test_a_count_is_checked_before_anything_is_allocated(tag):
    with pytest.raises(ProtocolError, match="beyond the end"):
        decode(tag + b"\xff\xff\xff\xff")


@pytest.mark.parametrize("key", [None, 1.5, [1], {1: 1}, 2**70, (1, None), np.float64(1), np.ones(1, "<i4"), np.bool_(True)])
def test_a_key_is_an_int_a_str_or_a_tuple_of_them(key):
    frame = b"d\1\0\0\0" + encode(key) + b"N"
    with pytest.raises(ProtocolError, match="key"):
        decode(frame)


def test_a_numpy_integer_as_a_key_is_the_int_that_it_equals():
    back = decode(encode({np.int64(3): 1, (np.uint8(1), 2): 2}))
    assert [type(key) for key in back] == [int, tuple] and back == {3: 1, (1, 2): 2}


@pytest.mark.usefixtures("computing")
def test_keys_that_collide_are_refused_before_they_cost_anything():
    # hash(-1) == hash(-2), so all tuples of these two have one hash
    colliding = {tuple(-1 - (number >> bit & 1) for bit in range(12)): None for number in range(2**12)}
    assert len({hash(key) for key in colliding}) == 1
    with pytest.raises(ProtocolError, match="collide"):
        decode(b"d" + struct.pack("<I", len(colliding)) + b"".join(encode(key) + b"N" for key in colliding))
    honest = {(number, number + 1): 0.0 for number in range(20_000)}
    assert decode(encode(honest)) == honest


def test_what_stays_there_travels_as_a_number():
    thing = object()
    assert decode(encode([thing, thing], lambda value: 7 if value is thing else 0), HandleId) == [HandleId(7)] * 2
    for data in (b"h\1\0\0\0", encode(HandleId(1))):
        with pytest.raises(ProtocolError, match="handle"):
            decode(data)
    with pytest.raises(ProtocolError, match="object"):
        encode(object())


def test_a_request_of_the_graders_is_refused_by_the_grader():
    with pytest.raises(ProtocolError, match="wrong side"):
        decode(encode(Special("callback", 0)), HandleId)
    assert decode(encode(Special("function", "ucb")), special=lambda name, value: (name, value)) == ("function", "ucb")


def in_a_worker(data: bytes) -> object:
    return decode(data, special=lambda name, value: marshal.loads(value) if name == "plain" else None)


@pytest.mark.usefixtures("computing")
@often
@given(values)
def test_a_packed_value_arrives_as_it_was(value):
    packed_value = packed(value)
    assert (packed_value is None) == (type(value) not in (list, tuple, dict))
    if packed_value is not None:
        assert same(in_a_worker(encode(packed_value)), value) and same(in_a_worker(encode([1, packed_value])), [1, value])


@pytest.mark.parametrize("value", [[np.float64(1)], (np.ones(2),), {"a": [HandleId(1)]}, {HandleId(1): 2}, [(True, {1})],
                                   [b"x"], [[Special("function", "ucb")]], 1, "a", None, [namedtuple("P", "x")(1)]])
def test_what_is_not_plain_throughout_is_not_packed(value):
    assert packed(value) is None


def test_nothing_in_a_packed_value_is_the_same_object_twice():
    state, row = (1, "a state", 2.5), [1]  # else `is` would find in the sandbox what it does not find at home
    first, second = in_a_worker(encode(packed([state, state])))
    assert first is not second and first[1] is not second[1]
    first, second = in_a_worker(encode(packed([row, row])))
    assert first is not second


def test_a_packed_value_is_refused_by_the_grader_and_never_read_there(monkeypatch):
    monkeypatch.setattr(marshal, "loads", lambda data: pytest.fail("read"))
    for sent in (packed([1]), [packed((1, 2))], (7, "ok", packed({1: 2}))):
        with pytest.raises(ProtocolError, match="wrong side"):
            decode(encode(sent), HandleId)


def test_a_packed_value_fits_the_frame():
    with pytest.raises(ProtocolError, match="beyond the end"):
        in_a_worker(encode(packed([1]))[:-1])
    with pytest.raises(ProtocolError, match="too large"):
        encode(packed(["a" * codec.MAX_FRAME_BYTES]))


class Manners(int):
    """An int with its own methods for everything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __getattribute__(self, name: str) -> object:
        raise RuntimeError("looked at")


def test_subclasses_travel_as_the_plain_value_that_they_hold():
    class Loud(list):
        def __iter__(self):
            raise RuntimeError("asked")

        def __len__(self):
            return 10**9

    class Liar(dict):
        def items(self):
            return [(1, 2)] * 3

    assert decode(encode([Loud([1, 2]), Liar({3: 4})])) == [[1, 2], {3: 4}]
    with pytest.raises((RuntimeError, ProtocolError)):  # it runs where the student's code runs, and harms no other code
        encode(Manners(3))


def test_text_that_is_no_unicode_does_not_break_the_protocol():
    assert decode(encode("a\ud800b")) == "a?b"
