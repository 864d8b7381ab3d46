"""A short fuzzing run of the protocol's decoder; docs/fuzzing.md describes the long runs."""

import random
import struct
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.sandbox import codec
from autograder.sandbox.codec import HandleId, encode
from tests.fuzz.protocol_inputs import ODD_VALUES, examine, mutated, spans

MESSAGES = [encode(message) for message in (
    (3, "ok", [1.0, -2, "x", None, True]),
    (7, "callback", [0, [HandleId(4), (1, 2)], {(0, 1): 0.5, "a": [], 3: {}}]),
    (1, "error", {"name": "ValueError", "line": 12, "message": "é", "of": [2**100, -(2**64)]}),
    (2, "ok", [np.ones((2, 6, 7), "<f4"), np.float64(0.25), np.zeros((0, 3), "?")]),
)]


@pytest.mark.usefixtures("computing")
@given(st.sampled_from(MESSAGES), st.integers(0, 2**32))
@settings(deadline=None, max_examples=400)
def test_a_message_with_changed_values_and_counts_is_a_value_or_a_protocol_error_and_costs_no_more_than_promised(message, seed):
    examine(mutated(message, random.Random(seed)))


@given(st.binary(max_size=64))
@settings(deadline=None, max_examples=400)
def test_so_are_random_bytes(data):
    examine(data)


@pytest.mark.parametrize("odd", ODD_VALUES)
def test_so_is_every_odd_value_alone_and_within_a_message(odd):
    examine(odd)
    examine(b"l\2\0\0\0" + odd + odd)


# As many of one thing as fit, and the effect of each of its bytes.
COSTLY = {
    "truth values as arrays": b"a\0\0\1",
    "numbers as arrays": b"a\1\0\5",
    "arrays of eight sides": b"a\0\x08" + b"\1\0\0\0" * 8 + b"\1",
    "empty lists": b"l\0\0\0\0",
    "empty dicts": b"d\0\0\0\0",
    "small dicts": b"d\1\0\0\0s\0\0\0\0N",
    "handles": b"h\xff\xff\1\0",
    "texts": b"s\2\0\0\0ab",
}


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("item", COSTLY.values(), ids=COSTLY.keys())
def test_many_of_what_costs_most_stay_within_what_is_promised(item):
    assert examine(b"l" + struct.pack("<I", 4_000) + item * 4_000)


def test_a_text_whose_letters_take_four_bytes_each_stays_within_it_too():
    assert examine(encode("a" * 200_000 + "\U0001f600"))


def test_every_value_of_a_message_is_found_for_changing():
    for message in MESSAGES:
        pieces = [message[start:end] for start, end in spans(message)]
        assert pieces[-1] == message and len(pieces) > 5
        assert all(encode(codec.decode(piece, HandleId)) == piece for piece in pieces)


def _hungry(data: bytes, from_handle: Callable) -> bytes:
    return bytes(2**20)


def _careless(data: bytes, from_handle: Callable) -> object:
    return [None, 1, 2][data[0]]


@pytest.mark.parametrize("decoder, fault", [(_hungry, AssertionError), (_careless, IndexError)])
def test_a_decoder_that_takes_too_much_or_raises_what_it_likes_is_noticed(monkeypatch, decoder, fault):
    monkeypatch.setattr(codec, "decode", decoder)
    with pytest.raises(fault):
        examine(b"l\0\0\0\0")
