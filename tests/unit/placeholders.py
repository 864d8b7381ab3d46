"""What no page may show: an address that nobody has, in place of one that is not known yet."""

import re
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = {"", ".md", ".txt", ".toml", ".ipynb", ".html", ".yml", ".json"}  # METADATA of a wheel has no suffix
INVENTED = re.compile(r"(?:https?://|git@|git\+)[^\s)\"'<>]*(?:\b(?:OWNER|REPOSITORY|REPO|USER|USERNAME|NAME|YOUR[\w-]*)\b|[<{])")
WRITTEN = re.compile(r"(?:colab\.research\.google\.com/github/|mybinder\.org/v2/gh/|git\+https://[\w.-]+/"
                     r"|https://[\w.-]+/(?=[\w.-]+/[\w.-]+/actions/))([\w.-]+/[\w-]+)")


def known() -> str | None:
    """The address that somebody has written into pyproject.toml, without host; None as long as nobody has."""
    written = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"].get("urls", {}).get("Repository")
    return written and "/".join(written.rsplit("/", 2)[1:])


def placeholders(text: str) -> list[str]:
    """The addresses in a text that are invented, or that scripts/address.py did not write."""
    return INVENTED.findall(text) + [name for name in WRITTEN.findall(text) if name != known()]


def invented(place: Path) -> dict[str, list[str]]:
    """The placeholders in a file, or in each file of a folder, and of each wheel and zip in it, by the names of the files."""
    by_file = {}
    for path in sorted(path for path in (place, *place.rglob("*")) if path.is_file()):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed:
                by_file |= {f"{path.name}/{name}": placeholders(packed.read(name).decode(errors="replace"))
                            for name in packed.namelist() if Path(name).suffix in TEXT}
        elif path.suffix in TEXT:
            by_file[path.name] = placeholders(path.read_text(encoding="utf-8", errors="replace"))  # git's files have no suffix
    return by_file
