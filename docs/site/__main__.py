"""`python -m docs.site`: run the lessons once, lay the pages out, let Sphinx build build/docs; exit code 1 after a warning."""

import argparse
import shutil
import sys

from rich.console import Console
from sphinx.cmd.build import build_main

from arena.command_line import leave
from arena.errors import UserError
from autograder.paths import REPOSITORY
from autograder.problem_sets.source import released
from autograder.progress import ProgressBar
from docs.site.finish import finish
from docs.site.outputs import outputs_of
from docs.site.stage import stage

HERE = REPOSITORY / "docs" / "site"
WORK = REPOSITORY / "build" / "docs-work"  # sources, caches: nothing that is handed on
SITE = REPOSITORY / "build" / "docs"


def main() -> int:
    """Build the site; print the path of its first page."""
    parser = argparse.ArgumentParser(prog="python -m docs.site", description="Build the documentation into build/docs.")
    parser.add_argument("--run", nargs="*", choices=released(), default=released(), metavar="LESSON",
                        help="run only these lessons, for a quick look: the others have no outputs yet; default: all")
    given = parser.parse_args()
    console = Console()
    bar = ProgressBar(console)
    outputs = {name: outputs_of(name, WORK / "outputs", bar, name in given.run) for name in released()}
    stage(WORK / "source", outputs)
    shutil.rmtree(SITE, ignore_errors=True)  # a page that is gone must not stay
    status = build_main(["-b", "html", "-W", "--keep-going", "-j", "auto", "-q", "-c", str(HERE), "-d", str(WORK / "doctrees"),
                         str(WORK / "source"), str(SITE)])
    if status:
        return 1
    finish(SITE)
    console.print(str(SITE / "index.html"), markup=False, highlight=False, soft_wrap=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        leave(str(error), error.exit_code)
    except KeyboardInterrupt:
        leave("stopped; lessons that have run are kept", 130)
