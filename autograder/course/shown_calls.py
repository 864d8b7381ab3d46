"""The conversation of one hidden check with a submission, as lines that read like Python, in the order of the calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from autograder.course.shown_values import ShownValues, plainly, position
from autograder.grading.hidden_checks.answer_types import Handle
from autograder.grading.submission_runner import OURS
from autograder.sandbox.codec import HandleId
from autograder.sandbox.errors import StudentError
from autograder.sandbox.session import Session

MOST_LINES = 120
MOST_NODES = 60  # of a tree
MOST_DEPTH = 6  # plies of a tree
MOST_ANSWERS = 40  # of the same call, one after another
MOST_ASKED = 12  # questions of the student's code shown in one request
_QUIET = ("compile", "load", "rebind")
TITLES = {OURS: "over our versions of the exercises it calls", "own": "over the student's own functions"}


class Call:
    """One call: its text, and what it gave. `asked`: what the student's code asked the check in the meantime.

    runs: it calls a function of the submission; otherwise it reads or writes an object.
    """

    def __init__(self, text: str, answer: str = "", runs: bool = False, objects: list[int] | None = None) -> None:
        self.text, self.answer, self.runs, self.failing = text, answer, runs, False
        self.objects = objects or []  # the numbers of the objects among its arguments
        self.asked: list[str] = []


class Attempt:
    """The calls of one check in one process, and the exception that ended the check there (None: it passed)."""

    def __init__(self, check: str, mode: str) -> None:
        self.check, self.mode, self.calls = check, mode, list[Call]()
        self.values: ShownValues | None = None
        self.objects = Objects()
        self.compared: list[tuple[str, Any, Any]] = []  # by pytest, after an assertion had failed
        self.error: BaseException | None = None
        self.many: list[Call] = []  # those of the latest request that made many calls

    def mark(self, place: int | None, of: int) -> None:
        """Mark the failing call: the one with this place among the latest many, if that many are kept; else the last one."""
        if place is not None and len(self.many) == of:
            self.many[place].failing = True
        elif self.calls:
            latest = next((call for call in reversed(self.calls) if call.runs), self.calls[-1])
            read = self.calls[-1].text.partition(".")[0].partition(":")[0]
            gave = (call for call in self.calls if call.runs and call.answer == read and _makes_a_result(call.text))
            (latest if self.calls[-1].runs else next(gave, latest)).failing = True  # a result whose field was read: its own call

    def place_of(self, given: Sequence[Any]) -> int | None:
        """Return the place, among the latest many calls, of the one with these arguments; None if there is no such call."""
        if self.values is None:
            return None
        wanted = f"({', '.join(map(self.values.text, given))})"
        return next((place for place, call in enumerate(self.many) if call.text.endswith(wanted)), None)

    def lines(self) -> list[str]:
        """Return the calls as lines, the failing one behind an arrow; many lines are cut in the middle, around that one."""
        alike = groupby(self.calls, key=lambda call: (call.text, call.runs))
        lines = [line for _, calls in alike for line in _lines_of(list(calls))]
        if len(lines) > MOST_LINES:
            half, at = MOST_LINES // 2, next((n for n, line in enumerate(lines) if line.startswith(">>")), len(lines) - 1)
            begin, tail = lines[:half], lines[max(half, at - half // 2) : at + half // 2]
            skipped, after = max(half, at - half // 2) - half, len(lines) - at - half // 2
            lines = [*begin, *([f"   ... {skipped} more lines ..."] if skipped else []), *tail]
            lines += [f"   ... {after} more lines"] if after > 0 else []
        games = self.values.descriptions() if self.values else []
        marked = next((call for call in self.calls if call.failing), None)
        tree = self.objects.tree(marked.objects) if marked else []
        title = ["", "The objects of the marked call, with the values that were last written or read:"] if tree else []
        return [*(f"   {line}" for line in games), *lines, *title, *(f"   {line}" for line in tree)]


def _makes_a_result(text: str) -> bool:
    """Say whether a call is one of a function of the lesson, and not of a class or of torch, which return what was there."""
    return text[0].islower() and not text.startswith(("torch.", "object "))


def _lines_of(calls: list[Call]) -> list[str]:
    """Return the lines of one call, or of the same call several times: then with all answers."""
    first, lead = calls[0], ">> " if any(call.failing for call in calls) else "   "
    answers = ", ".join(call.answer for call in calls[:MOST_ANSWERS])
    times = f"   ({len(calls)} times)" if len(calls) > 1 else ""
    more = f", ... {len(calls) - MOST_ANSWERS} more" if len(calls) > MOST_ANSWERS else ""
    return [f"{lead}{first.text}{f' -> {answers}{more}' if first.answer else ''}{times}",
            *(f"       {line}" for line in _few([line for call in calls for line in call.asked]))]


class Trace:
    """Records what checks send and what comes back; `SuiteRun` and `SubmissionRunner` call it."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []
        self.together = False  # whether the check is shown as it ran after the others of its exercise

    def begin(self, check: str, mode: str) -> None:
        """Begin a check; it may go on in the process of the one before, whose objects it may know."""
        attempt = Attempt(check, mode)
        if self.attempts:
            attempt.values, attempt.objects = self.attempts[-1].values, self.attempts[-1].objects
        self.attempts.append(attempt)

    def ended(self, error: BaseException | None) -> None:
        """Take the exception that ended the check in the present process; None if the check passed."""
        if self.attempts:
            self.attempts[-1].error = error

    def compare(self, operator: str, left: Any, right: Any) -> None:
        """Take two sides that a failed assertion compared; pytest calls this for its explanation."""
        if self.attempts:
            self.attempts[-1].compared.append((operator, left, right))

    def watch(self, session: Session) -> None:
        """Record every request of `session`, and what the student's code asks in the meantime."""
        shown = self.attempts[-1].values = ShownValues(session._callbacks)
        self.attempts[-1].objects = Objects()
        request, later, call_back, send = session.request, session.later, session._call_back, session._send
        asked: list[str] = []
        answering = False

        def traced_later(operation: str, *arguments: Any) -> None:
            _record(self.attempts[-1], shown, operation, arguments, None, [])
            later(operation, *arguments)

        def traced(operation: str, *arguments: Any) -> Any:
            asked.clear()
            try:
                answer = request(operation, *arguments)
            except StudentError as error:
                _record(self.attempts[-1], shown, operation, arguments, error, list(asked))
                raise
            _record(self.attempts[-1], shown, operation, arguments, answer, list(asked))
            return answer

        def traced_call_back(which: Any, arguments: list[Any]) -> None:
            nonlocal answering
            asked.append(_question(shown, which, arguments))
            answering = True
            try:
                call_back(which, arguments)
            finally:
                answering = False

        def traced_send(message: Any) -> None:
            if answering:
                asked[-1] += _reply(shown, message)
            send(message)

        session.request, session.later = traced, traced_later  # type: ignore[method-assign]  # of this one session
        session._call_back, session._send = traced_call_back, traced_send  # type: ignore[method-assign]


def _reply(shown: ShownValues, message: Any) -> str:
    """Return the check's reply to a question in words: " -> 3"."""
    kind, value = message if isinstance(message, tuple) and len(message) == 2 else ("error", message)
    return f" -> {shown.text(value)}" if kind == "return" else f" -> an error: {kind}"


def _few(asked: list[str]) -> list[str]:
    """Return what student code asked, the same question once with its number; the first MOST_ASKED of them."""
    times = [(line, len(list(same))) for line, same in groupby(asked)]
    lines = [f"{line}   ({number} times)" if number > 1 else line for line, number in times]
    return [*lines[:MOST_ASKED], *([f"... {len(lines) - MOST_ASKED} more questions"] if len(lines) > MOST_ASKED else [])]


def _question(shown: ShownValues, which: Any, arguments: list[Any]) -> str:
    """Return one question of the student's code in words."""
    if type(which) is not int or not 0 <= which < len(shown._callbacks):
        return "the code calls an unknown function"
    watched = shown.watched_by(which)
    if watched is not None and arguments:
        method, token, *rest = [*arguments, None][:3]
        state = watched._states.get(token) if type(token) is str else None
        what = "" if state is None else position(watched.game, state)
        move = f", {shown.text(rest[0])}" if rest and rest[0] is not None else ""
        return f"the code asks game.{method if type(method) is str else '?'}({what}{move})"
    return f"the code calls {shown.name_of(which)}({', '.join(map(shown.text, arguments))})"


def _record(attempt: Attempt, shown: ShownValues, operation: str, arguments: Any, answer: Any, asked: list[str]) -> None:
    """Add the calls of one request; `answer` is an exception if the code raised one."""
    if operation in _QUIET:
        return
    try:
        _add(attempt, shown, operation, arguments, answer, asked)
    except Exception as error:  # of whatever kind: an answer that cannot be shown must not change the verdict
        attempt.calls.append(Call(f"{operation}: this call cannot be shown ({type(error).__name__}: {error})"))


def _add(attempt: Attempt, shown: ShownValues, operation: str, arguments: Any, answer: Any, asked: list[str]) -> None:
    unpacked = [shown.unpacked(argument) for argument in arguments]
    shown.during(unpacked)
    calls = _calls(shown, operation, unpacked, answer)
    attempt.objects.learn(operation, unpacked, answer, calls)
    if operation == "link" and attempt.calls and attempt.calls[-1].answer == shown.text(unpacked[2]):
        attempt.calls[-1].answer += f", child {shown.text(unpacked[1])} of {shown.text(unpacked[0])}"
        return
    if operation == "get" and any(call.text == calls[0].text and call.answer == calls[0].answer for call in attempt.calls):
        return  # a check that follows a tree reads the same field again and again
    if calls:
        calls[-1].asked = asked
    attempt.calls += calls
    if operation == "many":
        attempt.many = calls


def _calls(shown: ShownValues, operation: str, arguments: list[Any], answer: Any) -> list[Call]:
    """Return the calls of one request: each with its text, its answer, and the numbers of the objects among its arguments."""
    text = shown.text
    raised = f"raises {type(answer).__name__}: {answer}" if isinstance(answer, StudentError) else ""
    if operation == "many":
        name, number, columns = arguments
        one_each = type(answer) is list and len(answer) == number
        rows = [[value[place] if how == "each" else value for how, value in columns] for place in range(number)]
        return [_run(shown, shown.called(name), row, {}, raised or text(answer[place] if one_each else answer))
                for place, row in enumerate(rows)]
    if operation in ("call", "call_and_keep"):
        name, args, named = arguments
        return [_run(shown, shown.called(name), args, named, raised or text(answer))]
    if operation == "method":
        owner, name, args, named = arguments
        call = _run(shown, f"{text(owner)}.{name}", args, named, raised or text(answer))
        call.objects.insert(0, _number(owner))
        return [call]
    if operation == "get":
        if isinstance(answer, Handle):
            shown.method(answer._id, f"{text(arguments[0])}.{arguments[1]}")
        return [Call(f"{text(arguments[0])}.{arguments[1]}", raised or text(answer))]
    if operation == "set":
        return [Call(f"{text(arguments[0])}.{arguments[1]} = {text(arguments[2])}")]
    if operation == "fields" and not raised and type(answer) is list:
        owners, names = arguments
        width = len(names)
        rows = [answer[place * width : (place + 1) * width] for place in range(len(owners))]
        return [Call(f"{text(owner)}: {', '.join(f'{name}={text(value)}' for name, value in zip(names, row, strict=False))}")
                for owner, row in zip(owners, rows, strict=True)]
    if operation == "plant" and not raised and type(answer) is list:
        return [Call(f"a tree of the submission's own nodes, root {text(answer[0])}")] if answer else []
    if operation == "link":
        parent, action, child = arguments
        return [Call(f"{text(parent)}.children[{text(action)}] = {text(child)}")]
    words = {
        "keep": "a value is kept there: {}", "read": "the value of {}", "state": "the weights of {}",
        "load_state": "weights are loaded: {}", "disturb": "the process's global generators are seeded: {}",
        "global_state": "digests of the global generators", "last_error": "the latest exception",
    }  # fmt: skip
    if operation == "read" and arguments == [None]:
        return []
    return [Call(words.get(operation, operation + " {}").format(", ".join(map(text, arguments))), raised or text(answer))]


def _run(shown: ShownValues, name: str, args: Any, named: Any, answer: str) -> Call:
    """Return the call of a function of the submission; its own game draws the states among its arguments."""
    shown.during([*args, *named.values()])
    objects = [_number(value) for value in [*args, *named.values()] if isinstance(value, (HandleId, Handle))]
    return Call(f"{name}({_given(shown, args, named)})", answer, runs=True, objects=objects)


def _given(shown: ShownValues, args: Any, named: Any) -> str:
    by_name = [f"{key}={shown.text(value)}" for key, value in named.items()]
    return ", ".join([*map(shown.text, args), *by_name])


def _number(value: Any) -> int:
    number: int = value.id if isinstance(value, HandleId) else value._id
    return number


@dataclass
class _Known:
    """What is known of an object: how it was made, where it hangs in a tree, and the latest values of its fields."""

    made: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    parent: int | None = None
    action: str = ""
    children: list[int] = field(default_factory=list)


class Objects:
    """The objects of one process in the sandbox, as far as the requests tell: a tree can be drawn from them."""

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}

    def learn(self, operation: str, arguments: list[Any], answer: Any, calls: list[Call]) -> None:
        """Take what one request tells about objects; `calls` are its texts."""
        shown = plainly
        if operation in ("call", "call_and_keep") and isinstance(answer, Handle):
            known = self._of(answer)
            known.made = known.made or calls[0].text  # a function may return an object that is there already
        elif operation == "plant" and type(answer) is list:
            _, spots, _, names = arguments
            for (parent, state, action, *values), node in zip(spots, answer, strict=False):
                known = self._of(node)
                known.made = f"state {shown(state)}"
                known.fields = {name: shown(value) for name, value in zip(names, values, strict=False)}
                if parent >= 0:
                    self._hang(answer[parent], shown(action), node)
        elif operation == "link":
            self._hang(arguments[0], shown(arguments[1]), arguments[2])
        elif operation == "set":
            self._of(arguments[0]).fields[arguments[1]] = shown(arguments[2])
        elif operation == "get" and arguments[1] not in ("children", "parent") and not isinstance(answer, StudentError):
            self._of(arguments[0]).fields[arguments[1]] = shown(answer)
        elif operation == "get" and arguments[1] == "children" and type(answer) is dict:
            for action, child in answer.items():
                if isinstance(child, Handle):
                    self._hang(arguments[0], shown(action), child)
        elif operation == "fields" and type(answer) is list:
            owners, names = arguments
            for place, owner in enumerate(owners):
                values = answer[place * len(names) : (place + 1) * len(names)]
                self._of(owner).fields |= {name: shown(value) for name, value in zip(names, values, strict=False)}

    def tree(self, numbers: list[int]) -> list[str]:
        """Return the trees that hold these objects, a line a node; none for objects of which nothing is known."""
        roots = list(dict.fromkeys(self._root(number) for number in numbers if number in self._known))
        lines = [line for root in roots for line in self._below(root, 0, set(numbers))]
        return lines[:MOST_NODES] + ([f"... {len(lines) - MOST_NODES} more nodes"] if len(lines) > MOST_NODES else [])

    def _of(self, value: Any) -> _Known:
        return self._known.setdefault(_number(value), _Known())

    def _hang(self, parent: Any, action: str, child: Any) -> None:
        known = self._of(child)
        known.parent, known.action = _number(parent), action
        if _number(child) not in self._of(parent).children:
            self._of(parent).children.append(_number(child))

    def _root(self, number: int) -> int:
        seen = {number}
        while (parent := self._known[number].parent) is not None and parent not in seen:
            seen.add(number := parent)
        return number

    def _below(self, number: int, depth: int, marked: set[int]) -> list[str]:
        known = self._known[number]
        fields = (f"{_SHORT.get(name, name)}={value}" for name, value in known.fields.items())
        parts = [f"action {known.action}" if known.action else "", known.made, *fields]
        given = "   <- given" if number in marked else ""
        own = f"{'  ' * depth}object {number}: {', '.join(part for part in parts if part)}{given}"
        children = known.children if depth <= MOST_DEPTH else []
        return [own, *(line for child in children for line in self._below(child, depth + 1, marked))]


_SHORT = {"num_visits": "N", "total_value": "W"}
