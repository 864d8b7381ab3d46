"""The Dockerfile's steps without Docker: they run in a clean Debian, and the result is started as `docker run` would.

`make container` does it, as root, with debootstrap installed; some minutes. Docker does three things that are left out: it checks
system calls (`seccomp`), it sets AppArmor's rules, and it limits resources. Capabilities and the covered /proc are as Docker's.
"""

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.paths import REPOSITORY
from scripts.install import _places

PLACE = REPOSITORY / "build" / "container"
CERTIFICATES, SHOWN_AS = "/etc/ssl/certs/ca-certificates.crt", "/run/certificates.crt"     # whom this machine trusts
BASES = {"debian:bookworm-slim": "bookworm"}
# What Docker gives to root in a container, and what it covers in /proc.
CAPABILITIES = ("CHOWN", "DAC_OVERRIDE", "FSETID", "FOWNER", "MKNOD", "NET_RAW", "SETGID", "SETUID", "SETFCAP", "SETPCAP",
                "NET_BIND_SERVICE", "SYS_CHROOT", "KILL", "AUDIT_WRITE")
COVERED = ("/proc/acpi", "/proc/asound", "/proc/interrupts", "/proc/kcore", "/proc/keys", "/proc/latency_stats",
           "/proc/timer_list", "/proc/timer_stats", "/proc/sched_debug", "/proc/scsi")
RIGHTS = ("SYS_ADMIN", "NET_ADMIN")     # what the sandbox needs besides: docs/container.md
READ_ONLY = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")


@dataclass(frozen=True)
class Step:
    """One instruction of a Dockerfile, such as RUN, and what stands behind it."""

    word: str
    rest: str


def steps(dockerfile: str) -> list[Step]:
    """Return the instructions in their order, each on one line."""
    text = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", dockerfile, flags=re.MULTILINE))
    lines = (line.split(maxsplit=1) for line in text.splitlines() if line.strip())
    return [Step(word, " ".join(rest.split())) for word, rest in lines]


def copied(repository: Path) -> Iterator[Path]:
    """Yield the files that `COPY . .` takes, by their paths in the repository: .dockerignore says which."""
    lines = (repository / ".dockerignore").read_text(encoding="utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    for top in sorted(repository.iterdir()):
        if _kept(Path(top.name), patterns):
            inside = sorted(path for path in top.rglob("*") if path.is_file()) if top.is_dir() else [top]
            yield from (path for each in inside if _kept(path := each.relative_to(repository), patterns))


def _kept(path: Path, patterns: Sequence[str]) -> bool:
    """Say whether a path is taken: the last pattern that matches it, or a folder above it, decides."""
    kept = True
    for pattern in patterns:
        plain = pattern.removeprefix("!")
        places = path.parts if plain.startswith("**/") else path.parts[:1]
        if any(fnmatch.fnmatchcase(part, plain.removeprefix("**/")) for part in places):
            kept = pattern.startswith("!")
    return kept


class Image:
    """A root made by a Dockerfile's steps, in a folder."""

    def __init__(self, root: Path, repository: Path) -> None:
        self.root, self.repository = root, repository
        self.environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        self.folder, self.command = "/", ["/bin/sh"]

    def build(self, instructions: Sequence[Step]) -> None:
        """Follow the instructions.

        Raises:
            CalledProcessError: a step fails.
        """
        for step in instructions:
            print(f"== {step.word} {step.rest}", flush=True)
            if step.word == "FROM":
                subprocess.run(["debootstrap", "--variant=minbase", BASES[step.rest], self.root], check=True,
                               stdout=subprocess.DEVNULL)
            elif step.word == "ENV":
                self.environment |= dict(word.split("=", 1) for word in shlex.split(step.rest))
            elif step.word == "WORKDIR":
                self.folder = step.rest
                self._inside(self.folder).mkdir(parents=True, exist_ok=True)
            elif step.word == "COPY":
                for path in copied(self.repository):
                    target = self._inside(self.folder) / path
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(self.repository / path, target)
            elif step.word == "RUN":
                self._run(["/bin/sh", "-c", step.rest], {**self.environment, **_of_this_machine()}, _registries())
            elif step.word == "CMD":
                self.command = json.loads(step.rest)
            else:
                raise ValueError(f"the instruction {step.word} is not known here")

    def start(self, *words: str, extra: Sequence[str] = (), volumes: Sequence[Path] = ()) -> subprocess.CompletedProcess[str]:
        """Run the image's command with these words behind it, as `docker run` would with --cap-add `extra` and -v `volumes`."""
        rights = [word for name in (*CAPABILITIES, *extra) for word in ("--cap-add", f"CAP_{name}")]
        covers = [word for path in COVERED if Path(path).exists()
                  for word in (("--tmpfs", path) if Path(path).is_dir() else ("--ro-bind", "/dev/null", path))]
        fixed = [word for path in READ_ONLY if Path(path).exists() for word in ("--ro-bind", path, path)]
        shown = [word for path in volumes for word in ("--bind", str(path), str(path))]
        options = ["--unshare-net", "--unshare-ipc", "--unshare-uts", *covers, *fixed, *shown, "--cap-drop", "ALL", *rights]
        return self._run([*self.command, *words], self.environment, options, check=False)

    def _inside(self, folder: str) -> Path:
        return self.root / folder.lstrip("/")

    def _run(self, command: Sequence[str], environment: Mapping[str, str], options: Sequence[str],
             check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run in the root and let its output through; the result holds it too."""
        settings = [word for item in environment.items() for word in ("--setenv", *item)]
        line: list[str | Path] = ["bwrap", "--die-with-parent", "--bind", self.root, "/", "--unshare-pid", "--proc", "/proc",
                                  "--dev", "/dev", "--perms", "1777", "--tmpfs", "/tmp", "--clearenv", *settings, *options,
                                  "--chdir", self.folder, "--", *command]
        said: list[str] = []
        with subprocess.Popen(
                line, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            assert process.stdout  # a pipe was requested
            for text in process.stdout:
                said.append(text)
                print(text, end="", flush=True)
        if check and process.returncode:
            raise subprocess.CalledProcessError(process.returncode, list(command))
        return subprocess.CompletedProcess(list(command), process.returncode, "".join(said))


def _of_this_machine() -> dict[str, str]:
    """Return where this machine's pip takes packages from and whom it trusts; a machine with Docker has its own settings."""
    settings: dict[str, str] = {}
    for option in _places([sys.executable, "-m", "pip"])[:-1]:
        name, place = option.removeprefix("--").split("=", 1)
        key = f"PIP_{name.upper().replace('-', '_')}"
        settings[key] = f"{settings.get(key, '')} {place}".strip()
    return settings | {name: SHOWN_AS for name in ("PIP_CERT", "SSL_CERT_FILE") if os.environ.get(name)}


def _registries() -> list[str]:
    """Return options that show these folders inside, and the certificates that this machine trusts."""
    words = [word for value in _of_this_machine().values() for word in value.split()]
    folders = [str(Path(word.removeprefix("file://")).parent) if word.startswith("file:") else word for word in words]
    found = {folder for folder in folders if folder.startswith("/") and Path(folder).is_dir()}  # files lie beside an index
    trusted = ["--ro-bind", CERTIFICATES, SHOWN_AS] if Path(CERTIFICATES).exists() else []
    return [*trusted, *(word for path in sorted(found) for word in ("--ro-bind", path, path))]


def main() -> int:
    """Build the image and grade in it; return 1 if it does not grade, or grades where no sandbox opens."""
    if os.geteuid() or not shutil.which("debootstrap"):
        print("make container: this needs root and debootstrap: apt-get install debootstrap")
        return 2
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True)
    image = Image(PLACE / "root", REPOSITORY)
    try:
        image.build(steps((REPOSITORY / "Dockerfile").read_text(encoding="utf-8")))
        print("== docker run with the options of docs/container.md", flush=True)
        graded = image.start("PS=ps1_games", extra=RIGHTS)
        print("== docker run without them", flush=True)
        refused = image.start("PS=ps1_games", "COURSE=/tmp/none")
        return int(graded.returncode != 0 or refused.returncode == 0)
    except subprocess.CalledProcessError as error:
        print(f"make container: a step ended with status {error.returncode}")
        return 1
    finally:
        shutil.rmtree(PLACE, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
