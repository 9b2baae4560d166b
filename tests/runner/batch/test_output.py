"""Files of results: whole or not there, and called what a file may be called."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.cli.batch import _with_kept_seed
from grader.model.errors import NotWritten, UsageError
from grader.model.handed import Handed, Identity
from grader.model.order import Order
from grader.model.write import write_whole
from grader.report.changes import Previous, statuses
from grader.report.formats.classroom50 import Classroom50
from grader.report.formats.gradescope import Gradescope
from grader.report.json import Json
from grader.report.outcome import Outcome
from grader.report.terminal import Terminal
from grader.runner.batch.output import OutputFolder, file_stem
from grader.runner.batch.store import Basis

from ...report.awkward import AWKWARD, HIDDEN_TITLE, SECRET
from ...report.hand_made import REPORT

BASIS = Basis("1" * 64, "2" * 64, "0.2.0", "3" * 64)
ADA = Handed("ada", Identity("Ada"), None)


@pytest.mark.parametrize(
    ("identifier", "stem"),
    [
        ("ada", "ada"),
        ("müller, jörg-2", "müller, jörg-2"),
        ("../../etc/passwd", "%2E./../etc/passwd".replace("/", "%2F")),
        (".hidden", "%2Ehidden"),
        ("a:b*c?", "a%3Ab%2Ac%3F"),
        ("dots.", "dots%2E"),
        ("line\nend", "line%0Aend"),
    ],
)
def test_an_id_becomes_the_name_of_a_file_anywhere(identifier: str, stem: str) -> None:
    assert file_stem(identifier) == stem


def test_long_ids_stay_apart() -> None:
    one, other = file_stem("ü" * 300 + "1"), file_stem("ü" * 300 + "2")

    assert one != other
    assert max(len(one.encode()), len(other.encode())) < 140


def test_the_page_of_what_was_handed_in_late_says_so(tmp_path: Path) -> None:
    output = OutputFolder(tmp_path, Json(), {})
    output.store.begin()
    for one in (ADA, Handed("eve", Identity("Eve", late=True), None)):
        output.keep(one, REPORT, Outcome.PARTIAL, BASIS)

    assert {each.stem: "handed in late" in each.read_text("utf-8") for each in (tmp_path / "students").iterdir()} == {
        "ada": False,
        "eve": True,
    }


def test_a_kept_report_is_unchanged_until_something_it_rests_on_is(tmp_path: Path) -> None:
    output = OutputFolder(tmp_path, Json(), {tmp_path / "terminal": Terminal()})
    output.store.begin()
    output.keep(ADA, REPORT, Outcome.PARTIAL, BASIS)

    assert output.unchanged(ADA, BASIS) is not None
    assert json.loads((tmp_path / "results/ada.json").read_text("utf-8"))["submission"]["id"] == "ada"
    assert (tmp_path / "terminal/ada.txt").read_text("utf-8").startswith("ada\n")
    for part in ("submission", "pack", "grader", "options"):
        values = {name: getattr(BASIS, name) for name in Basis.__dataclass_fields__}
        assert output.unchanged(ADA, Basis(**{**values, part: "other"})) is None
    (tmp_path / "results/ada.json").write_text("{", "utf-8")
    assert output.unchanged(ADA, BASIS) is None
    output.keep(ADA, REPORT, Outcome.PARTIAL, BASIS)
    (tmp_path / "terminal/ada.txt").unlink()
    assert output.unchanged(ADA, BASIS) is None
    output.keep(ADA, REPORT, Outcome.PARTIAL, BASIS)
    (tmp_path / "students/ada.html").unlink()
    assert output.unchanged(ADA, BASIS) is None
    output.store.close()


def test_a_replaced_result_remembers_the_last_grading_that_came_to_its_end(tmp_path: Path) -> None:
    output = OutputFolder(tmp_path, Json(), {})
    graded = []
    for outcome, is_ended in (
        (Outcome.FAILED, True),
        (Outcome.CRASHED, False),  # stopped before the end: nobody has seen it
        (Outcome.PARTIAL, True),
    ):
        output.store.begin()
        output.keep(ADA, REPORT, outcome, BASIS)
        if is_ended:
            output.store.end()
            graded += output.graded()

    first, last = graded
    assert (first.previous, first.is_news) == (None, False)
    assert last.is_news
    assert last.previous == Previous("failed", REPORT.score, REPORT.max_score, statuses(REPORT))
    output.store.begin()
    assert output.unchanged(ADA, BASIS) is not None
    output.store.end()
    assert [*output.graded()] == [last]
    output.store.close()


def test_a_previous_report_that_somebody_has_spoilt_costs_its_steps_alone(tmp_path: Path) -> None:
    output = OutputFolder(tmp_path, Json(), {})
    output.store.begin()
    output.keep(ADA, REPORT, Outcome.FAILED, BASIS)
    output.store.end()
    (tmp_path / "results/ada.json").write_text("{", "utf-8")
    output.store.begin()

    output.keep(ADA, REPORT, Outcome.PARTIAL, BASIS)

    found = output.store.find("ada")
    assert found is not None
    assert found.previous == Previous("failed", REPORT.score, REPORT.max_score, {})
    output.store.close()


def test_what_the_grader_failed_at_is_never_kept(tmp_path: Path) -> None:
    output = OutputFolder(tmp_path, Json(), {})
    output.store.begin()
    output.keep(ADA, REPORT, Outcome.UNGRADED, BASIS)

    assert output.unchanged(ADA, BASIS) is None
    output.store.close()


@pytest.mark.parametrize("place", ["/etc/passwd", "../../elsewhere.json", "ada\0.json", "a" * 5000])
def test_a_report_lies_where_its_student_says_and_not_where_a_row_does(place: str, tmp_path: Path) -> None:
    output = OutputFolder(tmp_path, Json(), {})
    output.store.begin()
    output.keep(ADA, REPORT, Outcome.PARTIAL, BASIS)
    found = output.store.find("ada")
    assert found is not None

    output.store.put(replace(found, file=place))

    assert output.unchanged(ADA, BASIS) is not None
    assert [each.report.score for each in output.graded()] == [REPORT.score]
    output.store.close()


@pytest.mark.parametrize("name", ["results", "students", "results.sqlite"])
def test_a_link_where_we_write_is_not_followed(name: str, tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "out"
    OutputFolder(elsewhere, Json(), {}).store.close()
    before = sorted(elsewhere.rglob("*"))
    folder.mkdir()
    (folder / name).symlink_to(elsewhere / name)

    with pytest.raises(UsageError, match=f"{name} is a link, .*; name another folder"):
        OutputFolder(folder, Json(), {})

    assert sorted(elsewhere.rglob("*")) == before


def test_an_output_folder_that_is_a_link_itself_is_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "elsewhere")

    output = OutputFolder(tmp_path / "out", Json(), {})
    output.store.begin()
    output.keep(ADA, REPORT, Outcome.PARTIAL, BASIS)
    output.store.close()

    assert (tmp_path / "elsewhere/results/ada.json").is_file()


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("before", "utf-8")

    def pieces() -> list[str]:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path / "there", pieces())
    with pytest.raises(NotWritten, match="cannot be written: No such file"):
        write_whole(tmp_path / "nowhere" / "file", "text")

    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    assert (tmp_path / "there").read_text("utf-8") == "before"


def test_halves_that_a_killed_process_left_are_removed(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / ".ada.json.1.2.half").write_text("{", "utf-8")

    OutputFolder(tmp_path, Json(), {}).store.close()

    assert [*(tmp_path / "results").iterdir()] == []


def test_what_the_grader_failed_at_is_no_grade_in_any_platforms_format(tmp_path: Path) -> None:
    formats = {tmp_path / each.name: each for each in (Gradescope(), Classroom50(), Terminal())}
    output = OutputFolder(tmp_path, Json(), formats)
    output.store.begin()

    output.keep(ADA, REPORT, Outcome.PARTIAL, BASIS)
    written = {folder.name: any(folder.iterdir()) for folder in formats}
    output.keep(ADA, replace(REPORT, notes=("The worker died.",)), Outcome.UNGRADED, BASIS)
    output.store.close()

    assert written == {"gradescope": True, "classroom50": True, "terminal": True}
    result = json.loads((tmp_path / "gradescope/ada.json").read_text("utf-8"))
    assert "score" not in result and result["output"] == "The worker died."
    assert not any((tmp_path / "classroom50").iterdir())


def test_a_folders_secret_seed_stays_one(tmp_path: Path) -> None:
    output = OutputFolder(tmp_path, Json(), {})

    first = _with_kept_seed(Order(seed=5, seed_is_secret=True), output, is_given=True)
    again = _with_kept_seed(Order(seed=9), output, is_given=False)
    other = _with_kept_seed(Order(seed=9), output, is_given=True)
    output.store.close()

    assert [(order.seed, order.seed_is_secret) for order in (first, again, other)] == [(5, True), (5, True), (9, False)]


def test_a_students_page_tells_of_no_hidden_step_and_the_report_does(tmp_path: Path) -> None:
    output = OutputFolder(tmp_path, Json(), {tmp_path / "terminal": Terminal()})
    output.store.begin()

    output.keep(ADA, AWKWARD, Outcome.PARTIAL, BASIS)
    output.store.close()

    told = {file: (tmp_path / file).read_text("utf-8") for file in ("students/ada.html", "terminal/ada.txt")}
    assert not any(HIDDEN_TITLE in text or str(SECRET) in text for text in told.values())
    assert HIDDEN_TITLE in (tmp_path / "results/ada.json").read_text("utf-8")
