"""Odd things in a submission's folder instead of a submission: links, pipes, devices, bombs, archives, names."""

from __future__ import annotations

import io
import os
import socket
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

from nbgrader.utils import unzip

from autograder.selftest.attack.bank import MARK, PWNED, Attack
from autograder.selftest.demo.submission_maker import SubmissionMaker

NOTEBOOK, MODULE = "ps2_uct.ipynb", "ps2_uct.py"
NOT_A_FILE = "is not a regular file; hand in the file itself"
Maker = Callable[[Path, SubmissionMaker], None]


def link(target: str, name: str = NOTEBOOK) -> Maker:
    return lambda folder, maker: (folder / name).symlink_to(target)


def hard_link(folder: Path, maker: SubmissionMaker) -> None:
    """A second name (a hard link) of the edition's secret, handed in as the work: it is a regular file."""
    (folder / NOTEBOOK).hardlink_to(folder.parents[2] / "edition.secret")


def pipe(folder: Path, maker: SubmissionMaker) -> None:
    os.mkfifo(folder / NOTEBOOK)


def device(folder: Path, maker: SubmissionMaker) -> None:
    """A device that gives zeros without end, if one can be made; else the most similar pipe."""
    try:
        os.mknod(folder / NOTEBOOK, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        pipe(folder, maker)


def unix_socket(folder: Path, maker: SubmissionMaker) -> None:
    here = os.open(folder, os.O_RDONLY)  # the path through /proc, because the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"/proc/self/fd/{here}/{NOTEBOOK}")
    os.close(here)


def sparse(folder: Path, maker: SubmissionMaker) -> None:
    for name in (NOTEBOOK, MODULE):
        with (folder / name).open("wb") as file:
            file.truncate(2**40)


def written(name: str, content: str | bytes) -> Maker:
    def make(folder: Path, maker: SubmissionMaker) -> None:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    return make


def beside(folder: Path, maker: SubmissionMaker) -> None:
    """The stub, and beside it every file that a Python, a pytest or an nbgrader would load if it started here."""
    (folder / MODULE).write_text(maker.stub_module)
    act = f"import os\nopen('/tmp/{MARK}', 'w').close()\nos._exit(0)\n"
    for name in ("conftest.py", "sitecustomize.py", "usercustomize.py", "numpy.py", "codec.py", "worker.py", "arena/__init__.py",
                 "nbgrader_config.py", "test_ps2_uct.py", ".ipython/profile_default/startup/first.py", "random.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(act)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p conftest\n")


def side_files(folder: Path, maker: SubmissionMaker) -> None:
    """The files that nbgrader keeps beside a submission: a link to a secret, and a time that is not a time."""
    (folder / MODULE).write_text(maker.stub_module)
    (folder / "submission_secret.txt").symlink_to(folder.parents[2] / "edition.secret")
    (folder / "timestamp.txt").write_text("9" * 4000 + "-99-99 99:99:99 UTC")


def archive(entries: Callable[[zipfile.ZipFile, SubmissionMaker], None]) -> Maker:
    """An upload, unpacked into the submission's folder as nbgrader's zip_collect unpacks it."""

    def make(folder: Path, maker: SubmissionMaker) -> None:
        upload = folder / "upload.zip"
        with zipfile.ZipFile(upload, "w", zipfile.ZIP_DEFLATED) as made:
            entries(made, maker)
        try:
            unzip(str(upload), str(folder))
        except Exception:  # an archive that nbgrader refuses is not handed in
            pass

    return make


def climbing(made: zipfile.ZipFile, maker: SubmissionMaker) -> None:
    for name in (f"../../honest-right/ps2_uct/{NOTEBOOK}", f"../../../{MARK}", f"/tmp/{MARK}", f"..\\..\\{MARK}", MODULE):
        made.writestr(name, maker.stub_module)


def linking(made: zipfile.ZipFile, maker: SubmissionMaker) -> None:
    for name, target in ((NOTEBOOK, "../../honest-right/ps2_uct/ps2_uct.ipynb"), ("up", "../../honest-wrong"),
                         (MODULE, "/etc/passwd")):
        entry = zipfile.ZipInfo(name)
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(entry, target)
    made.writestr("up/ps2_uct/ps2_uct.ipynb", "{}")


def bomb(made: zipfile.ZipFile, maker: SubmissionMaker) -> None:
    """A notebook of 64 MB in 64 KB, and archives inside archives inside archives."""
    made.writestr(NOTEBOOK, b'{"cells": [' + b" " * 2**26)
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as deeper:
        deeper.writestr("zeros", bytes(2**24))
    for number in range(50):
        made.writestr(f"{number}.zip", inner.getvalue())


def stub(folder: Path, maker: SubmissionMaker) -> None:
    (folder / MODULE).write_text(maker.stub_module)


def named(name: str, tries: str, student: str, **more: object) -> Attack:
    return Attack(name, tries, make=stub, student=student, **more)


SHELL = "$(touch left-by-an-att''ack);`touch left-by-an-att''ack`"  # a name that does not contain the mark, but makes it
CELLS_OF_A_MODULE = "# %%\n" * 150_000
ATTACKS = (
    Attack("a link to a neighbour", "Hands in a link to the work of somebody who has answered everything.",
           make=link("../../honest-right/ps2_uct/ps2_uct.ipynb"), says=NOT_A_FILE, quick=True),
    Attack("a link to the host", "Hands in a link to /etc/passwd, to read it in the feedback.", make=link("/etc/passwd"),
           says=NOT_A_FILE),
    Attack("a link to itself", "Hands in a link that leads to itself.", make=link(NOTEBOOK), says=NOT_A_FILE),
    Attack("the edition's secret by a second name", "Hands in a hard link to the file from which the hidden inputs are drawn.",
           make=hard_link, says="is not a readable notebook"),
    Attack("a pipe", "Hands in a pipe: a program that reads it waits without end.", make=pipe, says=NOT_A_FILE),
    Attack("a device", "Hands in a device that gives zeros without end.", make=device, says=NOT_A_FILE),
    Attack("a socket", "Hands in a unix socket.", make=unix_socket, says=NOT_A_FILE),
    Attack("a terabyte", "Hands in a file of 1 TiB that uses no room on the disk.", make=sparse,
           says="at most 16 MiB are read"),
    Attack("a module that grows in memory",
           "750 KB of empty cells, which would be 11 GB if every cell kept its line numbers.",
           make=written(MODULE, CELLS_OF_A_MODULE), says="so it was not read", quick=True),
    Attack("a notebook that grows in memory", "A notebook of four million empty cells.",
           make=written(NOTEBOOK, b'{"cells": [' + b"{}, " * 4_000_000 + b"{}]}"), says="has more than 2,000 cells"),
    Attack("json without a bottom", "A notebook of a hundred thousand brackets, which overflows a parser's stack.",
           make=written(NOTEBOOK, '{"cells":' * 100_000), says="is not a readable notebook"),
    Attack("a number without end", "A notebook with an int of a million digits, which takes minutes to read.",
           make=written(NOTEBOOK, '{"cells": [' + "7" * 1_000_000 + "]}"), says="is a notebook without cells"),
    Attack("files that load by themselves", "Puts conftest.py, sitecustomize.py, numpy.py and a configuration beside the stub.",
           make=beside),
    Attack("side files that lead elsewhere",
           "A submission secret that is a link to the edition's, and a time in the year 9...9.",
           make=side_files),
    Attack("an upload that climbs", "A zip with ../ and absolute paths, which would overwrite a neighbour's work.",
           make=archive(climbing), quick=True),
    Attack("an upload of links", "A zip whose entries are links, and files that go through them.", make=archive(linking)),
    Attack("a zip bomb", "A zip of 64 KB with a notebook of 64 MB and fifty bombs more.", make=archive(bomb),
           says="at most 16 MiB are read"),
    named("a formula for a name", "The name of the folder is a formula that a spreadsheet calculates.",
          '=HYPERLINK("http:  192.0.2.1","100")', remark="rename the folder"),
    named("a command for a name", "The name of the folder is a command that a spreadsheet runs.", "@SUM(1+1)*cmd|' C calc'!A0"),
    named("a script for a name", "The name of the folder is a script that a browser runs in the class page.",
          f"<img src=x onerror=alert('{PWNED}')>", remark="rename the folder", quick=True),
    named("a shell command for a name", "The name of the folder is a command that a shell runs.", SHELL),
    named("a pattern for a name", "The name of the folder is a pattern that fits the names of all folders.", "*"),
    named("a template for a name", "The name of the folder has braces and percents, which change a path that is formatted.",
          "{student_id}{0.__class__}%s%n"),
    named("an option for a name", "The name of the folder looks like an option of a command.", "--force"),
    named("a very long name",
          "The name of the folder has 255 letters, so that no file name can be this name and one letter more.", "x" * 255),
    named("a name that turns the line round", "The name of the folder has a control character that reverses the text after it.",
          "honest\u202ethgir", listed=False, remark="contains control characters"),
)
