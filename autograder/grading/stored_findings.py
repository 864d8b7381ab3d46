"""The findings of one grading by exercise, in a form that can be kept: a later grading then repeats only what has changed.

What one exercise leaves for the next one forbids keeping: a submission that used up a limit for all exercises, let the grader
wait, or could be loaded only without its own statements is graded as a whole each time. So is one whose findings the host may
have influenced. The processor time of kept findings is charged as if their checks had run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from autograder.grading.outcomes import Finding
from autograder.grading.report import Outcome, SearchTree, search_tree
from autograder.submission.read import Submission

TREE = "tree"  # the id of the part beside the exercises and the joint check: the tree of one's own search
Problem = tuple[str, int, str, str]  # of loading: label, line, kind and text of an error


@dataclass(frozen=True)
class Part:
    """The findings of one exercise, or of the joint check, in one submission; or the tree of its search.

    cpu_s, wall_s: what its processes used, of the limits for the whole submission.
    answer: one that can be guessed: the edition of the question, and the answer; see hidden_checks/one_answer.py.
    """

    findings: tuple[Finding, ...] = ()
    cpu_s: float = 0.0
    wall_s: float = 0.0
    answer: tuple[str, str] | None = None
    tree: SearchTree | None = None


@dataclass(frozen=True)
class Parts:
    """The parts of one grading, by exercise.

    code: of the submission, see `code_of`. sha256: of its files. problems: of loading.
    """

    code: str
    sha256: str
    problems: tuple[Problem, ...]
    by_id: Mapping[str, Part] = field(default_factory=dict)

    def to_data(self) -> dict[str, Any]:
        """Return the parts as JSON; `from_data` is the inverse."""
        return {"code": self.code, "sha256": self.sha256, "problems": [list(problem) for problem in self.problems],
                "parts": {id: asdict(part) for id, part in self.by_id.items()}}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Parts | None:
        """Return the parts in the data of `to_data`; None if the data are damaged."""
        try:
            problems = tuple((label, line, kind, text) for label, line, kind, text in data["problems"])
            return cls(data["code"], data["sha256"], problems, {id: _part(part) for id, part in data["parts"].items()})
        except (AttributeError, KeyError, TypeError, ValueError):
            return None


def code_of(submission: Submission) -> str:
    """Return a hash over all that a process loads of a submission: the cells of code with their labels, in order."""
    return hashlib.sha256(json.dumps([submission.form, submission.code()]).encode()).hexdigest()


def _part(data: Mapping[str, Any]) -> Part:
    findings = tuple(Finding(**{**finding, "outcome": Outcome(finding["outcome"])}) for finding in data["findings"])
    answer = (data["answer"][0], data["answer"][1]) if data["answer"] else None
    return Part(findings, data["cpu_s"], data["wall_s"], answer, search_tree(data["tree"]))
