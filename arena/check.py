"""The visible checks: what a student runs, and reads when an answer is not right yet.

    @check("2.5", "backpropagate")
    def check_2_5():
        "a win at the leaf is a loss one ply up"
        ...
        expect(root.total_value, -1.0, what="total_value of the root", position="...", think="...")

In a notebook the check runs as its cell runs. In a module it is only registered: `pytest` and `run_all()` run it.
"""

import linecache
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

Check = Callable[[], None]

_HERE = (str(Path(__file__).parent), *{sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})
_CHECKS: dict[str, Check] = {}


class CheckFailed(AssertionError):
    """A check that did not pass; in a notebook its text is all that is shown."""

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


class _Unmet(AssertionError):
    """What `expect` raises: the lines under the verdict, before the check adds its name and property."""


def check(exercise: str, title: str) -> Callable[[Callable[[], None]], Check]:
    """Make a function without arguments the visible check of an exercise.

    The first line of its docstring is the property that the student reads. Called, the check prints one
    line when it passes.

    Raises (when the check runs):
        CheckFailed: with the block that the student reads; its verdict is NOT YET, or NOT WRITTEN for a stub.
    """
    def register(body: Callable[[], None]) -> Check:
        def run() -> None:
            __tracebackhide__ = True  # pytest: the traceback is ours and teaches nothing
            if failure := _failure(body, exercise, title):
                raise CheckFailed(failure)
            print(f"{exercise} {title}   passed")

        run.__name__, run.__doc__, run.__module__ = body.__name__, body.__doc__, body.__module__
        _CHECKS[exercise] = run
        if _in_notebook():
            run()
        return run

    return register


def run_all() -> int:
    """Run every check that is registered, print every verdict, and return how many did not pass."""
    done = 0
    for run in _CHECKS.values():
        try:
            run()
            done += 1
        except CheckFailed as failed:
            print(failed)
    print(f"{done} of {len(_CHECKS)} exercises done")
    return len(_CHECKS) - done


def expect(got: object, wanted: object, *, what: str, position: str = "", think: str = "",
           tolerance: float = 1e-9) -> None:
    """Go on when `got` is `wanted`, up to `tolerance` for every number in it.

    Args:
        what: the words that stand for `got` in a sentence, such as "total_value of the root".
        position: what was tried, in words or as a board.
        think: one question that leads on.
    """
    if not _same(got, wanted, tolerance):
        yours, wanted_text = _show(got), _show(wanted)
        if yours == wanted_text:  # two numbers that differ late
            yours, wanted_text = repr(got), repr(wanted)
        if got is None:
            yours += "  (does the function return its result?)"
        raise _Unmet(_block(position, f"{what} == {wanted_text}", yours, think))


def expect_true(holds: object, *, what: str, yours: object = None, position: str = "", think: str = "") -> None:
    """Go on when `holds`; `what` says what must hold, and `yours` is the value to show when it does not."""
    if not holds:
        raise _Unmet(_block(position, what, "" if yours is None else _show(yours), think))


def expect_error(error: type[Exception], call: Callable[[], object], *, what: str, position: str = "",
                 think: str = "") -> None:
    """Go on when `call()` raises `error`; `what` names the call in words, such as "expand at a finished game"."""
    try:
        got = call()
    except error as raised:
        if isinstance(raised, NotImplementedError):
            raise
        return
    except NotImplementedError:
        raise
    except Exception as raised:
        yours = f"{type(raised).__name__}: {raised}"
    else:
        yours = f"no error; it returned {_show(got)}"
    raise _Unmet(_block(position, f"{what} raises {error.__name__}", yours, think))


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    return ipython is not None and ipython.get_ipython() is not None


def _failure(body: Callable[[], None], exercise: str, title: str) -> str:
    """Run a check and return what the student is to read; nothing when it passes."""
    __tracebackhide__ = True
    claim = (body.__doc__ or "").strip().split("\n")[0]
    not_yet = f"{exercise} {title}   NOT YET   {claim}\n"
    try:
        body()
    except _Unmet as unmet:
        return not_yet + str(unmet)
    except NotImplementedError as stub:
        return f"{exercise} {title}   NOT WRITTEN   {stub}".rstrip()
    except Exception as error:
        return not_yet + _where(error, body)
    return ""


def _where(error: Exception, body: FunctionType) -> str:
    """Name the student's error and the last line of theirs that led to it; no line of ours, and no traceback."""
    raised = f"    Your code raised {type(error).__name__}: {error}\n"
    check_code, called, theirs = _with_inner(body.__code__), "", ""
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        line = linecache.getline(code.co_filename, trace.tb_lineno).strip()
        if code in check_code:
            called = f"    The check called it like this: {line}"
        elif not code.co_filename.startswith(_HERE):
            theirs = f"    in {code.co_name}, line {trace.tb_lineno}: {line}"
        trace = trace.tb_next
    return raised + (theirs or called)


def _with_inner(code: CodeType) -> set[CodeType]:
    """Return the code of a function and of the functions written inside it."""
    return {code}.union(*(_with_inner(inner) for inner in code.co_consts if isinstance(inner, CodeType)))


def _block(position: str, expected: str, yours: str, think: str) -> str:
    """Lay out what was tried, what must hold, what came, and one question; a label without text is left out."""
    labelled = [("Position:", position), ("Expected:", expected), ("Yours:", yours), ("Think about:", think)]
    indent = "\n" + " " * 14
    return "\n".join(f"    {label:<9} {text.strip().replace(chr(10), indent)}" for label, text in labelled if text)


def _show(value: object) -> str:
    text = repr(value)
    if isinstance(value, float):  # the sign is what goes wrong most often: show it always
        text = f"{'+' if value > 0 else ''}{round(float(value), 6)}"
    return text if len(text) <= 300 else text[:300] + " ..."


def _same(got: Any, wanted: Any, tolerance: float) -> bool:
    """Compare number by number: floats up to `tolerance`, nan equal to nothing, a tuple as good as a list."""
    if isinstance(wanted, Real) and isinstance(got, Real):
        return bool(got == wanted or abs(got - wanted) <= tolerance)
    if isinstance(wanted, Mapping) and isinstance(got, Mapping):
        return got.keys() == wanted.keys() and all(_same(got[key], wanted[key], tolerance) for key in wanted)
    if isinstance(wanted, Sequence) and isinstance(got, Sequence) and not isinstance(wanted, str):
        return len(got) == len(wanted) and all(map(_same, got, wanted, [tolerance] * len(wanted)))
    try:
        return bool(got == wanted)
    except Exception:  # an array, say, that is neither equal nor different
        return False
