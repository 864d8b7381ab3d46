"""Two graders on one gradebook, in a real server of PostgreSQL that this file starts: no row of either is lost."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from autograder.gradebook.settings import CONFIG_FILE
from tests.commands import autograder, output_of
from tests.formgrader_server import free_port

pytestmark = pytest.mark.usefixtures("whole_world")

ROOT = Path(__file__).resolve().parents[2]
PS = "ps2_uct"


def program(name: str) -> str:
    """The path of a program of PostgreSQL; Debian keeps them outside of PATH."""
    path = shutil.which(name) or next(map(str, sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)), None)
    if not path:
        pytest.fail("two graders on one gradebook need PostgreSQL: sudo apt-get install postgresql", pytrace=False)
    return path


def as_postgres(*command: str) -> None:
    """Run a program of the server, which refuses to run as root."""
    user = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"] if os.geteuid() == 0 else []
    done = subprocess.run([*user, *command], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server with an empty database."""
    folder = Path(tempfile.mkdtemp(prefix="postgresql-"))  # another user must enter it
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    port, data = free_port(), str(folder / "data")
    try:
        as_postgres(program("initdb"), "-D", data, "-A", "trust", "-U", "grader", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
        as_postgres(program("pg_ctl"), "-D", data, "-o", options, "-w", "-l", str(folder / "log"), "start")
        try:
            yield f"postgresql+pg8000://grader@127.0.0.1:{port}/postgres"
        finally:
            as_postgres(program("pg_ctl"), "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def course(folder: Path, address: str, students: list[str]) -> Path:
    """A folder of one grader; all of them name the same gradebook."""
    for student in students:
        shutil.copytree(ROOT / "assignments" / PS, folder / "submitted" / student / PS)
    config = CONFIG_FILE.format(course_id="autumn")
    (folder / "nbgrader_config.py").write_text(f"{config}c.CourseDirectory.db_url = {address!r}\n")
    return folder


def test_two_graders_at_once_lose_no_row(server: str, tmp_path: Path) -> None:
    """They begin on an empty database at the same moment, so that both make its tables and release the set"""
    groups = {"one": ["ada", "bela", "cora"], "two": ["dora", "emil", "finn"]}
    courses = [course(tmp_path / name, server, students) for name, students in groups.items()]
    with ThreadPoolExecutor(2) as both:
        list(both.map(lambda folder: output_of("grade", folder, "--ps", PS, "--workers", "1"), courses))
    with create_engine(server).connect() as database:
        rows = database.execute(text("select student_id, count(*) from submitted_assignment group by 1 order by 1")).all()
        scores = database.execute(text("select count(*), count(auto_score) from grade")).one()
    assert [tuple(row) for row in rows] == [(student, 1) for student in sorted(groups["one"] + groups["two"])]
    again = output_of("grade", courses[0], "--ps", PS, "--workers", "1")
    assert "0 grader faults" in again and "0 changes of points" in again or "nothing changed" in again
    final = (courses[0] / "final.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in final[1:]] == sorted(groups["one"] + groups["two"])
    assert scores[0] > 6 * 10 and scores[1] > 0


def words_on(server: str) -> str:
    """All cells of all tables of the server."""
    with create_engine(server).connect() as database:
        tables = database.execute(text("select tablename from pg_tables where schemaname = 'public'")).scalars().all()
        return "\n".join(repr(tuple(row)) for table in tables for row in database.execute(text(f'select * from "{table}"')))


def test_an_erased_student_is_not_on_the_server(server: str, tmp_path: Path) -> None:
    folder = course(tmp_path / "one", server, ["gina", "hugo"])
    output_of("grade", folder, "--ps", PS, "--workers", "1")
    before = words_on(server)
    assert "'gina'" in before and "'hugo'" in before
    assert "the gradebook on the server" in output_of("staff", "erase", folder, "gina", "--yes")
    after = words_on(server)
    assert "gina" not in after and "'hugo'" in after
    with create_engine(server).connect() as database:
        left = text("select count(*) from grade where notebook_id not in (select id from submitted_notebook)")
        assert database.execute(left).scalar_one() == 0
    output_of("grade", folder, "--ps", PS, "--workers", "1")
    assert "gina" not in words_on(server)


@pytest.mark.parametrize("address", [
    "postgresql+pg8000://grader@127.0.0.1:9/nothing", "postgresql+nodriver://x/y", "postgresql+psycopg2://grader@127.0.0.1:9/x",
])
def test_a_server_that_cannot_be_reached_is_one_sentence(tmp_path: Path, address: str) -> None:
    folder = course(tmp_path / "one", address, ["ada"])
    done = autograder("course", folder)
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    assert "autograder: the gradebook on the PostgreSQL server cannot be opened" in done.stderr
