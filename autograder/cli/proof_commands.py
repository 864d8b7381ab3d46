"""Commands that prove the grader, and that what is handed out holds no secret: verify, rotate, ..., leaks."""

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from arena.errors import UserError
from arena.near_miss import did_you_mean
from arena.progress import waiting
from autograder.cli.completion import attacks, courses, exercises, hand_ins
from autograder.cli.options import AnyPs


def verify(
    ps: AnyPs = None,
    edition: Annotated[str, typer.Option(metavar="TEXT", help="a secret that gives other hidden positions")] = "",
    exercise: Annotated[
        str | None, typer.Option(metavar="ID", help="only the answers to this exercise, such as 2.5", autocompletion=exercises)
    ] = None,
    editions: Annotated[int, typer.Option(min=1, help="grade the banks in this number of editions; each must pass")] = 1,
) -> None:
    """Prove the grading with the solution, the stub, wrong answers and right answers.

    Exit codes: 0 every answer gets what it must get, 1 one does not.

    Example: python -m autograder verify --ps ps2_uct --exercise 2.5
    """
    from autograder.problem_sets.source import check_known, load, names, released
    from autograder.selftest.verify.known_answers import verify_all

    if ps is not None:
        check_known(ps)
    chosen = [ps] if ps else names()
    known = [listed.id for name in chosen for listed in load(name).exercises]
    if exercise is not None and exercise not in known:
        raise UserError(f"no exercise of {', '.join(chosen)} is called {exercise!r}{did_you_mean(exercise, known)}")
    status = verify_all(chosen, edition, exercise, editions)
    ready = released()
    for name in chosen:
        if name not in ready:
            typer.echo(f"{name} is a draft; `make test` lists at its end what it still needs for a release")
    raise typer.Exit(status)


def rotate(
    seed: Annotated[str, typer.Option(metavar="TEXT", help="a name for the new edition, such as the year")],
    course: Annotated[
        Path | None,
        typer.Argument(help="a course to change; default: none, only the proof", show_default=False, autocompletion=courses),
    ] = None,
    ps: AnyPs = None,
    trees: Annotated[
        bool, typer.Option("--trees", help="with a course: new trees of find-the-bug too, in solutions/ and assignments/")
    ] = False,
) -> None:
    """Draw a new edition of the hidden positions and seeds, and prove that it is as strict as all others.

    The new edition has no seed in common with the present one, and no position of a real game with 14 stones or more. The
    banks are graded in it: each wrong answer must be caught, each right one must pass. Only then does the course get it. The
    trees of find-the-bug are in the lessons: hand out the sets after this, and not to a class that has the old ones.

    Exit codes: 0 the edition holds (and the course has it), 1 an answer is graded wrongly, and nothing was changed.

    Example: python -m autograder rotate courses/mcts --seed 2027
    """
    from autograder.course.roster import check_course
    from autograder.course.storage.lock import course_lock
    from autograder.course.storage.rotation import check_fresh, put_secret
    from autograder.gradebook.policy.course_file import read_course_file
    from autograder.grading.edition import course_secret, public_secret
    from autograder.log import log
    from autograder.problem_sets.source import check_known, names
    from autograder.selftest.verify.known_answers import verify_all

    if ps is not None:
        check_known(ps)
    if not seed.strip():
        raise UserError("--seed names the new edition: give a text that is not empty, such as 2027")
    if course is None:
        sets = [ps] if ps else names()
        raise typer.Exit(verify_all(sets, _apart(public_secret(), seed, sets)))
    check_course(course)
    check_fresh(course)
    with course_lock(course):
        sets = [ps] if ps else list(read_course_file(course).sets)
        secret = _apart(course_secret(course), seed, sets)
        if verify_all(sets, secret) or (trees and not _new_trees(secret)):
            raise typer.Exit(1)
        kept = put_secret(course, secret)
        log(course, "rotate", seed=seed, before=kept.name)
    typer.echo(f"{course} has the edition of {seed!r}; the secret of the one before is in {kept.name}")


def _new_trees(secret: str) -> bool:
    """Write the trees that follow from a secret, and say whether the banks hold with them; if not, the old ones are back.

    The secret cannot be found from the name of the trees' edition, nor their answers from a seed that is known.
    """
    from arena.files import write_atomic
    from autograder.course.storage.rotation import next_secret
    from autograder.problem_sets.bug_trees import FAMILIES, lesson
    from autograder.problem_sets.source import load

    command = [sys.executable, "-m", "autograder"]  # processes of their own: this one has read the old lessons
    before, proved = lesson.write_edition(next_secret(secret.encode(), "trees")), False
    try:
        for ps in FAMILIES:
            (exercise,) = (candidate.id for candidate in load(ps).exercises if lesson.FUNCTION in candidate.functions)
            subprocess.run([*command, "verify", "--ps", ps, "--exercise", exercise], check=True)
        proved = True
    except subprocess.CalledProcessError:
        typer.echo("a tree is graded wrongly; the lessons were put back")
    finally:
        if not proved:
            for path, text in before.items():
                write_atomic(path, text)
    if proved:
        subprocess.run([*command, "build"], check=True)
    return proved


def _apart(present: bytes, seed: str, sets: list[str]) -> str:
    """Return the first secret of this seed whose edition shares no position and no seed with the present one in these sets."""
    from autograder.course.storage.rotation import next_secret
    from autograder.selftest.drawn_inputs import FEWEST_STONES, drawn_inputs

    attempt, console = 0, Console(stderr=True)
    with waiting("positions and seeds of the present edition", console):
        there = {ps: drawn_inputs(present, ps) for ps in sets}  # once: the second time an edition returns fewer
    while True:
        secret = next_secret(present, seed, attempt)
        attempt += 1
        with waiting(f"positions and seeds of edition {attempt}", console):
            shared = {ps: drawn_inputs(secret.encode(), ps).shared(there[ps]) for ps in sets}
        many = ", ".join(f"{ps} {number} of {len(there[ps].seeds) + len(there[ps].positions)}" for ps, number in shared.items())
        typer.echo(f"edition {attempt} of {seed!r}: seeds and positions of {FEWEST_STONES} stones or more, shared with the "
                   f"present one: {many}")
        if not any(shared.values()):
            return secret


def mutants(
    ps: AnyPs = None,
    exercise: Annotated[
        str | None, typer.Option(metavar="ID", help="only the mutants of this exercise, such as 2.5", autocompletion=exercises)
    ] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="try at most this number of mutants of each set")] = None,
    seed: Annotated[int, typer.Option(help="the seed of the sample")] = 0,
    editions: Annotated[int, typer.Option(min=1, help="the number of editions in which each mutant is tried")] = 3,
    workers: Annotated[int | None, typer.Option(min=1, help="parallel processes; the result does not depend on it")] = None,
) -> None:
    """Put small mistakes into our solutions, one at a time, and list those that no hidden check finds.

    Exit codes: 0 all are found or recorded as equivalent, 1 one is not.

    Example: python -m autograder mutants --ps ps2_uct --exercise 2.5
    """
    from autograder.problem_sets.source import check_known, names
    from autograder.selftest.mutants.survivors import Run
    from autograder.workers.capacity import workers_that_fit

    if ps is not None:
        check_known(ps)
    run = Run(Console(), exercise, sample, seed, editions, workers or workers_that_fit())
    raise typer.Exit(run.over([ps] if ps else names()))


def width(
    ps: AnyPs = None,
    exercise: Annotated[
        str | None, typer.Option(metavar="ID", help="only this exercise, such as 2.5", autocompletion=exercises)
    ] = None,
) -> None:
    """List the branches of our solutions that no hidden check of their exercise runs, and the inputs that the checks give.

    Exit codes: 0 every branch is run or accepted with a reason, 1 one is not.

    Example: python -m autograder width --ps ps2_uct --exercise 2.5
    """
    from autograder.problem_sets.source import check_known, names
    from autograder.selftest.width.branches import Run

    if ps is not None:
        check_known(ps)
    raise typer.Exit(Run(Console(), exercise).over([ps] if ps else names()))


def repeat(
    ps: AnyPs = None,
    times: Annotated[int, typer.Option(min=1, help="the number of gradings of each solution")] = 200,
) -> None:
    """Find flaky checks: grade our solutions many times, with different hash seeds and editions, under load.

    Exit codes: 0 all reports are the same, 1 one differs.

    Example: python -m autograder repeat --ps ps2_uct --times 200
    """
    from autograder.problem_sets.source import check_known, names
    from autograder.progress import ProgressBar
    from autograder.selftest.repeat import PER_PROCESS
    from autograder.selftest.repeat import repeat as grade_repeatedly

    if ps is not None:
        check_known(ps)
    sound = True
    for name in [ps] if ps else names():
        bar = ProgressBar(Console())
        bar.start(f"{name}: processes that grade {PER_PROCESS} times", -(-times // PER_PROCESS))
        try:
            tally = grade_repeatedly(name, times, partial(bar.step, ""))
        finally:
            bar.end()
        for loss in tally.losses:
            typer.echo(f"  {loss}")
        typer.echo(tally.line())
        sound = sound and tally.sound
    raise typer.Exit(0 if sound else 1)


def attack(
    name: Annotated[
        str | None, typer.Argument(help="one attack, or one family", show_default=False, autocompletion=attacks)
    ] = None,
    stock: Annotated[bool, typer.Option(help="if all attacks run: run the fitting ones on stock nbgrader too")] = True,
    around: Annotated[bool, typer.Option(help="see that no file of the repository changes; change none yourself")] = True,
    room: Annotated[Path | None, typer.Option(help="the working folder; default: build/attack")] = None,
) -> None:
    """Grade a class of attackers and honest students, and check that no attack has an effect.

    Exit codes: 0 no attack has an effect, 1 one has, or stock nbgrader graded nothing, 2 the watch noticed nothing of a drill.

    Example: python -m autograder attack values
    """
    from autograder.selftest.attack.class_of_attacks import ROOM, AttackRun
    from autograder.selftest.attack.class_of_attacks import attack as let_loose

    raise typer.Exit(let_loose(name, AttackRun(room or ROOM, around, stock and name is None)))


def broken(
    name: Annotated[
        str | None, typer.Argument(help="one hand-in, or one file of the bank", show_default=False, autocompletion=hand_ins)
    ] = None,
) -> None:
    """Grade a class of broken hand-ins and honest students, and compare each result with the bank.

    Exit codes: 0 each gets what the bank says, 1 one does not.

    Example: python -m autograder broken cells
    """
    from autograder.selftest.broken.class_of_messes import broken as grade_broken

    raise typer.Exit(grade_broken(name, Console(soft_wrap=False)))


def leaks(
    places: Annotated[list[Path], typer.Argument(help="what students are to get", metavar="PLACE...", show_default=False)],
) -> None:
    """Search what students are to get for lines of solutions, hidden checks, answers and graded examples.

    A place is a folder, a file, a zip, a wheel, or a git repository: then all its commits are searched, also for files that
    were removed later. Search the repository that students begin with before you publish it.

    Exit codes: 0 nothing is found, 1 something is, and each line is printed with its file.

    Example: python -m autograder leaks courses/mcts/handout template-of-students
    """
    from autograder.selftest.leaks import leaks as leaks_in

    sentences = [f"{place}: {sentence}" for place in places for sentence in leaks_in(place)]
    for sentence in sentences:
        typer.echo(sentence)
    if not sentences:
        typer.echo(f"nothing of the staff's is in {', '.join(map(str, places))}")
    raise typer.Exit(1 if sentences else 0)


COMMANDS = (verify, rotate, mutants, width, repeat, attack, broken, leaks)
