"""A student's file, run in this interpreter as a notebook runs it, and the player with a network that it describes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from arena import work
from arena.errors import UserError
from arena.games import ConnectFour
from arena.weights_file import NAME, WeightsError, check_size, parse


def run_file(path: Path, tell: Callable[[str], None], first: Sequence[str] = ()) -> tuple[work.Work, ModuleType]:
    """Run a student's file; return what was read, and the resulting module.

    Args:
        path: a notebook, a module, or a folder with one problem set.
        tell: takes a sentence for every cell that failed while it was loaded.
        first: names of problem sets; of several sets in a folder the first of these is meant.

    Raises:
        UserError: the file does not exist.
    """
    stem = _stem(path, first)
    try:
        own_work = work.read(stem)
    except work.NoWork as nothing:
        raise UserError(f"{path}: {nothing}") from None
    for sentence in (*own_work.remarks, *work.not_in_grading(own_work), *work.load(own_work)):
        tell(sentence)
    return own_work, sys.modules[stem.name]


def _stem(path: Path, first: Sequence[str]) -> Path:
    if not path.is_dir():
        return path.with_suffix("")
    stems = work.problem_sets(path)
    meant = [stem for name in first for stem in stems if stem.name == name][:1] or stems
    if len(meant) != 1:
        names = ", ".join(stem.name for stem in stems) or "none"
        raise UserError(f"{path} is a folder with {len(stems)} problem sets ({names}): name one file")
    return meant[0]


def network_player(module: ModuleType, weights: Path) -> Any:
    """Return the module's `AlphaMCTS` for Connect Four, over its own network with the weights of a file.

    The file is read as in the exam, and not by the module's `load_weights`: what the exam refuses is refused here.

    Raises:
        UserError: no weights that the exam takes, or they do not fit the network that `make_net` makes, or a part is not
            written yet.
    """
    import torch  # where there is a network, there is torch; the other players do without it

    if not weights.is_file():
        raise UserError(f"there is no {NAME} in {weights.parent}: the last experiment of problem set 5 writes it")
    game = ConnectFour()
    try:
        check_size(weights.stat().st_size)
        arrays = parse(weights.read_bytes())
        net = module.make_net(game)
        net.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
        return module.AlphaMCTS(game, net)
    except WeightsError as error:
        raise UserError(str(error)) from None
    except NotImplementedError as error:
        raise UserError(f"{module.__file__}: {error}") from None
    except Exception as error:
        raise UserError(f"{weights} does not fit the network that make_net makes ({type(error).__name__})") from None
