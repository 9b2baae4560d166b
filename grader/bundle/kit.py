"""The kit inside a bundle: grader, pack and solutions in a folder of their own, as pip would lay out a package.

It is not installed: whatever lies in site-packages can be read by student code, and this folder cannot.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import shutil
from collections.abc import Iterable
from pathlib import Path

from grader.handout.contents import LEFT_OUT
from grader.model.errors import UsageError
from grader.model.pack import Exercise, Pack
from grader.pack.fixtures import Fixtures
from grader.pack.outline import CHOSEN_FILE
from grader.plugins import PROJECT
from grader.plugins.bundle import Course
from grader.plugins.registry import Plugins

ENGINE = Path(__file__).resolve().parents[1]
DISTRIBUTION = "attention-kit"
# What is not missed in a bundle: it makes none itself, grades no batch, and has its own platform's format.
NOT_MISSED = {"grader_reporters", "grader_bundles", "grader_executors"}


def course(
    plugins: Plugins,
    pack: Pack,
    exercises: Iterable[Exercise],
    *,
    seconds: float,
    sandbox: tuple[str, ...] | None,
    image: str,
) -> Course:
    """All that a bundle is made of. Raises UsageError in a copy without solutions, or beside others' plugins."""
    _refuse_others(plugins)
    chosen = {exercise.id for exercise in exercises}
    graded = tuple(exercise for exercise in pack.exercises if not chosen or exercise.id in chosen)
    if plugins.reference(pack.name) is None:
        raise UsageError(
            "This copy has no solutions, so a bundle of it could ask public cases alone: make it from the course's own."
        )
    solutions = tuple(_folder(name) for name in _packages(plugins, pack))
    return Course(pack, graded, len(graded) == len(pack.exercises), solutions, _names(), seconds, sandbox, image)


def write_kit(folder: Path, course: Course, *, with_solutions: bool) -> None:
    """Write grader, pack and, for a platform that keeps them from students, solutions into a folder."""
    source = course.pack.source
    copied = [(ENGINE, "grader"), (source.exercises, "exercises"), (source.fixtures, "fixtures")]
    copied += [(solution, solution.name) for solution in course.solutions] if with_solutions else []
    for path, name in copied:
        shutil.copytree(path, folder / name, ignore=shutil.ignore_patterns(*LEFT_OUT))
    fixtures = Fixtures(course.pack)
    for exercise in course.pack.exercises:  # what lies in `exercises/` may be somebody's own work
        shutil.copyfile(fixtures.stub_file(exercise), folder / "exercises" / exercise.file)
    (folder / "exercises" / CHOSEN_FILE).unlink(missing_ok=True)  # a bundle's own settings say which count
    for name, text in course.names.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def _refuse_others(plugins: Plugins) -> None:
    """A bundle has the kit's own plugins alone; without another's, it would grade differently from here."""
    for name, plugin in plugins.manager.list_name_plugin():
        brought = {caller.name for caller in plugins.manager.get_hookcallers(plugin) or ()} - NOT_MISSED
        distribution = plugins.distributions.get(name, DISTRIBUTION)
        if brought and distribution.replace("_", "-").lower() != DISTRIBUTION:
            raise UsageError(
                f"{distribution} brings a plugin ({', '.join(sorted(brought))}) that a bundle would leave out. Make "
                f"the bundle where {distribution} is not installed, and have the bundle's setup.sh install it if "
                "grading needs it; what a rubric names must be part of the kit itself."
            )


def _packages(plugins: Plugins, pack: Pack) -> list[str]:
    """The packages of the plugins that bring solutions of a pack."""
    brought = [
        implementation.plugin.__name__
        for implementation in plugins.hook.grader_solutions.get_hookimpls()
        if implementation.function(pack=pack.name)
    ]
    return sorted({name.partition(".")[0] for name in brought})


def _folder(package: str) -> Path:
    specification = importlib.util.find_spec(package)
    if specification is None or not specification.submodule_search_locations:
        raise UsageError(f"The plugin {package} is one file; a bundle takes solutions that are a package.")
    return Path(specification.submodule_search_locations[0])


def _names() -> dict[str, str]:
    """The files by which Python finds the plugins of an installed package: its name, its version, its entry points."""
    try:
        installed = importlib.metadata.distribution(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        raise UsageError(f"{DISTRIBUTION} is not installed here, so its plugins cannot be found.") from None
    folder = f"{PROJECT}-{installed.version}.dist-info"
    entries = installed.read_text("entry_points.txt") or ""
    metadata = f"Metadata-Version: 2.1\nName: {DISTRIBUTION}\nVersion: {installed.version}\n"
    return {f"{folder}/METADATA": metadata, f"{folder}/entry_points.txt": entries}
