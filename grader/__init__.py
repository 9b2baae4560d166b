"""The engine that grades a pack of tensor exercises, and imports none of them."""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.2.0"


def load_ipython_extension(shell: Any) -> None:
    """What IPython calls for `%load_ext grader`. By name, so that nothing else that imports this package loads it."""
    importlib.import_module("grader.jupyter.extension").load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """What IPython calls for `%unload_ext grader`."""
    importlib.import_module("grader.jupyter.extension").unload(shell)
