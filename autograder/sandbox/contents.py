"""What is in a sandbox: each file of the interpreter, of the packages, of arena and of ours, and the libraries they need."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

from autograder.sandbox.bubblewrap import HERE, PYTHON, REPOSITORY, SITE, WORKER, SandboxUnavailable
from autograder.sandbox.profiles import SandboxProfile

# Our own files inside.
OURS = (
    *(f"codec/{name}.py" for name in ("__init__", "values", "encoding", "decoding")), "table_game.py",
    *(f"inside/{name}.py" for name in ("zygote", "worker", "stand_ins", "implementations", "loader", "cell_text", "tensors")),
)
# Parts of arena that only have a stand-in of ours inside, a package of one file: nothing in there looks at a picture.
STAND_INS = {"show": "inside/no_pictures.py"}
# The packages that a package imports.
NEEDED_BY = {"torch": ("torchgen", "functorch", "typing_extensions", "sympy", "mpmath", "filelock", "networkx", "jinja2",
                       "markupsafe", "fsspec")}
# Folders beside a package on some machines: the libraries of PyTorch's build for graphics cards, without which it does
# not load. The sandbox has no such card.
BESIDE = {"torch": ("nvidia",)}
# What no exercise needs: other people's packages, tests, windows, headers, and bytecode of other interpreters.
SPARE = re.compile(
    r"(site-packages|dist-packages|test|idlelib|tkinter|turtledemo|ensurepip|lib2to3|config-.*"
    r"|lib-dynload/_(tkinter|test|ctypes_test).*"
    r"|torch/(include|test|share|bin/proto.*|bin/.*[Tt]est.*|lib/lib.*test.*)|(sympy|networkx|mpmath)/(.*/)?tests"
    r"|.*\.(a|cmake|cpp|cu|cuh|h|hpp|lib|o|ptl|pyi)"
    rf"|.*__pycache__/.*(?<!\.{sys.implementation.cache_tag})\.pyc)"
)
SITE_PACKAGES = Path(sysconfig.get_path("purelib"))
LIBRARY_FOLDERS = ("/lib", "/lib32", "/lib64")  # on most hosts these are links to folders under /usr


def links() -> dict[str, str]:
    """Return the symbolic links of a sandbox and where they lead."""
    return {folder: os.readlink(folder) for folder in LIBRARY_FOLDERS if os.path.islink(folder)}


def sources_of(profile: SandboxProfile) -> list[tuple[Path, str]]:
    """Return what a sandbox is made of: files and folders of the host, and the place of each inside.

    Raises:
        SandboxUnavailable: a package is not installed.
    """
    ours = [(HERE / name, f"{WORKER}/{name.removeprefix('inside/')}") for name in OURS]
    cache = Path("/etc/ld.so.cache")
    return [*_python(), *_site(profile), *ours, *([(cache, str(cache))] if cache.exists() else [])]


def fingerprint(sources: list[tuple[Path, str]]) -> str:
    """Return a digest that changes with our own files, with the Python or a package that is installed, and with the system.

    The files of a package are not looked at one by one: an installation also changes the folder that contains the package.
    """
    seen = []
    for source, target in sources:
        if REPOSITORY in source.parents and SITE_PACKAGES not in source.parents:
            files = [file for _, file in _below(source, target)]
        else:
            files = [source, source.parent]
        for file in files:
            status = os.stat(file)
            seen.append((str(file), target, status.st_ino, status.st_size if file.is_file() else 0, status.st_mtime_ns))
    return hashlib.sha256(repr((sorted(seen), SPARE.pattern)).encode()).hexdigest()


def files_of(sources: list[tuple[Path, str]]) -> dict[str, Path]:
    """Return the host's file for each file of the sandbox, without the system's libraries."""
    return {target: file for source, place in sources for target, file in _below(source, place)}


def libraries_of(files: dict[str, Path]) -> dict[str, Path]:
    """Return the shared libraries of the host that these files load, where the loader finds them, and the loader itself.

    Raises:
        SandboxUnavailable: the host has no `ldd`.
    """
    programs = [file for target, file in files.items() if ".so" in file.name or target == f"{PYTHON}/bin/python3"]
    there = {os.path.realpath(file) for file in files.values()}
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        text = subprocess.run(["ldd", *map(str, programs)], capture_output=True, text=True, env=environment).stdout
    except OSError as error:
        raise SandboxUnavailable(f"ldd, a part of the system's C library, cannot be started: {error.strerror}") from error
    libraries = {}
    for path in map(Path, sorted(set(re.findall(r"(/\S+) \(0x[0-9a-f]+\)$", text, re.MULTILINE)))):
        if os.path.realpath(path) not in there and path.is_file():
            folder = os.path.realpath(path.parent)
            own = folder.startswith(("/usr/lib", *LIBRARY_FOLDERS))  # else of a Python with libraries of its own
            libraries[f"{folder if own else f'{PYTHON}/lib'}/{path.name}"] = path
    return libraries


def _below(source: Path, target: str) -> Iterator[tuple[str, Path]]:
    """Yield the files of a folder that an exercise may need; a file is yielded as it is."""
    if not source.is_dir():
        yield target, source
        return
    name = "" if target.startswith(PYTHON) else f"{source.name}/"
    waiting = [(str(source), target, name)]
    while waiting:
        folder, place, prefix = waiting.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if SPARE.fullmatch(prefix + entry.name):
                    continue
                if entry.is_dir():
                    waiting.append((entry.path, f"{place}/{entry.name}", f"{prefix}{entry.name}/"))
                elif entry.is_file():
                    yield f"{place}/{entry.name}", Path(entry.path)


def _python() -> list[tuple[Path, str]]:
    """Return the interpreter that runs this grader, for a neutral path."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    sources = [
        (Path(sys.executable).resolve(), f"{PYTHON}/bin/python3"),
        (Path(sysconfig.get_path("stdlib")).resolve(), f"{PYTHON}/lib/{version}"),
    ]
    name = sysconfig.get_config_var("INSTSONAME") or ""
    shared = Path(sys.base_exec_prefix) / "lib" / name  # exists only for an interpreter with a shared library
    if ".so" in name and shared.is_file() and Path(sys.base_exec_prefix) != Path("/usr"):
        sources.append((shared.resolve(), f"{PYTHON}/lib/{name}"))
    return sources


def _site(profile: SandboxProfile) -> Iterable[tuple[Path, str]]:
    sources = []
    for name in (other for package in profile.packages for other in (package, *NEEDED_BY.get(package, ()))):
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.origin:
            raise SandboxUnavailable(f"the package {name} is not installed beside the grader: run make setup")
        file = Path(spec.origin)
        paths = (file.parent, file.parent.parent / f"{name}.libs") if spec.submodule_search_locations else (file,)
        sources += [(path, f"{SITE}/{path.name}") for path in paths if path.exists()]
        beside = (file.parent.parent / other for other in BESIDE.get(name, ()))
        sources += [(path, f"{SITE}/{path.name}") for path in beside if path.is_dir()]
    arena = REPOSITORY / "arena"
    for name in profile.arena:
        if name in STAND_INS:
            sources.append((HERE / STAND_INS[name], f"{SITE}/arena/{name}/__init__.py"))
        elif (arena / name).exists():
            sources.append((arena / name, f"{SITE}/arena/{name}"))
    return sources
