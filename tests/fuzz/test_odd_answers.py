"""The scripted line carries a hidden check: true answers pass, changed answers do not, and a wrong end of a check is noticed."""

from random import Random

import pytest

from tests.fuzz.odd_answers import ALLOWED, Escaped, changed, escaped
from tests.fuzz.replay import Recorded, Turn, recorded

pytestmark = pytest.mark.usefixtures("processes")


@pytest.mark.usefixtures("repetition")
def test_what_our_solution_said_passes_every_check_again():
    assert len(recorded("ps1_games")) > 50
    for record in recorded("ps1_games"):
        record.play(list(record.turns))


@pytest.mark.usefixtures("repetition")
def test_changed_answers_are_noticed():
    """a few of the changes have no effect (a field that no check reads, an extra question), most must fail the check"""
    failed = 0
    for record in recorded("ps1_games"):
        for number in range(3):
            try:
                record.play(changed(record.turns, Random(number)))
            except ALLOWED:
                failed += 1
            except Exception:
                pass
    assert failed > len(recorded("ps1_games"))


@pytest.mark.usefixtures("repetition")
def test_what_comes_out_of_a_check_beside_its_verdict_is_told():
    def bad(student):
        return 1 // student.negamax(None)

    record = recorded("ps1_games")[0]
    check = type(record.check)(**{**vars(record.check), "function": bad, "asks_for": frozenset({"student"}), "name": "bad",
                             "parameters": {}})
    turns = [Turn(("call", "negamax"), [(1, "ok", 0.0)])]
    escape = escaped(Recorded("ps1_games", check, ()), turns)
    assert isinstance(escape, Escaped) and escape.check == "bad" and escape.error.startswith("ZeroDivisionError")
    assert escaped(Recorded("ps1_games", check, ()), [Turn(("call", "negamax"), [(1, "ok", "text")])]) is None
