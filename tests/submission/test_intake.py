"""Downloads of many submissions: every student is found, under the right name and with the right files."""

from __future__ import annotations

import errno
import os
import re
import shutil
import unicodedata
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.errors import ExitCode, NothingToGrade, UsageError
from grader.model.handed import Handed
from grader.model.pack import Pack
from grader.submission.intake import LAYOUTS, LONGEST_ID, Intake, recognise, safe_ids

from .packing import EX01, EX02, REFERENCE, notebook, tarred, zipped

BOOK = notebook("def softmax(scores):\n    return scores")
WORK = zipped(REFERENCE)
NOISE = {"__MACOSX/._lab.ipynb": b"", ".DS_Store": b"", ".grade-hints": b"ex02.softmax 1\n"}
CANVAS = {
    "lovelaceada_12_30_lab.ipynb": b"{}",
    "lovelaceada_12_34_lab-2.ipynb": BOOK,
    "lovelaceada_12_33_lab-1.ipynb": b"{}",
    "hoppergrace_LATE_13_35_work_1_2.zip": WORK,
    "anon_ab12_36_essay.pdf": b"x",
    f"LATE_anon_zz_37_{EX01}-1.py": REFERENCE[f"{EX01}.py"],
    "_14_38_work.tar.gz": tarred(REFERENCE, gzipped=True),
    **NOISE,
}
MOODLE = {
    "Ada Lovelace_101_assignsubmission_file_/lab.ipynb": BOOK,
    "José Núñez_102_assignsubmission_file_/sub/w.zip": WORK,
    "José Núñez_102_assignsubmission_onlinetext_/onlinetext.html": b"hello",
    "Participant_103_assignsubmission_onlinetext_/onlinetext.html": b"<script>",
    "Emp Ty_104_assignsubmission_file_/": b"",
    **NOISE,
}
METADATA = b"""---
submission_1:
  :submitters:
  - :name: "Ada \xe2\x80\xaeL"
    :sid: '007'
    :email: ada@example.org
  :created_at: 2026-05-01 14:22:32.365935000 -07:00
  :results: {tests: [{name: x, score: 1}]}
submission_2:
  :created_at: "=cmd() 2026-05-01 14:22:32 Z"
  :submitters:
  - :name: A
    :sid:
    :email: a@example.org
  - :name: B
    :email: b@example.org
submission_4:
  :submitters: []
"""
GRADESCOPE = {
    "assignment_77_export/submission_metadata.yml": METADATA,
    "assignment_77_export/submission_1/lab.ipynb": BOOK,
    **{f"assignment_77_export/submission_2/exercises/{name}": source for name, source in REFERENCE.items()},
    "assignment_77_export/submission_3/lab.ipynb": b"broken",
    **NOISE,
}
GITHUB = {
    **{f"attn-lab-submissions/attn-lab-ada-l/exercises/{name}": source for name, source in REFERENCE.items()},
    "attn-lab-submissions/attn-lab-ada-l/.git/config": b"x",
    "attn-lab-submissions/attn-lab-bob/lab.ipynb": BOOK,
    "attn-lab-submissions/attn-lab-con/README.md": b"x",
    **NOISE,
}
PLAIN = {
    **{f"ada/{name}": source for name, source in REFERENCE.items()},
    "bob.zip": WORK,
    "eve.ipynb": BOOK,
    **{f"joe_{name}": source for name, source in REFERENCE.items()},
    "old.rar": b"Rar!",
    "broken.zip": b"PK\x03\x04 no",
    "nobody/": b"",
    "notes.txt": b"x",
    **NOISE,
}
Take = Callable[..., Intake]


@pytest.fixture(params=["zip", "folder", "tar.gz", "zip in a folder"])
def take(request: pytest.FixtureRequest, tmp_path: Path, pack: Pack) -> Take:
    """Takes in a download: the platform's archive itself, or unpacked."""

    def taking(members: Mapping[str, bytes], layout: str = "auto") -> Intake:
        if request.param == "tar.gz":
            path = tmp_path / "download.tar.gz"
            path.write_bytes(
                tarred({name: data for name, data in members.items() if data or name[-1] != "/"}, gzipped=True)
            )
            return recognise(path, pack, layout)
        outer = "download/" if request.param == "zip in a folder" else ""
        path = tmp_path / "download.zip"
        path.write_bytes(zipped({f"{outer}{name}": data for name, data in members.items()}))
        if request.param == "folder":
            with zipfile.ZipFile(path) as archive:
                archive.extractall(tmp_path / "download")
            path = tmp_path / "download"
        return recognise(path, pack, layout)

    return taking


def by_id(intake: Intake) -> dict[str, Handed]:
    found = {handed.id: handed for handed in intake}
    assert len(found) == len(intake)
    return found


def exercises(handed: Handed) -> int:
    return sum(name.startswith("ex") for name in handed.submission.modules) if handed.submission else 0


def test_canvas(take: Take) -> None:
    intake = take(CANVAS)
    found = by_id(intake)

    assert (intake.layout, intake.said) == ("canvas", "a Canvas download of 7 files by 5 students")
    assert {name: exercises(handed) for name, handed in found.items()} == {
        "lovelaceada_12": 1, "hoppergrace_13": 13, "anon_ab12": 0, "anon_zz": 1, "14": 13,
    }  # fmt: skip
    ada, grace = found["lovelaceada_12"].identity, found["hoppergrace_13"].identity
    assert (ada.name, ada.user_id, ada.late) == ("lovelaceada", "12", False)
    assert (grace.name, grace.user_id, grace.late) == ("hoppergrace", "13", True)
    assert found["anon_zz"].identity.late
    assert sorted(found["lovelaceada_12"].earlier) == ["lab-1.ipynb", "lab.ipynb"]
    assert found["anon_ab12"].refused.startswith("No exercise is in essay.pdf")


@pytest.mark.parametrize("name", ["रामकुमार", "สมชาย", "gödelkurt", "go\u0308delkurt", "김철수", "o_brien"])
def test_canvas_keeps_the_letters_of_every_script(take: Take, name: str) -> None:
    found = [*take({f"{name}_12_30_lab.ipynb": BOOK, f"{name}_LATE_13_31_{EX01}.py": REFERENCE[f"{EX01}.py"]})]

    expected = unicodedata.normalize("NFC", name)
    assert [(one.identity.name, one.identity.user_id, one.identity.late) for one in found] == [
        (expected, "12", False),
        (expected, "13", True),
    ]
    assert [exercises(one) for one in found] == [1, 1]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Go\u0308del".encode(), "Gödel"),  # a Mac's archives, which do not say that it is UTF-8
        ("李雷".encode(), "李雷"),
        ("Käthe".encode("cp437"), "Käthe"),
    ],
)
def test_the_letters_of_a_name_are_those_that_a_packer_wrote(
    tmp_path: Path, pack: Pack, written: bytes, name: str
) -> None:
    packed = zipped({f"{'x' * len(written)}_7_assignsubmission_file_/lab.ipynb": BOOK})
    (tmp_path / "d.zip").write_bytes(packed.replace(b"x" * len(written), written))

    (one,) = recognise(tmp_path / "d.zip", pack)

    assert (one.identity.name, exercises(one)) == (name, 1)


def test_who_handed_in_noise_alone_is_there_all_the_same(take: Take) -> None:
    """Not every packer writes down folders."""
    noise = {"Ada L_1_assignsubmission_file_/.DS_Store": b"x", "Bob_2_assignsubmission_file_/__pycache__/.git/x": b"x"}

    found = [*take({**noise, "Eve_3_assignsubmission_file_/lab.ipynb": BOOK, "__MACOSX/Dan/._x": b""})]

    assert [(one.identity.name, one.refused) for one in found] == [
        ("Ada L", "Nothing was handed in."),
        ("Bob", "Nothing was handed in."),
        ("Eve", ""),
    ]


def test_moodle(take: Take) -> None:
    intake = take(MOODLE)
    found = by_id(intake)

    assert intake.layout == "moodle"
    assert exercises(found["Ada_Lovelace_101"]) == 1
    assert exercises(found["Jose_Nunez_102"]) == 13
    assert (found["Jose_Nunez_102"].identity.name, found["Jose_Nunez_102"].identity.user_id) == ("José Núñez", "102")
    assert found["Participant_103"].refused.startswith("No exercise is in onlinetext.html; ")
    assert "Emp_Ty_104" not in found or found["Emp_Ty_104"].refused == "Nothing was handed in."


OURS, THEIRS = REFERENCE[f"{EX01}.py"], REFERENCE[f"{EX02}.py"]


@pytest.mark.parametrize(
    ("members", "name", "other"),
    [
        (
            {f"ada_12_30_{EX01}.py": OURS, f"eve_12_77_31_{EX02}.py": THEIRS, f"eve_12_LATE_77_32_{EX01}.py": OURS},
            "ada_12",
            "eve_12",
        ),
        (
            {
                f"Ada_12_assignsubmission_file_/{EX01}.py": OURS,
                f"Ada_12_assignsubmission_file_x_77_assignsubmission_file_/{EX02}.py": THEIRS,
                f"Ada L_12_assignsubmission_file_x_77_assignsubmission_file_/{EX02}.py": THEIRS,
            },
            "Ada_12",
            "Ada L_12_assignsubmission_file_x",
        ),
        ({f"ada_12_30_{EX01}.py": OURS, f"eve_012_77_31_{EX02}.py": THEIRS}, "ada_12", "eve_012"),
        ({f"ada_12_30_{EX01}.py": OURS, f"eve_\u0661\u0662_77_31_{EX02}.py": THEIRS}, "ada_12", "eve_\u0661\u0662"),
        (
            {
                f"Ada_12_assignsubmission_file_/{EX01}.py": OURS,
                f"Eve_0012_assignsubmission_file_77_assignsubmission_file_/{EX02}.py": THEIRS,
            },
            "Ada_12",
            "Eve_0012_assignsubmission_file",
        ),
    ],
)
def test_who_is_called_like_anothers_number_hands_in_nothing_of_that_other(
    members: dict[str, bytes], name: str, other: str, take: Take
) -> None:
    """A name in Canvas may end in a number, and one in Moodle may look like the beginning of a file's.

    A gradebook takes `012` for the number 12, which no platform writes so.
    """
    found = by_id(take(members))

    own = found.pop(name)
    assert own.submission is not None
    assert EX01 in own.submission.modules
    assert (own.identity.name, own.identity.user_id) == (name.removesuffix("_12"), "12")
    assert [(handed.identity.name, handed.identity.user_id) for handed in found.values()] == [(other, "77")]


def test_a_file_that_begins_with_a_number_is_its_students_all_the_same(take: Take) -> None:
    found = by_id(take({f"ada_12_30_2024_{EX01}.py": REFERENCE[f"{EX01}.py"], "grace_30_31_work.zip": WORK}))

    assert {name: handed.identity.user_id for name, handed in found.items()} == {"ada_12": "12", "grace_30": "30"}


def test_moodle_flat(take: Take) -> None:
    found = by_id(take({name.replace("_/", "_"): data for name, data in MOODLE.items() if "sub/" not in name and data}))

    assert exercises(found["Ada_Lovelace_101"]) == 1


def test_gradescope(take: Take) -> None:
    intake = take(GRADESCOPE)
    found = by_id(intake)

    assert intake.layout == "gradescope"
    assert {name: exercises(handed) for name, handed in found.items()} == {
        "submission_1": 1, "submission_2": 13, "submission_3": 0, "submission_4": 0,
    }  # fmt: skip
    ada, both = found["submission_1"].identity, found["submission_2"].identity
    assert (ada.name, ada.user_id, ada.email) == ("Ada L", "007", "ada@example.org")
    assert (both.name, both.user_id, both.email) == ("A, B", "", "a@example.org, b@example.org")
    assert (ada.handed_in, both.handed_in) == ("2026-05-01T14:22:32-07:00", "")
    assert found["submission_3"].refused.startswith("lab.ipynb is no notebook")
    assert found["submission_4"].refused == "Nothing was handed in."


def test_everybody_of_a_group_keeps_an_address_of_their_own(tmp_path: Path, pack: Pack) -> None:
    people = "".join(f"  - :name: N\n    :email: {'x' * 40}{number}@example.org\n" for number in range(9))
    metadata = f"submission_1:\n  :submitters:\n{people}  - :name: no address\n"
    members = {**GRADESCOPE, "assignment_77_export/submission_metadata.yml": metadata.encode()}
    (tmp_path / "d.zip").write_bytes(zipped(members))

    found = by_id(recognise(tmp_path / "d.zip", pack))["submission_1"].identity.emails

    assert found == (*(f"{'x' * 40}{number}@example.org" for number in range(9)), "")


def test_github(take: Take) -> None:
    intake = take(GITHUB)
    found = by_id(intake)

    assert intake.layout == "github"
    assert {name: exercises(handed) for name, handed in found.items()} == {"ada-l": 13, "bob": 1, "student-con": 0}
    assert found["ada-l"].identity.name == "ada-l"


def test_a_plain_folder(take: Take) -> None:
    intake = take(PLAIN)
    found = by_id(intake)

    assert intake.layout == "folder"
    assert {name: exercises(handed) for name, handed in found.items() if name != "nobody"} == {
        "ada": 13, "bob": 13, "eve": 1, "joe": 13, "old": 0, "broken": 0,
    }  # fmt: skip
    assert found["old"].refused.startswith("old.rar is an archive of a kind that is not taken")
    assert found["broken"].refused.startswith("broken.zip cannot be opened")
    assert "nobody" not in found or found["nobody"].refused == "Nothing was handed in."


def test_nothing_that_lies_loose_in_a_folder_is_lost(take: Take) -> None:
    source = REFERENCE[f"{EX01}.py"]
    loose = {"bob.py": b"x = 1", "empty.py": b"", "__init__.py": b"", "readme.txt": b"", **NOISE}
    intake = take({f"ada_{EX01}.py": source, f"vic {EX01} (1).py": source, **loose})
    found = by_id(intake)

    assert {name: exercises(handed) for name, handed in found.items()} == {"ada": 1, "vic": 1, "bob": 0, "empty": 0}
    assert "bob.py" in found["bob"].refused
    assert intake.said == "a folder of 4 files by 4 students; left out, as no student's work: __init__.py, readme.txt"


def test_archives_that_a_browser_numbered_may_be_different_students(take: Take) -> None:
    found = by_id(take({"submission.zip": WORK, "submission (1).zip": WORK, "submission (2).zip": WORK}))

    assert [exercises(handed) for handed in found.values()] == [13, 13, 13]


def test_of_a_module_that_a_browser_saved_again_the_last_counts(take: Take) -> None:
    old, new = b"x = 1", REFERENCE[f"{EX01}.py"]
    names = {
        f"vic_{EX01} (2).py": new,
        f"vic_{EX01}.py": old,
        f"vic_{EX01} (1).py": old,
        "bob (1).py": b"",
        "bob.py": b"",
    }
    found = by_id(take(names))

    assert sorted(found) == ["bob", "vic"]
    assert found["vic"].submission is not None
    assert found["vic"].submission.modules == {EX01: new}
    assert sorted(found["vic"].earlier) == [f"vic_{EX01} (1).py", f"vic_{EX01}.py"]
    assert sorted(found["bob"].earlier) == ["bob.py"]
    assert found["bob"].refused.count("bob.py") == 1


@pytest.mark.parametrize("beside", ["roster.csv", "desktop.ini", "notes.txt"])
def test_a_folder_of_students_is_one_though_a_file_lies_beside_it(beside: str, tmp_path: Path, pack: Pack) -> None:
    for student in ("ada", "bob"):
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / f"{EX01}.py").write_bytes(REFERENCE[f"{EX01}.py"])
    (tmp_path / beside).write_bytes(b"")

    intake = recognise(tmp_path, pack)

    assert sorted(by_id(intake)) == ["ada", "bob"]
    assert ("no student's work" in intake.said) is (beside != "desktop.ini")


@pytest.mark.parametrize("around", ["class", "download/class", "download/class/lab 1"])
def test_folders_around_all_students_do_not_count(around: str, take: Take) -> None:
    students = {f"{around}/{name}/work/{EX01}.py": REFERENCE[f"{EX01}.py"] for name in ("ada", "bob")}

    assert sorted(by_id(take(students))) == ["ada", "bob"]


def test_a_copy_beside_ones_exercises_is_no_student(tmp_path: Path, pack: Pack) -> None:
    for folder in ("exercises", "mine"):
        (tmp_path / "class" / "ada" / folder).mkdir(parents=True)
        (tmp_path / "class" / "ada" / folder / f"{EX01}.py").write_bytes(REFERENCE[f"{EX01}.py"])

    assert [*by_id(recognise(tmp_path, pack))] == ["ada"]


def test_versions_of_one_student_are_no_students(tmp_path: Path, pack: Pack) -> None:
    for version in ("v1", "v2"):
        (tmp_path / "ada" / version).mkdir(parents=True)
        (tmp_path / "ada" / version / f"{EX01}.py").write_bytes(REFERENCE[f"{EX01}.py"])
    (tmp_path / "roster.csv").write_bytes(b"")

    assert [*by_id(recognise(tmp_path, pack))] == ["ada"]


def test_an_exercise_for_each_folder_is_one_students(tmp_path: Path, pack: Pack) -> None:
    for number, name in enumerate(REFERENCE, 1):
        (tmp_path / f"ada/week {number}").mkdir(parents=True)
        (tmp_path / f"ada/week {number}" / name).write_bytes(REFERENCE[name])
    (tmp_path / "roster.csv").write_bytes(b"")

    assert {name: exercises(handed) for name, handed in by_id(recognise(tmp_path, pack)).items()} == {"ada": 13}


def test_a_module_that_nobodys_name_is_on_costs_those_beside_it_nothing(take: Take) -> None:
    source = REFERENCE[f"{EX01}.py"]
    found = by_id(
        take({f"{EX01}.py": b"x = 1", f"ada_{EX01}.py": source, f"bob_{EX01} (1).py": source, "eve_ex01.py": b""})
    )

    assert {"ada", "bob", "eve_ex01"} < found.keys()
    assert [exercises(found[name]) for name in ("ada", "bob", "eve_ex01")] == [1, 1, 0]


def test_what_a_kit_hands_out_is_nobodys_work(tmp_path: Path, pack: Pack) -> None:
    inside = tmp_path / "ada/exercises"
    shutil.copytree(pack.source.exercises, inside, ignore=shutil.ignore_patterns("__pycache__", "ex10*"))

    (handed,) = recognise(tmp_path, pack)

    assert handed.submission is not None
    assert "ex10_causal_attention" not in handed.submission.modules
    assert handed.notes == ()


def test_what_is_nobodys_is_named_also_where_the_folder_itself_is_somebodys(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / f"{EX01}.py").write_bytes(REFERENCE[f"{EX01}.py"])
    (tmp_path / "sam.pdf").write_bytes(b"")
    assert "no student's work" not in recognise(tmp_path, pack).said  # it belongs to the one submission

    (tmp_path / "ada.zip").write_bytes(WORK)
    assert recognise(tmp_path, pack).said.endswith("left out, as no student's work: sam.pdf")


@pytest.mark.parametrize(("members", "outer"), [(CANVAS, "class/"), (MOODLE, "class/"), (GRADESCOPE, ""), (GITHUB, "")])
def test_a_platforms_folder_is_found_beside_a_file_that_was_mailed(
    tmp_path: Path, pack: Pack, members: Mapping[str, bytes], outer: str
) -> None:
    beside = {**{f"{outer}{name}": content for name, content in members.items()}, "mailed.zip": WORK}
    (tmp_path / "alone.zip").write_bytes(zipped(members))
    (tmp_path / "beside.zip").write_bytes(zipped(beside))

    alone, both = (recognise(tmp_path / name, pack) for name in ("alone.zip", "beside.zip"))

    assert both.layout == alone.layout
    assert [name for name, _ in both.works] == [name for name, _ in alone.works]
    assert both.said == f"{alone.said}; left out, as no student's work: mailed.zip"


def test_files_that_are_nobodys_are_named_up_to_twenty(take: Take) -> None:
    intake = take({"ada.zip": WORK, **{f"{number}.txt": b"" for number in range(10, 34)}})

    assert intake.said.endswith(", 27.txt, 28.txt, 29.txt and 4 more")


@pytest.mark.parametrize(
    ("members", "inside"),
    [(CANVAS, ""), (MOODLE, ""), (GRADESCOPE, "assignment_77_export/"), (GITHUB, "attn-lab-submissions/")],
)
def test_what_bears_no_name_of_the_platforms_is_named_as_nobodys(
    tmp_path: Path, pack: Pack, members: Mapping[str, bytes], inside: str
) -> None:
    strays = {
        "mailed by hand.zip": WORK,
        "vanderberg-jan_104_9004_a.zip": WORK,
        **{f"Late Lena/{name}": source for name, source in REFERENCE.items()},
        ".hidden": b"",
        "../Rob_9_assignsubmission_file_/lab.ipynb": BOOK,
    }
    (tmp_path / "alone.zip").write_bytes(zipped(members))
    (tmp_path / "more.zip").write_bytes(zipped({**members, **{f"{inside}{name}": strays[name] for name in strays}}))

    alone = recognise(tmp_path / "alone.zip", pack)
    more = recognise(tmp_path / "more.zip", pack, alone.layout)

    assert "no student's work" not in alone.said
    named = "mailed by hand.zip, vanderberg-jan_104_9004_a.zip, Late Lena, .."
    assert more.said == f"{alone.said}; left out, as no student's work: {named}"


def test_a_folder_of_modules_that_are_no_exercises_is_no_class(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "setup.py").write_text("x = 1")

    with pytest.raises(NothingToGrade, match="holds no submissions"):
        recognise(tmp_path, pack)


def test_one_submission_alone_is_a_folder_of_one(take: Take, pack: Pack) -> None:
    found = by_id(take(REFERENCE))

    assert [exercises(handed) for handed in found.values()] == [13]


def test_the_same_work_has_the_same_digest_however_it_came(take: Take) -> None:
    found = by_id(take({f"ada/{name}": source for name, source in REFERENCE.items()} | {"bob.zip": WORK}))

    digests = {handed.submission.sha256 for handed in found.values() if handed.submission}
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("layout", "members"),
    [("canvas", CANVAS), ("moodle", MOODLE), ("gradescope", GRADESCOPE), ("github", GITHUB), ("folder", PLAIN)],
)
def test_a_layout_that_is_named_is_the_one_that_is_recognised(
    tmp_path: Path, pack: Pack, layout: str, members: Mapping[str, bytes]
) -> None:
    (tmp_path / "d.zip").write_bytes(zipped(members))

    auto, told = recognise(tmp_path / "d.zip", pack), recognise(tmp_path / "d.zip", pack, layout)

    assert (auto.layout, auto.said) == (told.layout, told.said)
    assert [handed.id for handed in auto] == [handed.id for handed in told]


def test_any_download_can_be_taken_for_a_plain_folder(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "d.zip").write_bytes(zipped(CANVAS))

    intake = recognise(tmp_path / "d.zip", pack, "folder")

    assert len(intake) == 6
    assert intake.said == "a folder of 6 files by 6 students; left out, as no student's work: anon_ab12_36_essay.pdf"


def test_a_layout_that_does_not_exist_is_wrong_usage(tmp_path: Path, pack: Pack) -> None:
    with pytest.raises(
        UsageError, match=r"There is no layout 'canvsa': there are auto, folder, .*did you mean canvas"
    ) as told:
        recognise(tmp_path, pack, "canvsa")

    assert told.value.exit_code == ExitCode.WRONG_USAGE


@pytest.mark.parametrize("layout", LAYOUTS)
def test_where_nothing_is_recognised_there_is_nothing_to_grade(tmp_path: Path, pack: Pack, layout: str) -> None:
    (tmp_path / "notes.txt").write_text("x")

    with pytest.raises(NothingToGrade, match=r"holds no submissions|is not laid out like") as told:
        recognise(tmp_path, pack, layout)

    assert told.value.exit_code == ExitCode.NOTHING_TO_GRADE


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [("d.zip", b"PK\x03\x04 no", "cannot be opened"), ("d.zip", b"", "cannot be opened"), ("d.txt", b"", "neither a"),
     ("d.zip", zipped({"ada.zip": WORK, "eve.ipynb": BOOK})[:-40], "breaks off before its end"),
     ("d.tar.gz", b"\x1f\x8bno", "cannot be opened"), (None, b"", "There is nothing at")],
)  # fmt: skip
def test_what_is_no_download_is_nothing_to_grade(
    tmp_path: Path, pack: Pack, name: str | None, data: bytes, said: str
) -> None:
    path = tmp_path / (name or "nowhere")
    if name:
        path.write_bytes(data)

    with pytest.raises(NothingToGrade, match=said):
        recognise(path, pack)


def test_nothing_is_read_before_it_is_its_turn(tmp_path: Path, pack: Pack) -> None:
    for name in ("ada", "bob"):
        (tmp_path / f"{name}.zip").write_bytes(WORK)
    intake = recognise(tmp_path, pack)

    each = iter(intake)
    first = next(each)
    (tmp_path / "bob.zip").write_bytes(b"")

    assert first.submission is not None
    assert next(each).submission is None


def test_what_a_student_linked_is_not_followed(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "secret.py").write_text("answer = 42\n")
    download = tmp_path / "download"
    for name in ("ada", "bob"):
        (download / name).mkdir(parents=True)
    (download / "ada" / f"{EX01}.py").symlink_to(tmp_path / "secret.py")
    (download / "bob" / "exercises").symlink_to(tmp_path)
    (download / "eve.zip").symlink_to(tmp_path / "secret.py")
    os.mkfifo(download / "joe.zip")

    found = by_id(recognise(download, pack))

    ada = found["ada"].submission
    assert ada is not None
    assert (ada.modules, ada.unreadable) == ({}, {EX01: f"{EX01}.py is a link; hand in the file itself."})
    assert found["bob"].submission is None
    assert found["eve"].refused == "eve.zip is a link; hand in the file itself."
    assert found["joe"].refused == "joe.zip is no regular file."


@pytest.mark.parametrize(
    ("download", "students"),
    [
        ("class", ("ada", "bob")),
        ("assignment_77_export", ("submission_1", "submission_2")),
        ("moodle", ("Ada_101_assignsubmission_file_", "Bob_102_assignsubmission_file_")),
        ("attn-lab-submissions", ("attn-lab-ada", "attn-lab-bob")),
    ],
)
def test_a_folder_that_cannot_be_looked_into_is_told_of(
    download: str, students: tuple[str, str], tmp_path: Path, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = (tmp_path / download / name for name in students)
    for folder in (ada, bob / "more"):
        folder.mkdir(parents=True)
        (folder / f"{EX02}.py").write_bytes(REFERENCE[f"{EX02}.py"])
    (bob / f"{EX01}.py").write_bytes(REFERENCE[f"{EX01}.py"])
    _close(monkeypatch, ada, bob / "more")

    first, second = recognise(tmp_path / download, pack)

    assert (first.submission, first.refused) == (None, f"{first.id} cannot be read: Permission denied.")
    assert (exercises(second), second.notes) == (1, ("more cannot be read: Permission denied.",))


def test_a_file_that_cannot_even_be_looked_at_costs_itself_alone(
    tmp_path: Path, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ada", "bob"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{EX01}.py").write_bytes(REFERENCE[f"{EX01}.py"])
    _close(monkeypatch, tmp_path / "ada" / f"{EX01}.py")

    found = by_id(recognise(tmp_path, pack))

    ada = found["ada"].submission
    assert ada is not None
    assert ada.unreadable == {EX01: f"{EX01}.py cannot be read: Permission denied."}
    assert exercises(found["bob"]) == 1


def _close(monkeypatch: pytest.MonkeyPatch, *closed: Path) -> None:
    """Have paths refuse to be opened, listed and looked at, as they do for whoever is not root."""
    for name in ("scandir", "open", "stat", "lstat"):
        monkeypatch.setattr(os, name, partial(_refusing, getattr(os, name), {*map(str, closed)}))


def _refusing(call: Callable[..., object], closed: set[str], path: object, *more: object, **named: object) -> object:
    if str(path) in closed:
        raise PermissionError(errno.EACCES, "Permission denied")
    return call(path, *more, **named)


def test_a_hostile_archive_costs_only_what_it_refuses(tmp_path: Path, pack: Pack) -> None:
    hostile = zipped({f"../{EX01}.py": b"bad", "big.ipynb": b" " * (12 << 20), f"{EX02}.py": b"y = 2\n"})
    (tmp_path / "d.zip").write_bytes(zipped({"eve.zip": hostile, "ada.zip": WORK}))

    found = by_id(recognise(tmp_path / "d.zip", pack))

    assert exercises(found["ada"]) == 13
    assert found["eve"].submission is not None
    assert found["eve"].submission.modules == {EX02: b"y = 2\n"}
    assert f"../{EX01}.py in eve.zip leads out of the archive" in found["eve"].notes


SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}
KEYS = st.text(max_size=150) | st.sampled_from(
    ["", ".", "..", "../../etc/passwd", "CON", "con.txt", "aux", "COM1.x.y", "Ada", "ada", "ADA", "a/b", "a b", "a_b",
     "<script>", "=1+1", "-rf", "x" * 300, "\u202eevil", "é", "e\u0301", "\ud800", "名前"]
)  # fmt: skip


@given(st.lists(KEYS, unique=True, max_size=30))
def test_ids_are_safe_and_unique_whatever_students_are_called(keys: list[str]) -> None:
    ids = safe_ids(keys)

    assert len({name.lower() for name in ids}) == len(keys)
    for name in ids:
        assert SAFE.fullmatch(name)
        assert len(name) <= LONGEST_ID
        assert name.partition(".")[0].lower() not in DEVICES
        assert not name.endswith(".")


@given(st.lists(KEYS, unique=True, max_size=10))
def test_an_id_depends_on_nobodys_order(keys: list[str]) -> None:
    assert dict(zip(keys, safe_ids(keys), strict=True)) == dict(zip(keys[::-1], safe_ids(keys[::-1]), strict=True))


@given(st.lists(st.tuples(KEYS, st.sampled_from([f"{EX01}.py", "a.zip", "a.ipynb", ""])), max_size=8))
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_download_of_any_names_is_taken_in_or_refused_in_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, pack: Pack, members: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("any") / "d.zip"
    path.write_bytes(zipped([(f"{a}_{b}".encode("utf-8", "replace").decode(), b"x") for a, b in members]))

    try:
        for handed in recognise(path, pack):
            assert SAFE.fullmatch(handed.id)
            assert handed.submission or handed.refused
            assert handed.identity.name.isprintable()
    except NothingToGrade as why:
        assert str(why)


@pytest.mark.parametrize(
    "metadata",
    [b"", b"- [", b"\xff", b"a: &a [x, x]\nb: [*a, *a]\n", b"!!python/object/apply:os._exit [0]\n", b"[" * 50_000,
     b"submission_1: {:submitters: [" + b"{}, " * 1000 + b"{:name: x}]}", b"../../etc: {:submitters: [{:name: x}]}\n"],
)  # fmt: skip
def test_a_list_of_submitters_that_is_broken_costs_the_names_alone(tmp_path: Path, pack: Pack, metadata: bytes) -> None:
    (tmp_path / "d.zip").write_bytes(zipped({**GRADESCOPE, "assignment_77_export/submission_metadata.yml": metadata}))

    found = by_id(recognise(tmp_path / "d.zip", pack))

    assert exercises(found["submission_1"]) == 1
    assert exercises(found["submission_2"]) == 13
    assert all(name.startswith("submission_") for name in found)


METADATA_IN = "assignment_77_export/submission_metadata.yml"


@pytest.mark.parametrize(
    ("metadata", "why"),
    [
        (b"submission_300: [\n\t:x", "submission_metadata.yml, line 2: "),
        (METADATA + b"broken: '", "submission_metadata.yml, line 19: found unexpected end of stream"),
        (b"\xff", "submission_metadata.yml: "),
        (b"[" * 101, "submission_metadata.yml is nested too deeply"),
        (b"- a list", "submission_metadata.yml names nobody"),
        (b"", "submission_metadata.yml names nobody"),
        (None, "there is no submission_metadata.yml"),
    ],
)
def test_why_nobodys_name_is_known_is_said_with_the_line(
    tmp_path: Path, pack: Pack, metadata: bytes | None, why: str
) -> None:
    others = {name: data for name, data in GRADESCOPE.items() if name != METADATA_IN}
    (tmp_path / "d.zip").write_bytes(zipped(others if metadata is None else {**others, METADATA_IN: metadata}))

    intake = recognise(tmp_path / "d.zip", pack)

    assert f"; nobody's name is known: {why}" in intake.said
    assert not any(handed.identity.name for handed in intake)


def test_nobody_is_called_null(tmp_path: Path, pack: Pack) -> None:
    people = "\n".join(
        f"submission_{number}:\n  :submitters:\n  - :name: {value}\n    :sid: {value}\n    :email: {value}"
        for number, value in enumerate(["~", "null", "Null", "", "'null'"], 1)
    )
    folders = {f"assignment_77_export/submission_{number}/lab.ipynb": BOOK for number in range(1, 6)}
    (tmp_path / "d.zip").write_bytes(zipped({**folders, METADATA_IN: people.encode()}))

    found = [one.identity for one in recognise(tmp_path / "d.zip", pack)]

    assert [(who.name, who.user_id, who.email) for who in found] == [("", "", "")] * 4 + [("null",) * 3]


def test_of_names_that_are_known_nothing_is_said(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "d.zip").write_bytes(zipped(GRADESCOPE))

    assert "name is known" not in recognise(tmp_path / "d.zip", pack).said
