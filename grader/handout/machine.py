"""What a workspace needs of the machine it is made on, in sentences; `grade doctor` looks closer."""

from __future__ import annotations

import platform
import re
import tomllib
from collections.abc import Mapping

from grader.handout.contents import TEMPLATES
from grader.words import say

_BOUND = re.compile(r"(?P<name>[\w-]*)\s*>=\s*(?P<version>[\d.]+)")


def said_of_machine(torch: str, python: str = platform.python_version()) -> str:
    """Whether Python and torch will do. torch, python: versions; torch "" where there is none."""
    needed = _needed()
    if _is_older(python, needed["python"]):
        return say("init.old-python", version=python, needed=needed["python"])
    if not torch:
        return say("init.no-torch", version=python)
    if _is_older(torch, needed["torch"]):
        return say("init.old-torch", version=torch, needed=needed["torch"])
    return say("init.will-do", python=python, torch=torch)


def _needed() -> Mapping[str, str]:
    """The oldest versions that the workspace's own pyproject.toml takes."""
    project = tomllib.loads((TEMPLATES / "pyproject.toml").read_text("utf-8"))["project"]
    bounds = [match for text in project["dependencies"] if (match := _BOUND.match(text))]
    own = _BOUND.match(project["requires-python"])
    assert own is not None
    return {match["name"]: match["version"] for match in bounds} | {"python": own["version"]}


def _is_older(version: str, bound: str) -> bool:
    here, there = ([int(part) for part in re.findall(r"\d+", text)[:3]] for text in (version.partition("+")[0], bound))
    return here < there
