"""`grade export`: what a class handed in, as other programs take it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import options
from grader.cli.pack import load
from grader.cli.paths import there_is_nothing
from grader.cli.telling import echo
from grader.model.errors import NobodyToGrade, UsageError
from grader.model.text import clean

if TYPE_CHECKING:
    from grader.model.handed import Handed
    from grader.model.pack import Exercise, Pack
    from grader.report.dolos import Own
    from grader.submission.intake import Intake

ENDING = ".zip"


@click.command(
    name="export",
    short_help="Pack a class's sources for a search for copies.",
    epilog="Example: grade export --dolos class.zip submissions.zip --exercise ex12",
)
@click.argument("path", type=options.PATH)
@click.option(
    "--dolos", "file", type=options.PATH, required=True, metavar="FILE.zip",
    help="The zip that Dolos (https://dolos.ugent.be) reads.",
)  # fmt: skip
@options.layout_option
@options.exercise_option("Only this exercise")
def command(path: Path, file: Path, layout: str, exercises: tuple[str, ...]) -> None:
    """Pack what was handed in at PATH, which is whatever `grade batch` takes, for a search for similar programs.

    One file a student, without what the stubs gave. Who is left out is said, and why. Nothing is executed or graded.
    """
    from grader.plugins.registry import Plugins
    from grader.report.dolos import write_dolos
    from grader.submission.intake import recognise
    from grader.submission.own_work import stub_text

    _check(path, file)
    pack = load(Plugins())
    wanted = {options.find_exercise(pack, name).id for name in exercises}
    chosen = [exercise for exercise in pack.exercises if not wanted or exercise.id in wanted]
    intake = recognise(path, pack, layout)
    echo(clean(intake.said))
    given = _as_handed_out(pack)
    stubs = "\n\n".join(stub_text(given, exercise.id) for exercise in chosen)
    count = write_dolos(file, stubs, _students(intake, given, chosen))
    echo(f"{count} of {len(intake)} in {file}")


def _check(path: Path, file: Path) -> None:
    """Raises NobodyToGrade and UsageError."""
    if not path.exists():
        raise NobodyToGrade(there_is_nothing(path))
    if file.suffix.lower() != ENDING:
        raise UsageError(f"--dolos {file}: Dolos knows its file by the ending {ENDING}; name it so.")
    if file.resolve() == path.resolve() or file.resolve().is_relative_to(path.resolve()):
        raise UsageError(f"{file} lies in {path}, whose every entry is a submission; name a file elsewhere.")
    options.check_file(file)


def _as_handed_out(pack: Pack) -> Pack:
    """The pack with its stubs as students get them, whatever they hold by now. Raises FixtureError."""
    from grader.pack.fixtures import Fixtures

    fixtures = Fixtures(pack)
    folder, *_ = {fixtures.stub_file(exercise).parent for exercise in pack.exercises}  # each is held to its digest
    return replace(pack, source=replace(pack.source, exercises=folder))


def _students(intake: Intake, pack: Pack, chosen: Sequence[Exercise]) -> Iterator[Own]:
    """Each student's own text; who has none is told. Raises NobodyToGrade where nobody has any."""
    from grader.report.dolos import Own
    from grader.submission.own_work import own_work

    count = 0
    for handed in intake:
        text = own_work(handed.submission, pack, chosen) if handed.submission else ""
        for sentence in _left_out(handed, chosen, has_text=bool(text)):
            echo(f"{handed.id}: {sentence}", err=True)
        if text:
            count += 1
            identity = handed.identity
            yield Own(handed.id, identity.name or handed.id, text, identity.handed_in, late=identity.late)
    if not count:
        raise NobodyToGrade("Nobody has written anything that could be compared.")


def _left_out(handed: Handed, chosen: Sequence[Exercise], *, has_text: bool) -> list[str]:
    """What of a student's work is not there, in sentences."""
    if handed.submission is None:
        return [f"left out. {handed.refused}"]
    unreadable = [handed.submission.unreadable.get(exercise.id, "") for exercise in chosen]
    told = [clean(sentence) for sentence in unreadable if sentence]
    if has_text:
        return told
    return [" ".join(["left out.", *(told or ["Nothing here is more than the stubs."])])]
