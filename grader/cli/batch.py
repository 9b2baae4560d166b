"""`grade batch`: grades what many students handed in, and goes on where it was stopped."""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from grader.cli import options
from grader.cli.interrupts import give_back_cursor, on_interrupt
from grader.cli.pack import load
from grader.cli.paths import Place, there_is_nothing
from grader.cli.profile import profiled
from grader.cli.spoken import Spoken
from grader.cli.telling import echo
from grader.model.errors import BatchStopped, ExitCode, NobodyToGrade, NotWritten, UsageError
from grader.model.profile import phase
from grader.model.text import clean, plural, some
from grader.plugins.executor import MOST_JOBS, Site

if TYPE_CHECKING:
    from grader.model.order import Order
    from grader.model.pack import Pack
    from grader.model.reporter import Reporter
    from grader.plugins.registry import Plugins
    from grader.report.summary import Entry
    from grader.report.tally import Tally
    from grader.runner.batch.batch import Batch
    from grader.runner.batch.output import OutputFolder
    from grader.submission.intake import Intake

# What lies in the output folder beside the results.
SUMMARY, PAGE = "summary.csv", "index.html"
GO_ON = "Run the same command again to go on: what is graded is kept."
PEM = Place(path_type=Path, exists=True, dir_okay=False, readable=True)


@click.command(
    cls=Spoken,
    name="batch",
    short_help="Grade many submissions.",
    epilog="Example: grade batch submissions.zip --out results --gradebook canvas=grades.csv",
)
@click.argument("path", type=options.PATH)
@click.option("--out", type=options.PATH, required=True, metavar="DIR", help="Folder for the results.")
@options.layout_option
@click.option(
    "--jobs", type=options.WholeNumber(1, MOST_JOBS), default=None, metavar="N",
    help="How many submissions to grade at once.  [default: the cores]",
)  # fmt: skip
@click.option(
    "--cluster", default="", metavar="ADDRESS",
    help="Grade on the workers of a Dask scheduler, such as tls://host:8786.  [default: on this machine]",
)  # fmt: skip
@click.option("--tls-ca", type=PEM, metavar="FILE", help="Who may sign the cluster's certificates.")
@click.option("--tls-cert", type=PEM, metavar="FILE", help="This machine's certificate for the cluster.")
@click.option("--tls-key", type=PEM, metavar="FILE", help="Its key, unless it is in the same file.")
@click.option("--insecure", is_flag=True, help="Take a tcp:// cluster that others could reach and listen to.")
@click.option("--regrade", is_flag=True, help="Grade anew what has not changed, too.")
@click.option(
    "--gradebook", "gradebooks", multiple=True, metavar="PLATFORM=FILE",
    help="Write points as canvas or moodle imports them; may be repeated.",
)  # fmt: skip
@click.option("--assignment", default=None, metavar="TITLE", help="The gradebook's column.  [default: the pack's name]")
@options.grading_options
@options.language_option
@click.pass_context
def command(
    context: click.Context,
    path: Path,
    out: Path,
    layout: str,
    jobs: int | None,
    cluster: str,
    tls_ca: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    insecure: bool,
    regrade: bool,
    gradebooks: tuple[str, ...],
    assignment: str | None,
    given: options.Given,
) -> None:
    """Grade every submission in PATH: a folder with one folder or module for each student, or a platform's download.

    Results go to DIR/results, one report each, DIR/summary.csv, and pages to read: DIR/index.html of all, and of each
    student one in DIR/students. Run again, it goes on where it was stopped and keeps what has not changed. Exits 0 when
    all were graded, whatever their marks, and 1 where the grader or the machine kept some from being graded.
    """
    from grader.plugins.registry import Plugins
    from grader.report.tally import Tally
    from grader.runner.batch.batch import Batch
    from grader.runner.batch.lock import locked
    from grader.runner.batch.output import OutputFolder
    from grader.submission.intake import recognise

    if not path.exists():
        raise NobodyToGrade(there_is_nothing(path))
    _check_outside(out, path)
    books = _find_gradebooks(gradebooks, out)
    if assignment is not None and not books:
        raise UsageError("--assignment is the title of a gradebook's column, and no --gradebook is given.")
    site = Site(
        address=cluster, jobs=jobs or 0, tls_ca=tls_ca, tls_cert=tls_cert, tls_key=tls_key, is_insecure=insecure
    )
    if not cluster and site != Site(jobs=site.jobs):
        raise UsageError("--tls-ca, --tls-cert, --tls-key and --insecure are for a --cluster, and none is given.")
    if cluster and given.profile is not None:
        raise UsageError("--profile tells of this machine alone; leave out --cluster.")
    context.with_resource(profiled(given.profile))
    plugins = Plugins()
    pack = load(plugins)
    folders = _find_folders(plugins.reporters, given.formats, out, path)
    # A class is graded without the sandbox only where somebody allows it.
    asked = options.order(pack, replace(given, requires_sandbox=given.requires_sandbox is not False))
    _check_site(plugins, pack, asked, site)
    intake = recognise(path, pack, layout)
    if not len(intake):
        raise NobodyToGrade(f"There is no submission in {path}.")
    echo(clean(intake.said))
    with locked(out), _to_be_gone_on_with():
        output = OutputFolder(out, plugins.reporters["json"], folders)
        with closing(output.store):
            asked = _with_kept_seed(asked, output, is_given=given.seed is not None)
            batch = Batch(plugins, pack, asked, output, site, again=regrade)
            if others := batch.graded_otherwise:
                which = f"{plural(others, 'result')} in {out} {'is' if others == 1 else 'are'}"
                why = "of other options, another pack or another grader"
                echo(f"grade: {which} {why}; those handed in again are graded anew.", err=True)
            tally = Tally(len(intake))
            if _is_stopped(batch, intake, tally) and tally.done < tally.total:
                echo(f"grade: Interrupted after {tally.done} of {tally.total}. {GO_ON}", err=True)
                context.exit(ExitCode.INTERRUPTED)
            _write(pack, asked, output, books, assignment or pack.name, intake.layout)
            context.exit(_tell(tally, output, asked, books))


@contextmanager
def _to_be_gone_on_with() -> Iterator[None]:
    """What cannot be written from here on is no wrong usage: that there can be written was seen."""
    try:
        yield
    except NotWritten as error:
        raise BatchStopped(str(error)) from None


def _is_stopped(batch: Batch, intake: Intake, tally: Tally) -> bool:
    """Grade, and show how far it is. Returns whether Ctrl-C was pressed."""
    # Python says of a student's backslashes what it does not like; the parent only reads their source.
    warnings.filterwarnings("ignore", category=SyntaxWarning)
    with _interruptible(batch) as presses, tally:
        for finished in batch.grade(intake):
            if finished is None:
                tally.tick()
            else:
                tally.add(finished.outcome, is_kept=finished.is_kept)
    return bool(presses)


@contextmanager
def _interruptible(batch: Batch) -> Iterator[list[int]]:
    """While this lasts, Ctrl-C lets what runs finish, and a second one or another signal ends at once. Gives the list
    of all."""
    presses: list[int] = []

    def stop(number: int, _: FrameType | None) -> None:
        presses.append(number)
        batch.stop()
        # By the bare descriptor: the stream may be in the middle of a line when a signal comes, or its terminal closed.
        if len(presses) == 1 and number == signal.SIGINT:
            with suppress(OSError):
                os.write(2, b"\ngrade: finishing what runs; Ctrl-C again ends at once.\n")
            return
        try:  # what is stored is safe, and every worker ends with this process
            give_back_cursor()
            os.write(2, f"\ngrade: Interrupted. {GO_ON}\n".encode())
        finally:
            os._exit(ExitCode.INTERRUPTED)

    with on_interrupt(stop):
        yield presses


def _with_kept_seed(asked: Order, output: OutputFolder, *, is_given: bool) -> Order:
    """The order with the folder's own seed, unless one is given: all of a class gets the same fresh cases."""
    if output.store.get("seed") and not is_given:
        kept = output.store.number("seed", options.LARGEST_SEED)
        return replace(asked, seed=kept, seed_is_secret=bool(output.store.get("seed_is_secret")))
    output.store.set("seed", str(asked.seed))
    output.store.set("seed_is_secret", "yes" if asked.seed_is_secret else "")
    return asked


@phase("report")
def _write(
    pack: Pack, asked: Order, output: OutputFolder, books: Sequence[tuple[str, Path]], title: str, layout: str
) -> None:
    """Write the summary, the page of the class and the gradebooks, from what is stored.

    layout: the download's, of which all that was handed in this time is.
    """
    from grader.model.write import write_whole
    from grader.report.gradebook import Grade, grade_of, gradebook
    from grader.report.html.overview import Row, overview, row
    from grader.report.summary import summary
    from grader.runner.batch.output import page
    from grader.runner.grade import chosen

    exercises = chosen(pack, asked.exercises)
    steps = {step.id: step.visibility for exercise in exercises for step in exercise.steps}
    grades: list[Grade] = []
    rows: list[Row] = []
    output.store.end()

    def graded() -> Iterator[Entry]:
        for one in output.graded():
            grades.append(grade_of(one))
            rows.append(row(one, [*steps], page(one.report.submission["id"])))
            yield one

    write_whole(output.folder / SUMMARY, summary(steps, graded()))
    compared = bool(output.store.compared_with())
    left_over = output.store.left_over()
    seed = None if asked.seed_is_secret else asked.seed
    pieces = overview(pack, exercises, rows, seed=seed, is_compared=compared, left_over=left_over)
    write_whole(output.folder / PAGE, pieces)
    for platform, file in books:
        text, missing = gradebook(platform, title, grades, layout)
        write_whole(file, text)
        if missing:
            echo(f"{file}: {plural(missing, 'student')} left out: nothing says who they are there", err=True)


def _find_gradebooks(entries: Sequence[str], out: Path) -> list[tuple[str, Path]]:
    """Each platform with its file, which may lie in a folder that is yet to be made for out. Raises UsageError."""
    from grader.report.gradebook import PLATFORMS
    from grader.runner.batch import lock, store
    from grader.runner.batch.output import RESULTS, STUDENTS

    found = []
    for entry in entries:
        platform, _, file = entry.partition("=")
        if platform not in PLATFORMS or not file:
            raise UsageError(f"--gradebook {entry}: give it as {' or '.join(f'{each}=FILE' for each in PLATFORMS)}.")
        folder = Path(file).parent
        if folder.exists() or not out.resolve().is_relative_to(folder.resolve()):
            options.check_file(Path(file))
        found.append((platform, Path(file)))
    places = [file.resolve() for _, file in found]
    own = {(out / name).resolve() for name in (SUMMARY, PAGE, RESULTS, STUDENTS, store.NAME, lock.NAME)}
    if taken := next((file for file in places if own & {file, file.parent} or places.count(file) > 1), None):
        raise UsageError(f"{taken} would be written twice; name another file for each --gradebook.")
    return found


def _find_folders(
    reporters: Mapping[str, Reporter], formats: Sequence[str], out: Path, path: Path
) -> dict[Path, Reporter]:
    """The folder of each further format. Raises UsageError for an unknown one, and for one that is taken."""
    from grader.runner.batch.output import RESULTS, STUDENTS

    found: dict[Path, Reporter] = {}
    for entry in formats:
        reporter, folder = options.find_format(reporters, entry)
        if reporter.name == "json" and not folder:  # results/ is that already
            continue
        place = Path(folder) if folder else out / reporter.name
        if place.resolve() in {each.resolve() for each in (out / RESULTS, out / STUDENTS, *found)}:
            raise UsageError(f"Two formats would go to {place}; name another folder for one of them.")
        _check_outside(place, path)
        found[place] = reporter
    return found


def _check_site(plugins: Plugins, pack: Pack, asked: Order, site: Site) -> None:
    """Raises UsageError for a cluster that there is none of, and DeviceAbsent for a GPU that this machine has none of,
    before anybody waits for a large download to be read and anything is made."""
    if not site.address and asked.device == "cuda":
        from grader.runner.processes.start import start_worker
        from grader.runner.session import check_device, devices_of

        with closing(start_worker()) as worker:
            check_device(asked, devices_of(worker))
    if site.address:
        plugins.engine(pack, asked, site, lambda *_: None).close()


def _check_outside(place: Path, path: Path) -> None:
    """Raises UsageError where something is to be written among the submissions."""
    if place.resolve().is_relative_to(path.resolve()):
        raise UsageError(f"{place} lies in {path}, whose every entry is a submission; name another place.")


def _tell(tally: Tally, output: OutputFolder, asked: Order, books: Sequence[tuple[str, Path]]) -> ExitCode:
    from grader.report.outcome import Outcome, counts, duration

    kept = f", {tally.kept} kept as they were" if tally.kept else ""
    speed = f", {tally.rate:.2f} a second" if tally.done > tally.kept else ""
    seed = "" if asked.seed_is_secret else f", seed {asked.seed}"
    echo(f"{plural(tally.done, 'submission')} in {duration(tally.seconds)}{speed}{kept}{seed}")
    echo(f"  {counts(tally.outcomes)}")
    echo(f"  {output.results}, {output.folder / SUMMARY}")
    for platform, file in books:
        echo(f"  {platform} is written to {file}.")
    echo(f"  to read, in a browser: {output.folder / PAGE}")
    if left := output.store.left_over():
        echo(f"  {plural(len(left), 'submission')} of earlier runs, not handed in this time, left out: {some(left)}")
    failed = tally.outcomes[Outcome.UNGRADED]
    if failed:
        echo(f"grade: The grader itself failed on {plural(failed, 'submission')}. {GO_ON}", err=True)
    return ExitCode.LESS_THAN_FULL if failed else ExitCode.FULL_MARKS
