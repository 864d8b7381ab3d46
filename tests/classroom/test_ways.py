"""The ways of a submission and of a player are those that docs/maintainers/ways.md lists."""

import re
from pathlib import Path

import pytest

from autograder.paths import REPOSITORY
from autograder.submission import payload as payloads
from scripts.ways import way_of_a_player, way_of_a_submission


def listed(heading: str) -> list[str]:
    """The files that the page lists below a heading, in their order."""
    text = (REPOSITORY / "docs" / "maintainers" / "ways.md").read_text().split(f"## {heading}\n")[1].split("\n#")[0]
    return [f"autograder/{name}" for name in re.findall(r"^ +\d+  (\S+\.py) ", text, re.M)]


@pytest.mark.usefixtures("processes", "repetition")
def test_a_submission_is_read_once_and_passes_the_files_that_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, hashed = [], []
    read_item, sha256 = payloads.read_item, payloads.Payload.__dict__["sha256"].func

    def reading(folder: Path, name: str, unread: bool = False) -> payloads.Item | None:
        read.append(name)
        return read_item(folder, name, unread)

    def hashing(payload: payloads.Payload) -> str:
        hashed.append(payload.ps)
        return sha256(payload)

    monkeypatch.setattr(payloads, "read_item", reading)
    monkeypatch.setattr(payloads.Payload.__dict__["sha256"], "func", hashing)
    assert way_of_a_submission(tmp_path) == listed("The way of a submission")
    assert sorted(read) == ["ps2_uct.ipynb", "ps2_uct.py"] and hashed == ["ps2_uct"]


@pytest.mark.usefixtures("repetition")
def test_a_player_passes_the_files_that_are_listed(tmp_path: Path) -> None:
    assert way_of_a_player(tmp_path) == listed("The way of a player")
