"""A course whose history is drawn: hand-ins, marks by hand, due dates, extensions, decisions of staff, in two sets.

`DrawnCourse.happen` draws what happens between two runs, `run` does what a run does after the grading, with reports made by
hand. `mark` and its neighbours say what must come out of it, by plain sums over what was drawn, and ask none of our code.
"""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import nbformat
from nbgrader.api import Gradebook

from autograder.course.class_report import write_class_report
from autograder.course.feedback import feedback
from autograder.course.storage.report_store import ReportStore
from autograder.course.summary import Summary
from autograder.gradebook.course import prepare
from autograder.gradebook.extension import extend
from autograder.gradebook.marks.final_marks import FinalMarks, MarkChange, forget_mark_changes, write_final
from autograder.gradebook.marks.read_marks import read_marks
from autograder.gradebook.recording.record import record
from autograder.gradebook.tables import write_grades
from autograder.grading.config import Settings
from autograder.grading.dropped_exercises import decided, read_dropped, write_dropped
from autograder.grading.excused_checks import read_excused, write_excused
from autograder.grading.report import Check, ExerciseReport, Outcome, Report
from autograder.problem_sets.source import load
from autograder.submission.payload import read_payload

SETS = ("ps1_games", "ps2_uct")
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
NOTE = "the notebook is broken"
PASSED, NOT_YET, NOT_WRITTEN, FAULT = Outcome.PASSED, Outcome.NOT_YET, Outcome.NOT_WRITTEN, Outcome.GRADER_FAULT


@dataclass
class Work:
    """What a student has handed in. lost: by exercise, the checks that fail; extra: the points of the optional exercise.

    points: by cell, what it was worth at the last run.
    """

    time: datetime | None
    answered: bool
    unread: bool
    lost: dict[str, frozenset[str]]
    outcomes: dict[str, Outcome]
    extra: float
    points: dict[str, float | None] = field(default_factory=dict)


@dataclass
class DrawnCourse:
    """The facts, by set and student; a date is in UTC. by_hand: by cell, the score and the extra credit."""

    folder: Path
    rng: Random
    students: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)  # neither in the roster nor in submitted/ any more
    due: dict[str, datetime | None] = field(default_factory=lambda: dict.fromkeys(SETS))
    from_formgrader: dict[str, datetime | None] = field(default_factory=lambda: dict.fromkeys(SETS))
    late: tuple[float, float, float, float] | None = None  # grace_minutes, percent_per_day, most_percent, last_day
    counts: dict[str, float] = field(default_factory=dict)
    hours: dict[tuple[str, str], float] = field(default_factory=dict)
    excused: dict[str, set[str]] = field(default_factory=lambda: {ps: set() for ps in SETS})
    dropped: dict[str, set[str]] = field(default_factory=lambda: {ps: set() for ps in SETS})
    work: dict[tuple[str, str], Work] = field(default_factory=dict)
    by_hand: dict[tuple[str, str], dict[str, tuple[float | None, float | None]]] = field(default_factory=dict)
    recorded: dict[tuple[str, str], Work] = field(default_factory=dict)  # as it was at the last recording
    without: dict[tuple[str, str], set[str]] = field(default_factory=dict)  # the cells that were dropped at the last recording
    marks: FinalMarks = field(default_factory=FinalMarks)
    changes: list[MarkChange] = field(default_factory=list)

    # ---- what happens

    def begin(self) -> None:
        self.students = [f"s{number}" for number in range(self.rng.randint(2, 4))]
        if self.rng.random() < 0.7:
            self.late = self.rng.choice([(0, 10, 100, 0), (30, 25, 60, 0), (0, 50, 100, 1), (0, 0, 100, 2)])
        if self.rng.random() < 0.5:
            self.counts = {self.rng.choice(SETS): 40.0}
        self.dates()

    def happen(self) -> None:
        """Draw a few events."""
        events = [*[self.hand_in] * 3, *[self.enter_marks] * 2, *[self.drop] * 2,
                  self.dates, self.later, self.excuse, self.bring_back, self.leave]
        for event in self.rng.sample(events, 4):
            event()

    def dates(self) -> None:
        """Due dates long ago, a day ago, tomorrow, or none; in course.toml, or by formgrader where it has none."""
        lines = [f"[course]\nsets = {list(SETS)}\ntimezone = 'UTC'"]
        drawn = {ps: self.rng.choice([None, *(NOW + timedelta(days=days) for days in (-60, -1, 1))]) for ps in SETS}
        lines += ["[due]", *(f"{ps} = {due:%Y-%m-%dT%H:%M:%S}" for ps, due in drawn.items() if due)]
        if self.late:
            names = ("grace_minutes", "percent_per_day", "most_percent", "last_day")
            lines += ["[late]", *(f"{name} = {value}" for name, value in zip(names, self.late, strict=True))]
        if self.counts:
            lines += ["[points]", *(f"{ps} = {points:g}" for ps, points in self.counts.items())]
        (self.folder / "course.toml").write_text("\n".join(lines) + "\n")
        for ps in SETS:
            prepare(self.folder, ps)
            if drawn[ps] is None and self.rng.random() < 0.3:
                self.from_formgrader[ps] = NOW + timedelta(days=self.rng.choice([-3, 3]))
                with self.gradebook() as gradebook:
                    gradebook.find_assignment(ps).duedate = self.from_formgrader[ps].replace(tzinfo=None)
                    gradebook.db.commit()
            if drawn[ps]:
                self.from_formgrader[ps] = None
            self.due[ps] = drawn[ps] or self.from_formgrader[ps]  # a date from formgrader stays
        self.roster()

    def roster(self) -> None:
        (self.folder / "roster.csv").write_text("id\n" + "".join(f"{name}\n" for name in self.students if name not in self.gone))

    def hand_in(self) -> None:
        """One student or all of them hand in one set, sometimes something that cannot be read."""
        ps = self.rng.choice(SETS)
        for student in self.rng.choice([self.students, self.students[:1], self.students[1:]]):
            if student not in self.gone:
                self._hand_in(ps, student)

    def _hand_in(self, ps: str, student: str) -> None:
        rng, outcomes, lost = self.rng, {}, {}
        unread, never = rng.random() < 0.1, rng.random()
        for id in self.required(ps):
            outcome = NOT_WRITTEN if unread else rng.choices([PASSED, NOT_YET, NOT_WRITTEN, FAULT], [6, 3, 1, 0.3])[0]
            outcomes[id] = outcome
            if outcome == NOT_YET:
                lost[id] = frozenset(rng.choice([[f"test_{id}_a"], [f"test_{id}_b"], [f"test_{id}_a", f"test_{id}_b"]]))
        around = self.due[ps] or NOW - timedelta(days=2)
        time = None if never < 0.2 else min(NOW, around) + timedelta(hours=rng.choice([-30, -1, 0.25, 5, 30, 70]))
        extra = 0.0 if unread else rng.choice([0.0, 1.5, 5.0])
        work = Work(time, rng.random() < 0.5 and not unread, unread, lost, outcomes, extra)
        folder = self.folder / "submitted" / student / ps
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        notebook = nbformat.read(self.folder / "release" / ps / f"{ps}.ipynb", as_version=4)
        answer = self.answer(ps)
        for cell in notebook.cells:
            if cell.metadata.get("nbgrader", {}).get("grade_id") == answer and work.answered:
                cell.source = "The same words every time."
        text = NOTE if unread else nbformat.writes(notebook)
        (folder / f"{ps}.ipynb").write_text(text)
        if time:
            (folder / "timestamp.txt").write_text(f"{time:%Y-%m-%d %H:%M:%S} UTC")
        self.work[ps, student] = work

    def enter_marks(self) -> None:
        """A person enters scores, for answers and for exercises, takes some back, and gives extra credit."""
        for (ps, student) in sorted(self.recorded):
            for cell in self.rng.sample([self.answer(ps), *self.cells(ps).values()], self.rng.randint(0, 2)):
                score = self.rng.choice([None, 0.0, 1.0, 2.5, 5.0])
                extra = self.rng.choice([None, None, None, 1.0])
                with self.gradebook() as gradebook:
                    grade = gradebook.find_grade(cell, ps, ps, student)
                    grade.manual_score, grade.extra_credit = score, extra
                    grade.needs_manual_grade = score is None and grade.auto_score is None  # as formgrader does
                    gradebook.db.commit()
                self.by_hand.setdefault((ps, student), {})[cell] = (score, extra)

    def later(self) -> None:
        """One student has more time, or no longer more time."""
        ps, student = self.rng.choice(SETS), self.rng.choice(self.students)
        self.hours[ps, student] = self.rng.choice([0.0, 6.0, 72.0])
        extend(self.folder, ps, {student: self.hours[ps, student]})

    def excuse(self) -> None:
        ps = self.rng.choice(SETS)
        check = f"test_{self.rng.choice(self.required(ps))}_{self.rng.choice('ab')}"
        write_excused(self.folder, ps, check, "wrong")
        self.excused[ps].add(check)

    def drop(self) -> None:
        ps = self.rng.choice(SETS)
        id = self.rng.choice(list(self.cells(ps)))
        write_dropped(self.folder, ps, id, "not taught")
        self.dropped[ps].add(id)

    def bring_back(self) -> None:
        for ps, dropped in self.dropped.items():
            for id in sorted(dropped)[:1]:
                write_dropped(self.folder, ps, id, "it was taught", undo=True)
                dropped.remove(id)

    def leave(self) -> None:
        """A student leaves the course: out of the roster and of submitted/. Of each set somebody's work stays."""
        student = self.rng.choice(self.students)
        if all(set(self.there(ps)) - {student} for ps in SETS if self.there(ps)) and len(self.gone) + 1 < len(self.students):
            self.gone.add(student)
            shutil.rmtree(self.folder / "submitted" / student, ignore_errors=True)
            self.work = {key: work for key, work in self.work.items() if key[1] != student}
            self.roster()

    # ---- what a run does

    def run(self) -> None:
        for ps in SETS:
            prepare(self.folder, ps)
            store = ReportStore(self.folder, ps)
            settings = Settings(b"", excused=read_excused(self.folder, ps), dropped=read_dropped(self.folder, ps))
            reports = {}
            for student in self.there(ps):
                reports[student] = decided(self.report(ps, student), settings)
                store.put(student, reports[student], {})
                self.work[ps, student].points = self.now_worth(ps, student)
                self.recorded[ps, student] = self.work[ps, student]
                self.without[ps, student] = self.out(ps)
            for student in self.gone:
                for cell in self.without.get((ps, student), set()) - self.out(ps):
                    self.recorded[ps, student].points[cell] = None  # nobody knows what it was worth
            if not reports:
                continue
            changes = record(self.folder, ps, [(student, None, report) for student, report in reports.items()])
            write_grades(self.folder, reports)
            with self.gradebook() as gradebook:
                self.marks = read_marks(self.folder, gradebook, NOW)
            self.changes += write_final(self.folder, self.marks)
            forget_mark_changes(self.folder)
            feedback(self.folder, ps)
            write_class_report(Summary(self.folder, ps, reports, changes=changes, to_mark=self.marks.to_mark(ps)))

    def gradebook(self) -> Gradebook:
        return Gradebook(f"sqlite:///{self.folder}/gradebook.db", self.folder.name)

    def report(self, ps: str, student: str) -> Report:
        """The report of a grading, before any decision of staff."""
        work, folder, exercises = self.work[ps, student], self.folder / "submitted" / student / ps, []
        for exercise in load(ps).exercises:
            if exercise.extra:
                outcome = PASSED if work.extra == exercise.points else NOT_YET if work.extra else NOT_WRITTEN
                most = float(exercise.points)
                exercises.append(ExerciseReport(exercise.id, exercise.title, outcome, work.extra, most, (), extra=True))
        worth = self.worth(ps)
        for id in self.required(ps):
            outcome, lost = work.outcomes[id], work.lost.get(id, ())
            kept = PASSED if outcome == NOT_YET else outcome
            checks = tuple(Check(name, f"the property {name}", NOT_YET if name in lost else kept)
                           for name in (f"test_{id}_a", f"test_{id}_b"))
            points = None if outcome == FAULT else worth[id] if outcome == PASSED else 0.0
            exercises.append(ExerciseReport(id, id, outcome, points, worth[id], checks))
        form, note = ("none", NOTE) if work.unread else ("notebook", "")
        return Report(ps, form, read_payload(folder, ps).sha256, 0.0, 100.0, note, ()).with_exercises(exercises)

    # ---- what must come out

    def there(self, ps: str) -> list[str]:
        return sorted(student for name, student in self.work if name == ps and student not in self.gone)

    def required(self, ps: str) -> list[str]:
        return [*(exercise.id for exercise in load(ps).exercises if not exercise.extra), "joint"]

    def worth(self, ps: str) -> dict[str, float]:
        points = {exercise.id: float(exercise.points) for exercise in load(ps).exercises if not exercise.extra}
        return points | {"joint": float(load(ps).joint_points)}

    def cells(self, ps: str) -> dict[str, str]:
        """The cells of all exercises, by id."""
        return {id: load(ps).grade_id(id) for id in (*(exercise.id for exercise in load(ps).exercises), "joint")}

    def answer(self, ps: str) -> str:
        return next(load(ps).grade_id(cell.id) for cell in load(ps).cells if cell.role == "answer")

    def now_worth(self, ps: str, student: str) -> dict[str, float | None]:
        """The automatic points of each cell, without a look at what is dropped; None: undecided, or to be marked by hand."""
        work, cells, points = self.work[ps, student], self.cells(ps), {}
        for id in self.required(ps):
            passes = work.outcomes[id] == PASSED or work.outcomes[id] == NOT_YET and work.lost[id] <= self.excused[ps]
            points[cells[id]] = None if work.outcomes[id] == FAULT else self.worth(ps)[id] if passes else 0.0
        extra = next(exercise for exercise in load(ps).exercises if exercise.extra)
        return points | {cells[extra.id]: work.extra, self.answer(ps): None if work.answered else 0.0}

    def out(self, ps: str) -> set[str]:
        """The cells that do not count."""
        return {self.cells(ps)[id] for id in self.dropped[ps]}

    def most(self, ps: str) -> float:
        """The largest number of points of a set; a free answer has 5."""
        return 5.0 + sum(points for id, points in self.worth(ps).items() if id not in self.dropped[ps])

    def score(self, ps: str, student: str) -> tuple[float, float]:
        """The automatic points, and the score with those by hand."""
        automatic, whole, by_hand = 0.0, 0.0, self.by_hand.get((ps, student), {})
        for cell, points in self.recorded[ps, student].points.items():
            if cell not in self.out(ps):
                score, extra = by_hand.get(cell, (None, None))
                automatic += points or 0.0
                counts = points if score is None else score
                whole += 0.0 if counts is None else counts + (extra or 0.0)
        return automatic, whole

    def closes(self, ps: str, student: str) -> datetime | None:
        due = self.due[ps]
        return due and due + timedelta(hours=self.hours.get((ps, student), 0.0))

    def penalty(self, ps: str, student: str) -> float:
        closes, time, (_, score) = self.closes(ps, student), self.recorded[ps, student].time, self.score(ps, student)
        if not (self.late and closes and time) or time <= closes + timedelta(minutes=self.late[0]):
            return 0.0
        late = (time - closes) / timedelta(days=1)
        if self.late[3] and late > self.late[3]:
            return score
        return score * min(-(-late // 1) * self.late[1], self.late[2]) / 100

    def mark(self, ps: str, student: str) -> float | None:
        """The mark that must come out; None where there is none yet, or the set is nobody's yet."""
        if (ps, student) in self.recorded:
            return max(0.0, self.score(ps, student)[1] - self.penalty(ps, student))
        return None if self.is_open(ps, student) else 0.0

    def is_open(self, ps: str, student: str) -> bool:
        closes = self.closes(ps, student)
        return closes is not None and closes > NOW

    def sets(self) -> list[str]:
        """The sets that somebody has handed in."""
        return [ps for ps in SETS if any(name == ps for name, _ in self.recorded)]

    def total(self, student: str) -> tuple[float, float]:
        """The total, and the largest one that this student can have."""
        closed = [ps for ps in self.sets() if not self.is_open(ps, student)]
        scale = {ps: self.counts[ps] / self.most(ps) if ps in self.counts else 1.0 for ps in closed}
        return (sum((self.mark(ps, student) or 0.0) * scale[ps] for ps in closed),
                sum(self.counts.get(ps, self.most(ps)) for ps in closed))

    def people(self) -> list[str]:
        return [name for name in self.students if name not in self.gone or any(who == name for _, who in self.recorded)]


def as_numbers(cells: Iterable[str]) -> list[float | None]:
    """The cells of a table as numbers; None where one is empty."""
    return [None if cell == "" else float(cell) for cell in cells]
