"""Whether a workspace can be made: of whole fixtures, in a folder of its own."""

from __future__ import annotations

from pathlib import Path

from grader.handout.contents import enclosing
from grader.model.errors import PackError, UsageError
from grader.model.pack import Pack
from grader.pack.fixtures import Fixtures
from grader.words import say


def check_free(folder: Path) -> None:
    """Raises UsageError where there is something that would be mixed with what is written."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(say("init.is-a-file", folder=folder))
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(say("init.not-empty", folder=folder))


def check_outside(folder: Path) -> None:
    """Raises UsageError where a folder lies in what would be taken for it."""
    around = enclosing(folder)
    if around is not None:
        raise UsageError(say("init.lies-in-another", folder=folder, around=around))


def check_stubs(pack: Pack) -> list[str]:
    """Look at all that is handed out. Returns the exercises that were worked on here, whose untouched stubs the
    fixtures hold. Raises FixtureError where the fixtures, or the stubs in them, are broken, and PackError for a pack
    that a workspace, which finds its own by `exercises/__init__.py`, would not have."""
    if not (pack.source.exercises / "__init__.py").is_file():
        raise PackError(
            f"{pack.source.exercises} has no __init__.py that gives it by the hook grader_packs, so that a workspace "
            "would have no pack: docs/plugins.md, A pack."
        )
    fixtures = Fixtures(pack)
    fixtures.check_all(pack)
    return fixtures.changed_stubs(pack)


def said_of_stubs(worked_on: list[str], pack: Pack) -> str:
    """A sentence where stubs are handed out that are not those of this copy; "" where there is nothing to say."""
    if not worked_on:
        return ""
    files = ", ".join(f"{name}.py" for name in worked_on)
    return say("init.worked-on", folder=pack.source.exercises, files=files)
