"""A container as Gradescope makes one, for tests: an own root, /autograder as the specification lays it out, no network.

bubblewrap builds it, with the host's /usr and /etc, the interpreter of these tests, and only those packages that the archive's
lock names.
"""

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

BASE = Path(sys.base_prefix)
SITE = next(Path(entry) for entry in sys.path if entry.endswith("site-packages"))
NO_RIGHTS = ("--cap-drop", "ALL")
# Docker's own choice, of which the grader uses these: no CAP_SYS_ADMIN.
FEW_RIGHTS = (*NO_RIGHTS, *(word for name in ("CHOWN", "SETUID", "SETGID", "KILL", "DAC_OVERRIDE") for word in
                            ("--cap-add", f"CAP_{name}")))
ALL_RIGHTS = ("--cap-add", "ALL")
OWN_PROC, FULL_PROC = ("--unshare-pid", "--proc", "/proc"), ("--bind", "/proc", "/proc")
NO_NAMESPACES = ("--unshare-user", "--disable-userns")


class Container:
    """An unpacked archive in `place`/autograder. `rights` and `proc` are options of bubblewrap."""

    def __init__(self, place: Path, archive: Path) -> None:
        self.home = place / "autograder"
        for name in ("source", "submission", "results"):
            (self.home / name).mkdir(parents=True)
        with zipfile.ZipFile(archive) as packed:
            for entry in packed.infolist():
                packed.extract(entry, self.home / "source")
                (self.home / "source" / entry.filename).chmod(entry.external_attr >> 16 & 0o777)
        (self.home / "run_autograder").write_bytes((self.home / "source" / "run_autograder").read_bytes())
        (self.home / "run_autograder").chmod(0o755)
        place.chmod(0o755)
        self._environment()

    def _environment(self) -> None:
        """Lay out what the setup would install, of the packages here: links to a folder of the container."""
        venv = self.home / "source" / ".venv"
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        site = venv / "lib" / version / "site-packages"
        site.mkdir(parents=True)
        (venv / "bin").mkdir()
        (venv / "bin" / "python").symlink_to(BASE / "bin" / version)
        (venv / "pyvenv.cfg").write_text(f"home = {BASE / 'bin'}\n")
        for line in (self.home / "source" / "requirements.lock").read_text().split():
            for name in tops(line.partition("==")[0]):
                (site / name).symlink_to(Path("/packages") / name)

    def run(
        self, *command: str, rights: Iterable[str] = ALL_RIGHTS, proc: Iterable[str] = OWN_PROC
    ) -> subprocess.CompletedProcess[str]:
        folders = [word for folder in (*reversed(BASE.parents), BASE) if folder != Path("/")
                   for word in ("--perms", "0755", "--dir", str(folder))]
        links = [word for name in ("lib", "lib64", "bin", "sbin") for word in ("--symlink", f"usr/{name}", f"/{name}")]
        root = ["bwrap", "--die-with-parent", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--ro-bind", "/usr", "/usr",
                "--ro-bind", "/etc", "/etc", *links, *folders, "--ro-bind", str(BASE), str(BASE),
                "--ro-bind", str(SITE), "/packages",
                "--perms", "1777", "--tmpfs", "/tmp", "--perms", "0755", "--tmpfs", "/run", "--dev", "/dev",
                "--perms", "0755", "--dir", "/autograder", "--bind", str(self.home), "/autograder", "--clearenv",
                "--setenv", "PATH", "/usr/bin:/bin", "--chdir", "/autograder", *proc, *rights, "--"]
        return subprocess.run([*root, *command], capture_output=True, text=True, timeout=300, check=False)

    def grade(self, files: dict[str, str], **options: Any) -> tuple[dict[str, Any], str]:
        """Hand in these files; return the results, and what staff read in Gradescope."""
        for folder in ("submission", "results"):
            for path in (self.home / folder).iterdir():
                path.unlink()
        for name, text in files.items():
            (self.home / "submission" / name).write_text(text)
        done = self.run("/autograder/run_autograder", **options)
        assert done.returncode == 0, done.stderr
        return json.loads((self.home / "results" / "results.json").read_text()), done.stdout + done.stderr


def tops(distribution: str) -> set[str]:
    """The files and folders in site-packages that belong to an installed distribution."""
    try:
        return {path.parts[0] for path in files(distribution) or () if path.parts[0] not in ("..", "__pycache__")}
    except PackageNotFoundError:
        return set()
