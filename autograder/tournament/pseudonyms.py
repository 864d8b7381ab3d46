"""Handles: the public pseudonyms of students, the same in every run of a course.

They are drawn with the course's secret, so a reader who has the class list cannot compute them.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

FIRST = (
    "Amber Ancient Bold Brave Bright Brisk Calm Candid Cheerful Clever Copper Crimson Curious Daring Deft Distant Eager Early "
    "Fabled Fearless Fleet Gentle Golden Grand Hidden Humble Indigo Ivory Jolly Keen Kind Lively Lucid Lunar Mellow Merry Mighty "
    "Nimble Noble Olive Patient Playful Proud Quick Quiet Ready Rustic Sage Scarlet Serene Silent Silver Sly Snowy Solar Spry "
    "Steady Stellar Sunny Swift Tidy Valiant Velvet Witty"
).split()
SECOND = (
    "Badger Bear Beaver Bison Bobcat Buffalo Camel Caribou Condor Coyote Crane Cricket Curlew Dingo Dolphin Eagle Egret Eland "
    "Elk Falcon Ferret Finch Fox Gannet Gazelle Gecko Gibbon Hare Hawk Heron Ibex Ibis Impala Jackal Jaguar Kestrel Kiwi Koala "
    "Lemur Leopard Lynx Macaw Marmot Marten Moose Narwhal Ocelot Okapi Osprey Otter Owl Panda Pelican Plover Puffin Puma Quail "
    "Raven Robin Seal Stork Tapir Walrus Wolf"
).split()
NUMBERS = 90  # two digits each


def handles(secret: bytes, students: Iterable[str]) -> dict[str, str]:
    """Return every student's handle, such as "Brave Otter 27"; all handles are different.

    A handle depends on the secret and the student's name only, with an exception in one case of a few thousand: if two
    students would have the same handle, the later one in the alphabet gets another handle.
    """
    given: dict[str, str] = {}
    taken: set[str] = set()
    for student in sorted(set(students)):
        attempt = 0
        while (handle := _draw(secret, student, attempt)) in taken:
            attempt += 1
        taken.add(handle)
        given[student] = handle
    return given


def slug(handle: str) -> str:
    """Return a handle as a file name: "brave-otter-27"."""
    return handle.lower().replace(" ", "-")


def _draw(secret: bytes, student: str, attempt: int) -> str:
    digest = hmac.new(secret, f"handle {attempt} {student}".encode("utf-8", "surrogateescape"), hashlib.sha256).digest()
    number = int.from_bytes(digest, "big")
    number, first = divmod(number, len(FIRST))
    number, second = divmod(number, len(SECOND))
    return f"{FIRST[first]} {SECOND[second]} {10 + number % NUMBERS}"
