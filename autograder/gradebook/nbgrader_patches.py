"""What of nbgrader and nbconvert is replaced while we run them: each patch with what it replaces and why.

    Gradebook.__init__, .close       one database engine for all openings, about ten for each submission: `one_session`
    api.get_alembic_version          the newest schema, without a process that takes a second: `one_session`
    nbconvert's html.BeautifulSoup   no second parsing of finished pages, two thirds of their time: `without_parsing`
    rfc3987_syntax, of jsonschema    no parser for international addresses; in this package's first file

Nothing else of theirs is changed in place. What is ours by subclassing, which both provide for, stands in `preprocessors.py`
(two steps), `recording/recorder.py` (converters over a list of students, an exporter that validates once) and `settings.py`
(which steps run, which templates and filters).
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
    """Lend every part of nbgrader the same database engine while this lasts.

    nbgrader opens the database some ten times for each submission and inspects all its tables each
    time. Here each opening is only a new session of one engine; nothing else about it differs.
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
    """What `alembic heads` prints; nbgrader asks for a new database, and starts a process to read it, which takes a second."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory(ALEMBIC_DIR).get_current_head()


class _Unparsed(str):
    """A page in the place of its parse tree, for an nbconvert that wants to select in it."""

    def select(self, selector: str) -> list[object]:
        return []


def without_parsing() -> AbstractContextManager[None]:
    """Keep nbconvert from parsing every finished page again.

    It does so to describe pictures without a description and to number JupyterLab's cells; ours are
    described and have no such cells.
    """
    return replaced(html, "BeautifulSoup", lambda page, features: _Unparsed(page))


@contextmanager
def replaced(owner: object, name: str, value: object) -> Iterator[None]:
    """Give an object, a class or a module another attribute while this lasts."""
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)
