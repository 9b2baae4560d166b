"""The parent process never imports torch: numpy is enough to judge with, and torch takes seconds."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Everything of the grader but the worker, and everything that plugins bring.
EVERYTHING = """
import importlib, pkgutil, sys
import grader
for module in pkgutil.walk_packages(grader.__path__, "grader."):
    if not module.name.startswith(("grader.worker", "grader.__main__")):
        importlib.import_module(module.name)
from grader.plugins.registry import Plugins
plugins = Plugins()
plugins.packs, plugins.checks, plugins.reporters, plugins.executors, plugins.solutions("attention")
"""
LOADED = "\nprint(*sorted({name.split('.')[0] for name in sys.modules}))\n"


def loaded_after(code: str) -> set[str]:
    """The top-level modules that this code leaves loaded, in a Python of its own."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}{LOADED}"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "code",
    [
        # What is among everything below, and where that fails says what it came by.
        pytest.param("import grader.cli.run", id="grade run", marks=pytest.mark.long),
        pytest.param("import grader.cli.main", id="grade", marks=pytest.mark.long),
        pytest.param("from grader.runner.grade import grade_submission", id="grading", marks=pytest.mark.long),
        pytest.param("from grader.cli import ids\nassert ids.steps(None, None, 'ex10.o')", id="a press of TAB"),
        pytest.param(EVERYTHING, id="everything but the worker"),
        pytest.param(
            "from grader.plugins.registry import Plugins\nfrom grader.pack.load import load_pack\n"
            "from grader.pack.fixtures import Fixtures\nplugins = Plugins()\n"
            "Fixtures(load_pack(plugins.pack(), plugins.checks)).check_bytes()",
            id="a pack and its fixtures",
        ),
    ],
)
def test_the_parent_never_imports_torch(code: str) -> None:
    loaded = loaded_after(code)

    assert "grader" in loaded
    assert "torch" not in loaded


def test_the_command_line_starts_without_what_it_may_not_need() -> None:
    loaded = loaded_after("import grader.cli.main, grader.cli.run")

    assert not loaded & {"numpy", "pydantic", "rich", "yaml", "safetensors", "jinja2"}
