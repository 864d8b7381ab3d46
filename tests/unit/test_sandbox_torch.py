"""Torch in the sandbox: tensors travel as arrays, a network can belong to the grader, and everything is seeded."""

from collections.abc import Iterator

import numpy as np
import pytest

from autograder.grading.hidden_checks.answer_types import array, boolean, integer, node, pair, real
from autograder.grading.hidden_checks.student_proxy import Student
from autograder.problem_sets.source import facts_of
from autograder.sandbox.profiles import profile_of
from autograder.sandbox.sandbox import Sandbox
from tests.unit.in_the_sandbox import student_code

pytestmark = pytest.mark.usefixtures("processes")

CODE = """
import torch

def double(x):
    return 2 * x

def threads():
    return torch.get_num_threads()

def through(net, planes):
    with torch.no_grad():
        scores, value = net(planes)
    return float(scores.sum()), value

def layer():
    return torch.nn.Linear(2, 1)

def toss():
    return torch.rand(3)

def stepped():
    weights = torch.nn.Parameter(torch.zeros(2))
    optimizer = torch.optim.SGD([weights], lr=0.5)
    (weights * torch.tensor([1.0, 2.0])).sum().backward()
    optimizer.step()
    return weights
"""
TYPES = {
    "double": array(),
    "threads": integer,
    "through": pair(real, array()),
    "layer": node,
    "toss": array(),
    "stepped": array(),
    ".requires_grad": boolean,
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    made = Sandbox(profile_of(facts_of("ps5_alphazero")))
    yield made
    made.close()


@pytest.fixture
def student(sandbox: Sandbox) -> Iterator[Student]:
    fresh = Sandbox(sandbox.profile) if not sandbox.reusable else sandbox  # a user has only one user id
    with student_code(CODE, sandbox=fresh) as session:
        yield Student(session, TYPES, frozenset(), "own", with_torch=True)
    if fresh is not sandbox:
        fresh.close()


def test_tensors_go_in_and_come_back_as_arrays(student: Student) -> None:
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert (student.double(student.tensor(values)) == 2 * values).all()
    kept = student.call_and_keep("double", student.tensor(values, requires_grad=True))
    assert kept.requires_grad is True and (student.read(kept) == (2 * values).tolist())
    assert student.double(student.tensor(np.float32(1.5))) == 3.0


def test_a_network_of_the_grader_s_sees_every_call(student: Student) -> None:
    seen = []

    def answer(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        seen.append(planes)
        return np.ones((2, 4), np.float32), np.array([0.5, -0.5], np.float32)

    total, value = student.through(student.network(answer), student.tensor(np.zeros((2, 1))))
    assert total == 8.0 and value.tolist() == [0.5, -0.5]
    assert len(seen) == 1 and seen[0].shape == (2, 1)


def test_weights_are_given_and_read(student: Student) -> None:
    layer = student.layer()
    weights = {"weight": np.array([[1.0, 2.0]], np.float32), "bias": np.array([3.0], np.float32)}
    student.load_state(layer, weights)
    assert {name: value.tolist() for name, value in student.state(layer).items()} == {"weight": [[1.0, 2.0]], "bias": [3.0]}


def test_an_optimizer_needs_no_folder_to_write_to(student: Student) -> None:
    assert student.stepped().tolist() == [-0.5, -1.0]


def test_one_thread_and_a_generator_that_is_watched(student: Student) -> None:
    assert student.threads() == 1
    assert student.disturb(5) == student.global_state()
    first = student.toss()
    assert student.global_state() != student.disturb(5) == student.global_state()
    assert (student.toss() == first).all()
