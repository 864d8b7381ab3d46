"""The step of a build that puts folders beside `arena` into it: the assets that it loads, and the problem sets as released.

Everything else is in pyproject.toml. Links in `arena` would do without this file, but Windows checks them out as texts, and
what is built there would lack them.
"""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

TRAVELS = (
    "assets/connect_four_book.npz", "assets/connect_four_positions.npz", "assets/nets/*.npz", "assets/nets/README.md",
    "assets/strength/points.json",
    "assignments/ps*/ps*.py", "assignments/ps*/ps*.ipynb", "assignments/ps*/pytest.ini",
    "assignments/ps*/facts.json",
)  # fmt: skip
DRAFT = b"# %% [markdown] draft=true\n"  # begins the module of a problem set that is not released yet


class BuildWithFolders(build_py):
    """Copy these files to `arena/assets` and `arena/assignments`; an editable install finds them where they are."""

    def run(self) -> None:
        """Build, and copy."""
        super().run()
        if not self.editable_mode:
            for target, source in self._folders().items():
                self.mkpath(str(Path(target).parent))
                self.copy_file(source, target, preserve_mode=False)

    def get_source_files(self) -> list[str]:
        """Return what a source archive must hold."""
        return [*super().get_source_files(), *self._folders().values()]

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """Return what a wheel holds."""
        return [*super().get_outputs(include_bytecode), *self._folders()]

    def _folders(self) -> dict[str, str]:
        """Return target -> source of every file."""
        paths = [path for pattern in TRAVELS for path in sorted(Path().glob(pattern))]
        drafts = {path.parent for path in paths if path.read_bytes().startswith(DRAFT)}
        return {f"{self.build_lib}/arena/{path.as_posix()}": path.as_posix() for path in paths if path.parent not in drafts}


setup(cmdclass={"build_py": BuildWithFolders})
