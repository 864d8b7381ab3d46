"""The visible checks: a student runs them, and reads what to look at when an answer is not right yet.

    @check("2.5", "backpropagate")
    def check_2_5():
        "a win at the leaf is a loss one ply up"
        ...
        expect(root.total_value, -1.0, what="total_value of the root", position="...", think="...")

In a notebook the check runs as its cell runs. In a module it is only registered: `arena check`, `pytest` and
`run_all()` run it.
"""

import ast
import linecache
import math
import random
import sys
import sysconfig
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from numbers import Integral, Real
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FrameType
from typing import Any

from arena.time_limit import OutOfTime, time_limit

Check = Callable[[], None]
PASSED, NOT_YET, NOT_WRITTEN = "passed", "NOT YET", "NOT WRITTEN"
FORM_ONLY = "form only"  # the check cannot know the answer: it has looked at the form alone
LONGEST_S = 20.0  # CPU seconds for one check; the slowest check needs about one
JOINT = "joint"

_HERE = (str(Path(__file__).parent), *{sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})
_CHECKS: dict[str, "Visible"] = {}


class CheckFailed(AssertionError):
    """A check that did not pass. A notebook shows only its text."""

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


@dataclass(frozen=True)
class Visible:
    """A visible check that is registered; calling `verdict` runs it."""

    exercise: str
    title: str
    body: Check
    optional: bool = False
    form_only: bool = False

    def verdict(self, known: Mapping[str, str] | None = None) -> tuple[str, str]:
        """Return PASSED, FORM_ONLY, NOT_YET or NOT_WRITTEN, and the text that the student reads.

        known: the verdicts of other checks so far, by exercise; the checks of exercises that this one calls need not run again.
        """
        __tracebackhide__ = True  # pytest: our own frames in a traceback teach nothing
        verdict, text = self._alone()
        claim = (self.body.__doc__ or "").strip().split("\n")[0]
        named = f"{self.exercise} {self.title}   {verdict}"
        if verdict == NOT_YET:
            called = [f"    {other.exercise} {other.title} is not yet right, and is called here: look there first\n"
                      for other in self._wrong_below(dict(known or {}))]
            return verdict, f"{named}   {claim}\n{''.join(called)}{text}"
        return verdict, f"{named}   {claim if verdict == FORM_ONLY else text}".rstrip()

    def _alone(self) -> tuple[str, str]:
        """Run the check; return its verdict, and what there is to say of it."""
        __tracebackhide__ = True
        try:
            with time_limit(LONGEST_S):
                self.body()
        except _Unmet as unmet:
            return NOT_YET, str(unmet)
        except OutOfTime as late:
            asked = f"    Not finished after {LONGEST_S:g} s: does your loop move on?"
            position = _block(_position(late, self.body), "", "", "")
            return NOT_YET, "\n".join(filter(None, (asked, _place(late, self.body), position)))
        except NotImplementedError as stub:
            return NOT_WRITTEN, str(stub)
        except (Exception, SystemExit) as error:
            return NOT_YET, _where(error, self.body)
        return (FORM_ONLY if self.form_only else PASSED), ""

    def _wrong_below(self, known: dict[str, str]) -> list["Visible"]:
        """Return the checks of the exercises called here that are not right, without those that only call a wrong one."""
        wrong: dict[str, Visible] = {}
        for id in _called(self.exercise):
            other = _CHECKS.get(id)
            if other is None or wrong.keys() & set(_called(id)):
                continue
            if id not in known:
                with redirect_stdout(StringIO()):
                    known[id], _ = other._alone()
            if known[id] == NOT_YET:
                wrong[id] = other
        return list(wrong.values())


# The question for each exception, by the name of its class or of a base class.
_ASKED = {
    "IllegalMove": "is this action legal in this state, and does the game go on there?",
    "IndexError": "how long is the list or array in this line, and which index is asked for?",
    "KeyError": "which key is asked for here, and which keys exist by now?",
    "AttributeError": "what is this object here: the one that you expect, or None?",
    "TypeError": "what is each value in this line: a number, a list, None? And how many arguments does each call take?",
    "NameError": "which line or cell gives this name its value, and has it run before this line?",
    "ArithmeticError": "which number is 0 or very large here, and what should come out then?",
    "RecursionError": "what ends the recursion, and does every call come nearer to it?",
    "SystemExit": "what ends the program here, and how could it go on instead?",
    "Exception": "with which values does this line run, and what should it do with them?",
}


class _Unmet(AssertionError):
    """A failed `expect`: the lines below the verdict. The check adds its own name and property later."""


def check(exercise: str, title: str, optional: bool = False, form_only: bool = False) -> Callable[[Check], Check]:
    """Make a function without arguments the visible check of an exercise.

    Args:
        optional: the exercise need not be written, and is not counted among those to do.
        form_only: the check sees whether the answer has the right form, not whether it is right: such an exercise is never done
            here.

    The first line of its docstring is the property that the student reads. A call of the check prints one
    line if the check passes.

    Raises (when the check runs):
        CheckFailed: with the block that the student reads; its verdict is NOT YET, or NOT WRITTEN for a stub.
    """
    def register(body: Check) -> Check:
        visible = _CHECKS[exercise] = Visible(exercise, title, body, optional, form_only)

        def run() -> None:
            __tracebackhide__ = True
            verdict, text = visible.verdict()
            for sentence in _not_in_grading(exercise) if in_notebook() else ():
                print(sentence)
            if verdict not in (PASSED, FORM_ONLY):
                raise CheckFailed(text)
            print(text)

        run.__name__, run.__doc__, run.__module__ = body.__name__, body.__doc__, body.__module__
        if in_notebook():
            run()
        return run

    return register


def registered() -> list[Visible]:
    """Return every check that is registered, in order."""
    return list(_CHECKS.values())


def forget() -> None:
    """Remove all registered checks: the checks of another problem set follow."""
    _CHECKS.clear()


def run_all() -> int:
    """Run every check that is registered, print every verdict, and return how many did not pass."""
    verdicts: dict[str, str] = {}
    for visible in registered():
        verdicts[visible.exercise], text = visible.verdict(verdicts)
        print(text)
    print(summary(verdicts))
    return failures(verdicts)


def failures(verdicts: Mapping[str, str]) -> int:
    """Return how many of these checks failed; an optional exercise that is not written is none of them."""
    return sum(verdict not in (PASSED, FORM_ONLY) and not (verdict == NOT_WRITTEN and is_optional(exercise))
               for exercise, verdict in verdicts.items())


def is_optional(exercise: str) -> bool:
    """Say whether the check of this exercise is registered as optional."""
    return exercise in _CHECKS and _CHECKS[exercise].optional


def summary(verdicts: Mapping[str, str]) -> str:
    """Return a sentence with the number of exercises done.

    Args:
        verdicts: by exercise. The joint check does not count, and an optional exercise is named apart when it is done. An
            exercise whose check cannot judge is not done, and is named too.
    """
    own = {exercise: verdict for exercise, verdict in verdicts.items() if exercise != JOINT and not is_optional(exercise)}
    done = sum(verdict == PASSED for verdict in own.values())
    form = [exercise for exercise, verdict in own.items() if verdict == FORM_ONLY]
    beside = ", ".join(exercise for exercise, verdict in verdicts.items() if is_optional(exercise) and verdict == PASSED)
    line = f"{done} of {len(own)} exercises done" + (f", and the optional {beside}" if beside else "")
    line += f"; of {', '.join(form)} only the form can be checked here" if form else ""
    if not own and JOINT not in verdicts:
        return f"the optional {beside} is done" if beside else "the optional exercise is not done yet"
    if set(verdicts.values()) == {NOT_WRITTEN}:
        return f"{line}: right for a fresh start"
    if done + len(form) == len(own) and verdicts.get(JOINT, PASSED) != PASSED:
        return f"{line}; everything together does not work yet"
    return line


def expect(got: object, wanted: object, *, what: str, position: str = "", think: str = "",
           tolerance: float = 1e-6) -> None:
    """Fail the check unless `got` equals `wanted`; every number in it may differ by `tolerance`, absolute or relative.

    Args:
        what: the words for `got` in a sentence, such as "total_value of the root".
        position: what was tried, in words or as a board.
        think: one question that helps the student to go on.
    """
    if not _same(got, wanted, tolerance):
        yours, wanted_text = _show(got), _show(wanted)
        if yours == wanted_text:  # the two numbers differ only in late digits
            yours, wanted_text = repr(got), repr(wanted)
        if got is None:
            yours += "  (does the function return its result?)"
        raise _Unmet(_block(position, f"{what} == {wanted_text}", yours, think))


def expect_true(holds: object, *, what: str, yours: object = None, position: str = "", think: str = "") -> None:
    """Fail the check unless `holds`; `what` says what must hold, and `yours` is the value to show on failure."""
    if not holds:
        raise _Unmet(_block(position, what, "" if yours is None else _show(yours), think))


def expect_integers(values: Iterable[object], *, what: str, position: str = "",
                    think: str = "is it counted in int? 2.0 and True are not ints") -> None:
    """Fail the check unless each value is an integer: grading reads counts as such, and `expect` takes 2.0 for 2."""
    others = [value for value in values if not isinstance(value, Integral) or isinstance(value, bool)]
    expect_true(not others, what=f"{what}: integers", yours=others, position=position, think=think)


def expect_error(error: type[Exception], call: Callable[[], object], *, what: str, position: str = "", think: str = "") -> None:
    """Fail the check unless `call()` raises `error`; `what` names the call, such as "expand at a finished game"."""
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


def expect_even(draws: Sequence[object], choices: Sequence[object], *, what: str, position: str = "", think: str = "") -> None:
    """Fail the check unless `draws` hold each of `choices` about equally often, and nothing else.

    "About" is within five standard deviations: even draws are outside less than once in a million.
    """
    counts = [sum(_same(draw, choice, 0.0) for draw in draws) for choice in choices]
    chance = 1 / len(choices)
    margin = 5 * math.sqrt(len(draws) * chance * (1 - chance))
    others = len(draws) - sum(counts)
    even = not others and all(abs(count - chance * len(draws)) <= margin for count in counts)
    yours = dict(zip(map(str, choices), counts, strict=True)) | ({"others": others} if others else {})
    expect_true(even, what=f"{what}: each of {_show(list(choices))}, about {chance * len(draws):.0f} times of {len(draws)}",
                yours=yours, position=position, think=think)


def expect_by_rng(draw: Callable[[random.Random], object], *, what: str, position: str = "",
                  think: str = "is the rng that was given the only source of chance?") -> None:
    """Fail the check unless `draw(rng)` gives equal results for equal seeds, and not one result for all of 20 seeds."""
    first, again = ([draw(random.Random(seed)) for seed in range(20)] for _ in range(2))
    expect(again, first, what=f"{what}, with 20 seeds once more", position=position, think=think)
    expect_true(any(not _same(draw, first[0], 0.0) for draw in first), what=f"{what}: not the same with each of 20 seeds",
                yours=first[0], position=position, think=think)


def _called(exercise: str) -> tuple[str, ...]:
    """Return the exercises that run when the check of this one runs; () where the set's facts are not there, as in grading."""
    try:
        from arena.set_facts import facts_of, set_of
    except ImportError:
        return ()
    numbered = exercise if exercise != JOINT else next(iter(_CHECKS), "")
    facts = facts_of(set_of(numbered))
    return facts.calls.get(exercise, ()) if facts else ()


def _not_in_grading(exercise: str) -> list[str]:
    """Return a sentence for each import in the notebook so far that this exercise uses and grading does not have."""
    from arena.imports import of_exercise

    return of_exercise(exercise, sys.modules["IPython"].get_ipython().user_ns.get("In", ()))


def in_notebook() -> bool:
    """Return whether IPython runs this code, as in a notebook."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and ipython.get_ipython() is not None


def _where(error: BaseException, body: Check) -> str:
    """Name the student's error and its place, and ask the question for such an error; no line of ours, and no traceback."""
    question = next(_ASKED[kind.__name__] for kind in type(error).__mro__ if kind.__name__ in _ASKED)
    raised, place = f"    Your code raised {type(error).__name__}: {error}", _place(error, body)
    return "\n".join(filter(None, (raised, place, _block(_position(error, body), "", "", question))))


def _place(error: BaseException, body: Check) -> str:
    """Return the last line of the student's code that led to an error, else the line of the check that called this code."""
    check_code, called, theirs = _with_inner(body.__code__), "", ""
    for frame, number in walk_tb(error.__traceback__):
        code = frame.f_code
        line = linecache.getline(code.co_filename, number).strip()
        if code in check_code:
            called = f"    The check called it like this: {line}"
        elif not code.co_filename.startswith(_HERE):
            theirs = f"    in {code.co_name}, line {number}: {line}"
    return theirs or called


def _position(error: BaseException, body: Check) -> str:
    """Return the `position` of the expectation in which the student's code was called; "" if the check has none there.

    Python calls the student's function before `expect`, which then never learns the position; the check's own line still has it.
    """
    check_code, position = _with_inner(body.__code__), ""
    for frame, line in walk_tb(error.__traceback__):
        if frame.f_code in check_code:
            position = _position_at(frame, line) or position
    return position


def _position_at(frame: FrameType, line: int) -> str:
    """Evaluate the argument `position` of the innermost call around a line of a check."""
    try:
        module = ast.parse("".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals)))
        around = [keyword.value for call in ast.walk(module) if isinstance(call, ast.Call)
                  and call.lineno <= line <= (call.end_lineno or call.lineno)
                  for keyword in call.keywords if keyword.arg == "position"]
        expression = compile(ast.Expression(around[-1]), "<position>", "eval")  # walked from the outside in
        with time_limit(LONGEST_S):
            return str(eval(expression, {**frame.f_globals, **frame.f_locals}))
    except (Exception, OutOfTime):  # no source, no position, or one that needs the answer that never came, or never ends
        return ""


def _with_inner(code: CodeType) -> set[CodeType]:
    """Return the code of a function and of the functions written inside it."""
    return {code}.union(*(_with_inner(inner) for inner in code.co_consts if isinstance(inner, CodeType)))


def _block(position: str, expected: str, yours: str, think: str) -> str:
    """Lay out the position, the expected and the actual result, and one question; a label without text is left out."""
    labelled = [("Position:", position), ("Expected:", expected), ("Yours:", yours), ("Think about:", think)]
    indent = "\n" + " " * 14
    return "\n".join(f"    {label:<9} {text.strip().replace(chr(10), indent)}" for label, text in labelled if text)


def _show(value: object) -> str:
    text = repr(value)
    if isinstance(value, float):  # always show the sign: it is wrong most often
        text = f"{'+' if value > 0 else ''}{round(float(value), 6)}"
    return text if len(text) <= 300 else text[:300] + " ..."


def _same(got: Any, wanted: Any, tolerance: float) -> bool:
    """Compare number by number: floats up to `tolerance`; nan equals nothing; a tuple or an array may stand for a list."""
    got, wanted = (value.tolist() if hasattr(value, "tolist") else value for value in (got, wanted))  # arrays and tensors
    if isinstance(wanted, Real) and isinstance(got, Real):
        return bool(got == wanted) or math.isclose(got, wanted, rel_tol=tolerance, abs_tol=tolerance)
    if isinstance(wanted, Mapping) and isinstance(got, Mapping):
        return got.keys() == wanted.keys() and all(_same(got[key], wanted[key], tolerance) for key in wanted)
    if isinstance(wanted, Sequence) and isinstance(got, Sequence) and not isinstance(wanted, str):
        return len(got) == len(wanted) and all(map(_same, got, wanted, [tolerance] * len(wanted)))
    try:
        return bool(got == wanted)
    except Exception:  # an array, for example, is neither equal nor different
        return False
