"""The hash of what a figure measured: code and data count, words about the code do not."""

from pathlib import Path

import pytest

from assets.make.inputs import SEARCH, hash_of, what_counts

CODE = '''"""A module."""
import os  # for paths


class A:
    """A class
    of two lines."""

    def f(self, x: int) -> str:
        """A function."""
        return f"{x} # no comment"  # a comment
'''


def test_comments_docstrings_and_blank_lines_do_not_count() -> None:
    assert what_counts(CODE) == 'import os\nclass A:\n    def f(self, x: int) -> str:\n        return f"{x} # no comment"'


@pytest.mark.parametrize("change, same", [(("a comment", "another"), True), (("A class", "The class"), True),
                                          (("# no", "# yes"), False), (("x: int", "x: float"), False)])
def test_the_hash_changes_with_the_code_alone(tmp_path: Path, change: tuple[str, str], same: bool) -> None:
    hashes = []
    for text in (CODE, CODE.replace(*change)):
        (tmp_path / "a.py").write_text(text)
        hashes.append(hash_of(["*.py"], tmp_path))
    assert (hashes[0] == hashes[1]) == same


def test_data_and_names_count(tmp_path: Path) -> None:
    hashes = set()
    for name, data in (("a.npz", b"1"), ("a.npz", b"2"), ("b.npz", b"2")):
        (tmp_path / name).write_bytes(data)
        hashes.add(hash_of(["*.npz"], tmp_path))
        (tmp_path / name).unlink()
    assert len(hashes) == 3


def test_a_pattern_without_a_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="has no file"):
        hash_of(["*.npz"], tmp_path)


def test_the_search_s_files_are_all_that_the_network_s_player_imports() -> None:
    root = Path(__file__).resolve().parents[2]
    named = {path.relative_to(root).as_posix() for pattern in SEARCH for path in root.glob(pattern)}
    imported = set()
    for path in named:
        for line in (root / path).read_text(encoding="utf-8").splitlines():
            if line.startswith("from arena.players."):
                module = line.split()[1].replace(".", "/")
                imported.add(f"{module}/__init__.py" if (root / module).is_dir() else f"{module}.py")
    assert imported and imported <= named
