"""Options that several commands share."""

from typing import Annotated

import typer

Ps = Annotated[str, typer.Option("--ps", help="the problem set")]
NoSandbox = Annotated[bool, typer.Option("--no-sandbox", help="only for the course's own solution: grade without the sandbox")]
