"""The course's own late policy: a plugin in a file beside nbgrader_config.py, as nbgrader's documentation shows it.

nbgrader's commands run in the course folder and find the file there. Our own run starts elsewhere and loads the file by its path.
"""
from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from traitlets.config import Config
from traitlets.utils.importstring import import_item


def late_plugin_file(course: Path, config: Config) -> Path | None:
    """Return the file beside the configuration that holds the late plugin; None if there is none.

    The configuration names the plugin as text, `c.AssignLatePenalties.plugin_class = "late.PointsADay"`.
    """
    module = _name(config).rpartition(".")[0]
    file = course / f"{module}.py"
    return file if module.isidentifier() and module not in sys.stdlib_module_names and file.is_file() else None


def load_late_plugin(course: Path, config: Config) -> None:
    """Load the course's late plugin, so that nbgrader finds it by its name.

    Raises:
        Exception: any error from the plugin's file; ImportError or AttributeError: the plugin does not exist.
    """
    if not _name(config):
        return
    file = late_plugin_file(course, config)
    if file is not None:
        spec = spec_from_file_location(file.stem, file)
        if spec is None or spec.loader is None:
            raise ImportError(f"{file} is not a Python file")
        module = sys.modules[file.stem] = module_from_spec(spec)  # a plugin of another course may be loaded under this name
        spec.loader.exec_module(module)
    import_item(_name(config))


def _name(config: Config) -> str:
    """Return the plugin's name, "late.PointsADay"; "" if the configuration names none, or gives the class itself."""
    named = config.AssignLatePenalties.get("plugin_class")
    return named if isinstance(named, str) else ""
