"""Wrong answers that are written as edits of our solution: the result of an edit, and the edits that are refused."""

import ast
import re
from pathlib import Path

import pytest

from arena.errors import UserError
from autograder.problem_sets.bank.answers import load_bank
from autograder.problem_sets.bank.edits import EditError, written_out
from autograder.problem_sets.source import names

WRONG = Path("tests/wrong")
LINES_AN_ANSWER = 6.0


def test_an_edit_becomes_the_whole_function_in_its_place() -> None:
    edits = 'swap("backpropagate", "-value", "value")\nput("backpropagate", "while", "value = 0")\n'
    code = written_out("ps2_uct", f"_seen = []\n{edits}")
    assert code.startswith("_seen = []\ndef backpropagate(node")
    (_, function) = ast.parse(code).body
    assert ast.unparse(function.body) == (
        "value = 0\nwhile node is not None:\n    node.num_visits += 1\n    node.total_value += value\n"
        "    node, value = (node.parent, value)"
    )
    assert '"""' not in code and "#" not in code


def test_code_without_an_edit_stays_as_it_is() -> None:
    code = "def backpropagate(node, value):\n    swap = node  # no edit\n    swap_root(swap)\n"
    assert written_out("no set", code) == code


def test_lines_are_indented_from_the_line_that_is_edited() -> None:
    code = written_out("ps2_uct", 'swap("backpropagate", "node.num_visits += 1\\nnode", "if value:\\n    pass\\nnode")')
    assert "    while node is not None:\n        if value:\n            pass\n        node.total_value += value\n" in code


def test_a_word_of_the_signature_is_found_where_the_body_has_it_nowhere() -> None:
    edit = 'swap("simulate", "max_plies: int | None = None", "max_plies: int | None = 50")'
    assert "max_plies: int | None = 50" in written_out("ps2_uct", edit)


def test_a_method_is_bound_to_its_class() -> None:
    code = written_out("ps2_uct", 'swap("TreeNode.is_terminal", "is not", "is")')
    assert code.endswith("\nTreeNode.is_terminal = is_terminal\n")
    assert written_out("ps1_games", 'swap("TicTacToe.mask", "==", "!=")').startswith("@method_of(TicTacToe)\ndef mask(")
    edit = 'swap("Policy.__init__", "self.policy_head", "self.policy")'
    assert "super(Policy, self).__init__()" in written_out("ps5_alphazero", edit)


@pytest.mark.parametrize(
    "edit, fault",
    [
        ('swap("backpropagate", "-worth", "worth")', "'-worth' does not appear in backpropagate"),
        ('swap("backpropagate", "value", "worth")', "'value' appears more than once in backpropagate"),
        ('swap("backpropagate", "", "worth")', "'' appears more than once"),
        ('swap("backpropagate", "-value", "- value")', "changes nothing"),
        ('swap("backpropagate", "-value", "-")', "gives invalid Python"),
        ('swap("back_up", "-value", "value")', "no function 'back_up'"),
        ('swap("backpropagate", "-value")', "an edit has three texts"),
        ('swap("backpropagate", "-value", 1)', "an edit has three texts"),
        ('put("backpropagate", "while", new="pass")', "an edit has three texts"),
    ],
)
def test_an_edit_that_does_not_apply_is_refused(edit: str, fault: str) -> None:
    with pytest.raises(EditError, match=re.escape(fault)):
        written_out("ps2_uct", edit)


def test_the_error_names_file_and_cell(tmp_path: Path) -> None:
    bank = tmp_path / "ps2_uct.py"
    bank.write_text('# %% 2.5: no flip\nswap("backpropagate", "-worth", "worth")\n')
    with pytest.raises(UserError, match=r"ps2_uct\.py: the cell '2\.5: no flip': swap: '-worth' does not appear"):
        load_bank(bank)
    other = tmp_path / "bank.py"
    other.write_text(bank.read_text())
    with pytest.raises(UserError, match="only a bank with the name of a problem set can have edits"):
        load_bank(other)
    bank.write_text("# %% 2.5: no flip\ndef backpropagate(\n")
    with pytest.raises(UserError, match=r"the cell '2\.5: no flip': .+line 1"):
        load_bank(bank)


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("ps", names())
def test_every_wrong_answer_applies_is_short_and_has_words_of_its_hint(ps: str) -> None:
    bank = WRONG / f"{ps}.py"
    answers = load_bank(bank)
    assert [answer.title for answer in answers if not answer.hint or len(answer.hint) > 60] == []
    assert len(bank.read_text(encoding="utf-8").splitlines()) <= LINES_AN_ANSWER * len(answers)
    assert len({answer.code for answer in answers}) > 0.95 * len(answers)
