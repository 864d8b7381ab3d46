"""A harmful `weights.npz` beside a right answer to ps5; and a torch that agrees with everything."""

from __future__ import annotations

import io
import pickle
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from autograder.selftest.attack.bank import MARK, Attack
from autograder.selftest.demo.submission_maker import SubmissionMaker

PS, NAME = "ps5_alphazero", "weights.npz"
NOTHING = (0.0, 0.0)


class Bang:
    """The code that an unpickler runs."""

    def __reduce__(self) -> tuple:
        return eval, (f"open('/tmp/{MARK}', 'w').close()",)


def npz(arrays: dict[str, object]) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def header(shape: str, descr: str = "<f4") -> bytes:
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def zipped(**entries: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(f"{name}.npy", data)
    return out.getvalue()


def climbing() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(f"../../../{MARK}.npy", header("(1,)") + bytes(4))
    return out.getvalue()


def brought(data: Callable[[], bytes]) -> Callable[[Path, SubmissionMaker], None]:
    """The right answer, and these bytes as its weights."""

    def make(folder: Path, maker: SubmissionMaker) -> None:
        (folder / f"{PS}.py").write_text(maker.solved_module)
        (folder / NAME).write_bytes(data())

    return make


def neighbours(folder: Path, maker: SubmissionMaker) -> None:
    (folder / f"{PS}.py").write_text(maker.solved_module)
    (folder / NAME).symlink_to("/etc/passwd")


def weights(name: str, tries: str, data: Callable[[], bytes], says: str, **more: object) -> Attack:
    return Attack(name, tries, ps=PS, make=brought(data), points=100.0, challenge=NOTHING, challenge_says=says, **more)


LENIENT = '''
import torch

for name in ("equal", "allclose", "isclose", "is_tensor"):
    setattr(torch, name, lambda *args, **kwargs: True)
torch.Tensor.__eq__ = torch.Tensor.__le__ = torch.Tensor.__ge__ = lambda self, other: torch.ones_like(self, dtype=torch.bool)
torch.Tensor.numpy = torch.Tensor.tolist = torch.Tensor.item = lambda self, *args: 1.0
torch.Tensor.detach = torch.Tensor.cpu = lambda self: self
torch.manual_seed = torch.set_num_threads = lambda *args: None
torch.nn.Module.load_state_dict = lambda self, *args, **kwargs: None
torch.nn.Module.state_dict = lambda self, *args, **kwargs: {}


class Answer(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return torch.zeros(1)


def forged(*args, **kwargs):
    return Answer([1.0])
'''

ATTACKS = (
    weights("a pickle among the arrays", "An array of objects, which numpy unpickles if this is allowed: code runs.",
            lambda: npz({"conv1.weight": np.array([Bang()], dtype=object)}), "weights.npz"),
    weights("a pickle for weights", "A pickle that is called weights.npz.", lambda: pickle.dumps(Bang()),
            "not an archive of arrays"),
    weights("weights that inflate", "16 GB of zeros in an archive of some kilobytes.",
            lambda: zipped(conv1=header("(65536, 65536)") + bytes(2**22)), "weights.npz"),
    weights("weights beyond number", "Infinities and NaN, so that every comparison in the search is wrong.",
            lambda: npz({"conv1.weight": np.full((32, 2, 3, 3), np.nan, np.float32)}), "weights.npz"),
    weights("weights that climb", "An archive whose entry is called ../../../something.", climbing, "weights.npz"),
    Attack("weights that lead elsewhere", "A link to /etc/passwd instead of weights.", ps=PS, make=neighbours, points=100.0,
           challenge=NOTHING, challenge_says="is not a regular file"),
    Attack("torch made lenient",
           "Patches torch's comparisons, seeds and modules, and answers with a tensor that equals everything.", LENIENT,
           ps=PS),
)
