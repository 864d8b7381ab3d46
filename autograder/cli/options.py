"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.completion import courses, problem_sets, students

Ps = Annotated[str, typer.Option("--ps", help="the problem set", autocompletion=problem_sets)]
PsOfCourse = Annotated[
    str | None, typer.Option("--ps", help="the problem set; default: the only one of the course", autocompletion=problem_sets)
]
PsOfFolder = Annotated[
    str | None,
    typer.Option("--ps", help="the problem set; default: the one in the name of the folder or its files",
                 autocompletion=problem_sets),
]
AnyPs = Annotated[
    str | None, typer.Option("--ps", help="the problem set; default: all", autocompletion=problem_sets)
]
Course = Annotated[Path, typer.Argument(help="the course folder", autocompletion=courses)]
StudentName = Annotated[str, typer.Argument(metavar="STUDENT", help="a folder name under submitted/", autocompletion=students)]
NoSandbox = Annotated[bool, typer.Option("--no-sandbox", help="only for the course's own solution: grade without the sandbox")]
