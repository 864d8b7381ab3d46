"""A table of int64 that compiled code accesses by address.

An array as an argument of a compiled function is seven arguments, and a recursive search passes them at every position.
With an address, the solver takes half the time. Nothing checks `place`, and the array must outlive the call.
"""

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_INT64 = ir.IntType(64)
Intrinsic = tuple[object, Callable[..., Any]]  # the signature, and the function that writes the code


@intrinsic
def _read(typing_context: object, address: types.Integer, place: types.Integer) -> Intrinsic:
    """Return entry number `place` of the table that begins at `address`."""
    return types.int64(types.int64, types.int64), lambda context, builder, signature, arguments: builder.load(
        _entry(builder, *arguments)
    )


@intrinsic
def _write(typing_context: object, address: types.Integer, place: types.Integer, value: types.Integer) -> Intrinsic:
    """Set entry number `place` of the table that begins at `address`."""

    def generate(context: Any, builder: ir.IRBuilder, signature: object, arguments: tuple[ir.Value, ...]) -> object:
        builder.store(arguments[2], _entry(builder, *arguments[:2]))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


# the types for compiled code
read = cast("Callable[[int, int], int]", _read)
write = cast("Callable[[int, int, int], None]", _write)


def _entry(builder: ir.IRBuilder, address: ir.Value, place: ir.Value) -> ir.Value:
    return builder.gep(builder.inttoptr(address, _INT64.as_pointer()), [place])
