"""One database engine for all of nbgrader, and the other savings that make a recording cheap."""
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def replaced(owner: object, name: str, value: object) -> Iterator[None]:
    """Give an object, a class or a module another attribute while this lasts."""
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)
