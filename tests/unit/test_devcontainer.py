"""The dev container: a file after the specification, whose commands exist and whose Python has all locked packages."""

import json
import re
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from scripts import install
from tests.unit.makefile import TARGETS

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / ".devcontainer" / "devcontainer.json"
# The keys of https://containers.dev/implementors/json_reference/ for a container made of an image, and the types of their values.
LIFECYCLE = ("initializeCommand", "onCreateCommand", "updateContentCommand", "postCreateCommand", "postStartCommand",
             "postAttachCommand")
KEYS: dict[str, Any] = {
    "$schema": str, "name": str, "image": str, "features": dict, "overrideFeatureInstallOrder": list, "forwardPorts": list,
    "portsAttributes": dict, "otherPortsAttributes": dict, "containerEnv": dict, "remoteEnv": dict, "remoteUser": str,
    "containerUser": str, "updateRemoteUserUID": bool, "userEnvProbe": str, "overrideCommand": bool, "shutdownAction": str,
    "init": bool, "privileged": bool, "capAdd": list, "securityOpt": list, "mounts": list, "workspaceMount": str,
    "workspaceFolder": str, "runArgs": list, "appPort": (int, str, list), "customizations": dict, "waitFor": str,
    "hostRequirements": dict, "secrets": dict, **dict.fromkeys(LIFECYCLE, (str, list, dict)),
}


def faults(settings: dict[str, Any]) -> list[str]:
    """A sentence for each thing in a devcontainer.json that cannot work."""
    sentences = [f"{key} is not a key of the specification" for key in settings if key not in KEYS]
    sentences += [f"{key} has a value of the wrong type" for key in settings
                  if key in KEYS and not isinstance(settings[key], KEYS[key])]
    image = re.fullmatch(r"mcr\.microsoft\.com/devcontainers/python:(?:\d+-)?(\d+)\.(\d+)-[a-z]+", str(settings.get("image", "")))
    if image is None:
        sentences.append("the image names no Python")
    elif (int(image[1]), int(image[2])) not in install.PYTHONS:
        sentences.append(f"the locked packages do not fit Python {image[1]}.{image[2]}")
    for key in LIFECYCLE:
        command = settings.get(key, [])
        parts = command.values() if isinstance(command, dict) else [command] if command else []
        for words in (part.split() if isinstance(part, str) else part for part in parts):
            if len(words) != 2 or words[0] != "make" or words[1] not in TARGETS:
                sentences.append(f"{key}: {words} is not a target of the Makefile")
    return sentences


def test_the_file_can_work() -> None:
    assert faults(json.loads(FILE.read_text())) == []


def test_its_setup_installs_and_the_editor_takes_that_python() -> None:
    settings = json.loads(FILE.read_text())
    assert settings["postCreateCommand"] == "make setup"
    python = settings["customizations"]["vscode"]["settings"]["python.defaultInterpreterPath"]
    assert PurePosixPath(python.replace("${containerWorkspaceFolder}", str(ROOT))) == install.VENV / "bin" / "python"
    assert all(re.fullmatch(r"[\w-]+\.[\w-]+", name) for name in settings["customizations"]["vscode"]["extensions"])


@pytest.mark.parametrize("change, fault", [
    ({"postCreate": "make setup"}, "postCreate is not a key"),
    ({"postCreateCommand": "make everything"}, "not a target of the Makefile"),
    ({"postStartCommand": {"one": "make setup", "two": "pip install ."}}, "not a target of the Makefile"),
    ({"forwardPorts": 8888}, "wrong type"), ({"image": "mcr.microsoft.com/devcontainers/python:3.10-bookworm"}, "do not fit"),
    ({"image": "debian"}, "names no Python"),
])
def test_a_file_that_cannot_work_is_found(change: dict[str, Any], fault: str) -> None:
    (sentence,) = faults({**json.loads(FILE.read_text()), **change})
    assert fault in sentence
