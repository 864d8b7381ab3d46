"""The problem sets in a browser's tab: JupyterLite with Python itself in the page, and nothing to install.

    make lite                what PyPI and npm have: problem sets 2 and 3, without numpy and matplotlib
    make lite PUBLISHED=1    numpy and matplotlib too, from Pyodide's own distribution, and with them problem set 1

builds build/lite/site, a folder for any web server under any prefix. The page asks no other server for anything. All that comes
from elsewhere is pinned by a hash: the tools of the build by requirements-lite.lock (installed into build/lite/venv alone), the
wheels of the page by requirements-tab.lock, Pyodide here, and its distribution by the list that Pyodide carries.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterable
from datetime import UTC, datetime
from email import message_from_bytes
from pathlib import Path
from typing import Any

from autograder.paths import REPOSITORY

BUILD = REPOSITORY / "build" / "lite"
SITE = BUILD / "site"
TOOLS_LOCK, TAB_LOCK = REPOSITORY / "requirements-lite.lock", REPOSITORY / "requirements-tab.lock"
OURS = REPOSITORY / "scripts" / "tab"  # what our page adds to JupyterLite's

PYODIDE = "314.0.7"
PYODIDE_SHA512 = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
PYODIDE_LIST = "pyodide-lock.json"
DISTRIBUTION = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full"
DRAWING = ("numpy", "matplotlib")  # from Pyodide's distribution: no registry has builds of them for a page

WITHOUT_NUMPY = ("ps2_uct", "ps3_connect_four")
WITH_NUMPY = ("ps1_games", *WITHOUT_NUMPY)  # the other sets need torch
# What `arena` needs of its data in these sets. Networks, opening book and stored games are for compiled players.
DATA = ("assets/strength/points.json", *(f"assignments/{ps}/facts.json" for ps in WITH_NUMPY))
# A link to a page that a tab does not have, in the text of a notebook's JSON: its words stay.
BESIDE = re.compile(r'\[([^\[\]"\n]+)\]\(\.\./[^)"\n]*\)')
KERNEL = "@jupyterlite/pyodide-kernel-extension"


class NotBuilt(Exception):
    """The page cannot be built here; the text says why."""


def main(arguments: list[str]) -> int:
    """Build the page; return 1 if that is not possible here."""
    parser = argparse.ArgumentParser(description="Build the problem sets in a browser's tab into build/lite/site.")
    parser.add_argument("--published", action="store_true", help="with numpy and matplotlib, from Pyodide's own distribution")
    given = parser.parse_args(arguments)
    try:
        sets = build(DISTRIBUTION if given.published else "")
    except NotBuilt as error:
        print(f"lite: {error}")
        return 1
    size = sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file())
    print(f"lite: {', '.join(sets)}; {size / 1e6:.0f} MB in {SITE}")
    print(f"lite: to look at it: python3 -m http.server --bind 127.0.0.1 --directory {SITE}")
    return 0


def build(distribution: str = "", to: Path = SITE) -> tuple[str, ...]:
    """Build the page into a folder and return its problem sets.

    Args:
        distribution: the address of a folder with the files of Pyodide's distribution; "" for none.
        to: made anew; what is there stays if the page cannot be built.

    Raises:
        NotBuilt: something could not be fetched, or is not what the pins say.
    """
    sets = WITH_NUMPY if distribution else WITHOUT_NUMPY
    tools = _tools()
    with tempfile.TemporaryDirectory(dir=BUILD) as room:
        source, made = Path(room) / "source", Path(room) / "site"
        pyodide = source / "static" / "pyodide"
        known = _pyodide(pyodide)
        wheels = [*_locked_wheels(tools, pyodide), _our_wheel(pyodide), *_wheels_of_kernel(tools, pyodide)]
        at_start = {entry["name"]: entry for entry in map(_entry, wheels)}
        drawing = _with_needs(DRAWING, known["packages"]) if distribution else ()
        listed = {name: known["packages"][name] for name in drawing if name not in at_start}
        for entry in listed.values():
            _fetch(f"{distribution}/{entry['file_name']}", entry["sha256"], pyodide / entry["file_name"])
        (pyodide / PYODIDE_LIST).write_text(json.dumps({**known, "packages": {**listed, **at_start}}), encoding="utf-8")
        (source / "jupyter-lite.json").write_text(json.dumps(_settings(list(at_start))), encoding="utf-8")
        (source / "overrides.json").write_text(json.dumps(OVERRIDES), encoding="utf-8")
        command: list[str | Path] = [tools / "bin" / "jupyter-lite", "build", "--lite-dir", source, "--output-dir", made,
                                     "--apps", "notebooks", "--no-sourcemaps", "--no-unused-shared-packages", "--no-libarchive"]
        _run(command, "JupyterLite", cwd=source)  # it leaves notes in its folder
        _add_notebooks(sets, made)
        _add_ours(made)
        shutil.rmtree(to, ignore_errors=True)
        shutil.move(made, to)
    return sets


OVERRIDES = {
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 10},  # seconds: a tab is closed without a question
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
}


def _settings(packages: list[str]) -> dict[str, Any]:
    """Return JupyterLite's settings: the page asks no registry, and a kernel has all packages when it is ready."""
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": {
        "appName": "Problem sets",
        "contentsAllJsonFile": "all.json",
        "exposeAppInBrowser": True,  # for our button
        "litePluginSettings": {f"{KERNEL}:kernel": {
            "disablePyPIFallback": True, "pipliteUrls": [], "loadPyodideOptions": {"packages": packages}}}}}


def _tools() -> Path:
    """Return the environment of the build; it is made anew when its lock has changed."""
    venv = BUILD / "venv"
    stamp = venv / "made-from"
    wanted = f"{sys.executable}\n{TOOLS_LOCK.read_text(encoding='utf-8')}"
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        BUILD.mkdir(parents=True, exist_ok=True)
        _run([sys.executable, "-m", "venv", "--clear", venv], "the environment of the build")
        _run([*_pip(venv), "install", "--quiet", "--no-deps", "--require-hashes", "--requirement", TOOLS_LOCK], TOOLS_LOCK.name)
        stamp.write_text(wanted, encoding="utf-8")
    return venv


def _pip(venv: Path) -> list[str | Path]:
    return [venv / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]


def _pyodide(to: Path) -> dict[str, Any]:
    """Write Python for the page, as npm has it, into a folder; return the list of Pyodide's distribution."""
    if not shutil.which("npm"):
        raise NotBuilt("Python for the page comes from npm, which is not installed: sudo apt-get install npm")
    archive = BUILD / f"pyodide-{PYODIDE}.tgz"
    if not archive.is_file() or _sha512(archive) != PYODIDE_SHA512:
        _run(["npm", "pack", "--silent", f"pyodide@{PYODIDE}", "--pack-destination", BUILD], "npm")
    if _sha512(archive) != PYODIDE_SHA512:
        raise NotBuilt(f"{archive.name} from npm is not the file that is pinned in scripts/lite.py")
    to.mkdir(parents=True)
    with tarfile.open(archive) as packed:
        for name in (*PYODIDE_FILES, PYODIDE_LIST):
            file = packed.extractfile(f"package/{name}")
            assert file  # the hash says that it is there
            (to / name).write_bytes(file.read())
    known: dict[str, Any] = json.loads((to / PYODIDE_LIST).read_text(encoding="utf-8"))
    return known


def _sha512(path: Path) -> str:
    return base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()


def _with_needs(names: Iterable[str], packages: dict[str, Any]) -> list[str]:
    """Return these packages of Pyodide's list and all that they need."""
    found: list[str] = []
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.append(name)
            waiting += packages[name]["depends"]
    return sorted(found)


def _fetch(address: str, sha256: str, to: Path) -> None:
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            data = answer.read()
    except OSError as error:
        raise NotBuilt(f"{address} cannot be read: {error}") from None
    if hashlib.sha256(data).hexdigest() != sha256:
        raise NotBuilt(f"{address} is not the file that Pyodide {PYODIDE} lists")
    to.write_bytes(data)


def _locked_wheels(tools: Path, to: Path) -> list[Path]:
    """Put the wheels of TAB_LOCK into a folder: plain Python, for whatever machine the page's Python is."""
    _run([*_pip(tools), "download", "--quiet", "--no-deps", "--require-hashes", "--requirement", TAB_LOCK, "--dest", to,
          "--only-binary", ":all:", "--platform", "any", "--implementation", "py", "--abi", "none", "--python-version", "3.14"],
         TAB_LOCK.name)
    return sorted(to.glob("*-none-any.whl"))


def _our_wheel(to: Path) -> Path:
    """Build the wheel of `arena` with the data that these problem sets need, and nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", *DATA):
            (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / name, Path(folder) / name)
        shutil.copytree(REPOSITORY / "arena", Path(folder) / "arena", ignore=shutil.ignore_patterns("__pycache__"))
        _run([sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps",
              "--no-build-isolation", "--wheel-dir", to, folder], "the wheel of arena")
    (wheel,) = to.glob("mcts_to_alphazero-*.whl")
    return wheel


def _wheels_of_kernel(tools: Path, to: Path) -> list[Path]:
    """Copy what connects JupyterLite with Python: its makers pack these wheels into the kernel's own files."""
    folder = tools / "share" / "jupyter" / "labextensions" / KERNEL / "static" / "pypi"
    wheels = [path for path in sorted(folder.glob("*.whl")) if not path.name.startswith("widgetsnbextension-3")]
    return [Path(shutil.copy(path, to)) for path in wheels]


def _entry(wheel: Path) -> dict[str, Any]:
    """Return a wheel as Pyodide's list has it. It needs none by name: all of them are loaded together."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        facts = message_from_bytes(archive.read(next(name for name in names if name.endswith(".dist-info/METADATA"))))
    modules = {name.partition("/")[0].removesuffix(".py") for name in names if name.endswith(".py")}
    return {"name": facts["Name"].lower().replace("_", "-"), "version": facts["Version"], "file_name": wheel.name,
            "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(), "imports": sorted(modules), "depends": [],
            "install_dir": "site", "package_type": "package", "unvendored_tests": False}


def _add_notebooks(sets: Iterable[str], site: Path) -> None:
    """Put the notebooks where JupyterLite looks for files. It would list them itself, but only with a whole Jupyter server."""
    listed, now = [], datetime.now(UTC).isoformat(timespec="seconds")
    (site / "files").mkdir(exist_ok=True)
    for ps in sets:
        path = site / "files" / f"{ps}.ipynb"
        notebook = (REPOSITORY / "assignments" / ps / path.name).read_text(encoding="utf-8")
        path.write_text(BESIDE.sub(r"\1", notebook), encoding="utf-8")
        listed.append({"name": path.name, "path": path.name, "type": "notebook", "format": None, "content": None,
                       "mimetype": None, "size": path.stat().st_size, "writable": True, "created": now, "last_modified": now})
    folder = site / "api" / "contents"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "all.json").write_text(json.dumps({
        "name": "", "path": "", "type": "directory", "format": "json", "content": listed, "mimetype": None, "size": None,
        "writable": True, "created": now, "last_modified": now}), encoding="utf-8")


def _add_ours(site: Path) -> None:
    """Put our button, and the words beside it, into the page of a notebook."""
    for path in sorted(OURS.iterdir()):
        shutil.copy(path, site / path.name)
    page = site / "notebooks" / "index.html"
    text = page.read_text(encoding="utf-8")
    ours = '<link rel="stylesheet" href="../hand_in.css">\n<script src="../hand_in.js" defer></script>\n'
    if text.count("</head>") != 1:
        raise NotBuilt("the page of JupyterLite has another form: where does its head end?")
    page.write_text(text.replace("</head>", f"{ours}</head>"), encoding="utf-8")


def _run(command: list[str | Path], what: str, cwd: Path | None = None) -> None:
    """Run a command; NotBuilt, with the end of what it says, if it fails."""
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode:
        raise NotBuilt(f"{what} failed: {' '.join(done.stdout.split())[-600:]}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
