"""The patches of nbgrader and nbconvert while we run them: for each patch, the replaced part and the reason.

    Gradebook.__init__, .close       one database engine for all openings, about ten for each submission: `one_session`
    api.get_alembic_version          the newest schema, without a process that takes a second: `one_session`
    nbconvert's html.BeautifulSoup   no second parsing of finished pages, two thirds of their time: `without_parsing`
    rfc3987_syntax, of jsonschema    no parser for international addresses; in this package's `__init__`

Nothing else of nbgrader and nbconvert is changed in place. Our subclasses, which both libraries provide for, are in
`preprocessors.py` (two steps), `recording/recorder.py` (converters for a list of students, an exporter that validates once)
and `feedback/exporter.py` (the same for pages, and the grades of a page with two queries). `settings.py` chooses the steps, the
templates and the filters.
"""
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from nbconvert.exporters import html
from nbgrader import api
from nbgrader.api import Gradebook
from nbgrader.apps.baseapp import NbGrader
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy.exc import SAWarning


@contextmanager
def one_session(app: NbGrader) -> Iterator[Gradebook]:
    """Let all parts of nbgrader share one database engine inside this block.

    nbgrader opens the database about ten times for each submission and inspects all its tables each
    time. Here each opening is only a new session of one engine; nothing else is different.
    """
    with replaced(api, "get_alembic_version", _schema_version), warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)  # nbgrader's own way of adding a submission
        shared = Gradebook(app.coursedir.db_url, app.coursedir.course_id)

        def lend(self: Gradebook, *args: object, **kwargs: object) -> None:
            self.__dict__.update(shared.__dict__)

        try:
            with replaced(Gradebook, "__init__", lend), replaced(Gradebook, "close", lambda self: self.db.remove()):
                yield shared
        finally:
            shared.close()


def _schema_version() -> str | None:
    """The output of `alembic heads`; nbgrader needs it for a new database and starts a process for it, which takes a second."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory(ALEMBIC_DIR).get_current_head()


class _Unparsed(str):
    """A page as text instead of a parse tree; nbconvert may call its `select`."""

    def select(self, selector: str) -> list[object]:
        return []


def without_parsing() -> AbstractContextManager[None]:
    """Stop nbconvert from parsing every finished page again.

    nbconvert parses it to add missing descriptions of pictures and to number JupyterLab's cells. Our pictures have
    descriptions, and our pages have no such cells.
    """
    return replaced(html, "BeautifulSoup", lambda page, features: _Unparsed(page))


@contextmanager
def replaced(owner: object, name: str, value: object) -> Iterator[None]:
    """Replace an attribute of an object, a class or a module inside this block."""
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)
