"""The code and the data that a figure measured, as one hash: comments, docstrings and blank lines of Python do not count."""

import ast
import hashlib
import io
import tokenize
from collections.abc import Iterable
from pathlib import Path

from arena.shipped import CHECKOUT

# what the network's figures at Connect Four come from; the network and the positions are added
SEARCH = ("arena/games/connect_four.py", "arena/players/bitboard.py", "arena/players/network.py", "arena/players/planes.py",
          "arena/players/puct/*.py", "arena/players/rules.py", "arena/players/threats.py")  # fmt: skip

WITH_DOCSTRINGS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def hash_of(patterns: Iterable[str], root: Path = CHECKOUT) -> str:
    """Return 16 hexadecimal digits for the files that match these patterns, their names included.

    Raises:
        FileNotFoundError: a pattern matches no file.
    """
    digest = hashlib.sha256()
    for pattern in patterns:
        paths = sorted(root.glob(pattern))
        if not paths:
            raise FileNotFoundError(f"{root} has no file {pattern}")
        for path in paths:
            data = path.read_bytes()
            counted = what_counts(data.decode()).encode() if path.suffix == ".py" else data
            digest.update(f"{path.relative_to(root).as_posix()} {len(counted)}\n".encode() + counted)
    return digest.hexdigest()[:16]


def what_counts(source: str) -> str:
    """Return Python source without comments, docstrings and blank lines."""
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            line, column = token.start
            lines[line - 1] = lines[line - 1][:column]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, WITH_DOCSTRINGS) and ast.get_docstring(node, clean=False) is not None:
            text = node.body[0]
            for line in range(text.lineno - 1, text.end_lineno or text.lineno):
                lines[line] = ""
    return "\n".join(line.rstrip() for line in lines if line.strip())
