"""The same attacks on stock nbgrader, for comparison: its autograde runs a whole notebook, with the visible checks, in a kernel.

Every run has its own sandbox, without network; it can write only into a course that is deleted afterwards.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from arena.errors import UserError
from autograder.paths import REPOSITORY
from autograder.selftest.attack.bank import Attack
from autograder.selftest.attack.making import hand_in
from autograder.selftest.demo.staging import honest, maker_of

PS = "ps2_uct"
GUARD_S = 900.0


def on_stock(attacks: tuple[Attack, ...], room: Path, workers: int) -> dict[str, list[str]]:
    """Return the successes on stock nbgrader of every attack that applies to it, by the attack's folder name."""
    chosen = [attack for attack in attacks if attack.stock and attack.ps == PS]
    shutil.rmtree(room, ignore_errors=True)
    source = room / "base" / "source" / PS
    source.mkdir(parents=True)
    (source / f"{PS}.ipynb").write_text(without_experiments(maker_of(PS).stub))
    for student, files in honest(PS).items():
        folder = room / "base" / "submitted" / student / PS
        folder.mkdir(parents=True)
        (folder / f"{PS}.ipynb").write_text(without_experiments(files[f"{PS}.ipynb"]))
    for attack in chosen:
        _lay_out(attack, room)
    inside(room, ["base"])
    handles = [attack.handle for attack in chosen]
    parts = [handles[number::workers] for number in range(workers)]
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda part: inside(room, part), filter(None, parts)))
    results = {handle: room / f"{handle}.json" for handle in handles}
    missing = [handle for handle, path in results.items() if not path.exists()]
    if missing:
        raise UserError(f"stock nbgrader did not get to {', '.join(missing[:5])}: see the logs in {room}")
    return {attack.handle: _gained(attack, json.loads(results[attack.handle].read_text())) for attack in chosen}


def _gained(attack: Attack, found: list[str]) -> list[str]:
    """Return the attack's gains; for an attack built on a right answer, points are not a gain."""
    return [what for what in found if not (attack.points and what.endswith("points"))]


def _lay_out(attack: Attack, room: Path) -> None:
    """Put the attack's notebook into attacks/, without the experiments, which are long and not graded."""
    with tempfile.TemporaryDirectory(dir=room) as folder:
        course = Path(folder)
        hand_in(course, attack)
        target = room / "attacks" / attack.handle / PS
        shutil.copytree(course / "submitted" / attack.handle / PS, target)
    notebook = target / f"{PS}.ipynb"
    notebook.write_text(without_experiments(notebook.read_text()))


def without_experiments(notebook: str) -> str:
    """Return a notebook without its experiment cells."""
    content = json.loads(notebook)
    content["cells"] = [cell for cell in content["cells"] if "experiment" not in cell["metadata"].get("tags", [])]
    return json.dumps(content)


def inside(room: Path, handles: list[str]) -> None:
    """Run `stock_inside` in a sandbox that can write into `room` only; its /tmp is removed with the sandbox."""
    bwrap = ["bwrap", "--die-with-parent", "--new-session", "--unshare-all", "--cap-drop", "ALL", "--ro-bind", "/", "/"]
    bwrap += ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/run"]
    for folder in dict.fromkeys(map(str, (REPOSITORY, Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()))):
        bwrap += ["--ro-bind", folder, folder]  # needed if they lie in /tmp, /var/tmp or /run, which are empty here
    bwrap += ["--bind", str(room), str(room), "--clearenv", "--chdir", "/tmp"]
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}"
    environment = {"PATH": tools, "HOME": "/tmp", "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1",
                   "LANG": "C.UTF-8", "GRADEBOOK_PASSWORD": "honey-for-the-comparison"}
    for name, value in environment.items():
        bwrap += ["--setenv", name, value]
    command = [*bwrap, sys.executable, "-m", "autograder.selftest.attack.stock_inside", str(room), *handles]
    with (room / f"{handles[0]}.log").open("w") as log:
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, timeout=GUARD_S)
