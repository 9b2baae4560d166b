"""`grade export` as an instructor runs it: a platform's download in, a zip for Dolos out, and who is not in it."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pytest

from tests.command import Grade
from tests.submission.packing import EX01, EX02, REFERENCE, ROOT, notebook, zipped

OWN = (
    b'"""Mine."""\nimport torch\ndef attention_scores(inputs):\n    return torch.einsum("ti,si->ts", inputs, inputs)\n'
)
CALLED = f"the modules are called {EX01}.py to ex13_wrapper_vs_split.py"
STUB = (ROOT / "exercises" / f"{EX01}.py").read_bytes()
HANDED_IN = {
    f"ada_LATE_1_10_{EX01}.py": OWN,
    f"ada_1_11_{EX02}.py": b"def softmax(scores):\n    return scores.softmax(0)\n",
    "bob_2_12_lab.ipynb": notebook(OWN.decode(), "plt.plot(1)"),
    "eve_3_13_work.zip": zipped({f"{EX01}.py": OWN, f"../{EX02}.py": OWN}),
    f"stubby_4_14_{EX01}.py": STUB,
    "essay_5_15_essay.pdf": b"%PDF",
    f"info_7_17_{EX01}.py": b"x = 1\n",
}


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    """A download of Canvas. Its odd names are the platform's own form of it."""
    path = tmp_path / "submissions.zip"
    path.write_bytes(zipped(HANDED_IN))
    return path


def test_a_download_becomes_a_zip_for_dolos_and_who_is_left_out_is_told(
    grade: Grade, handed_in: Path, tmp_path: Path
) -> None:
    done = grade("export", "--dolos", tmp_path / "class.zip", handed_in, "--layout", "canvas")

    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / "class.zip") as packed:
        names = packed.namelist()
        table = list(csv.DictReader(io.TextIOWrapper(packed.open("info.csv"), "utf-8", newline="")))
        texts = {name: packed.read(name).decode() for name in names}
    assert [row["filename"] for row in table] == names[:-1]
    assert {row["full_name"]: row["labels"] for row in table[1:]} == {"ada": "late", "bob": "", "eve": "", "info": ""}
    assert texts["submissions/ada_1.py"].index("einsum") < texts["submissions/ada_1.py"].index("softmax(0)")
    assert 'torch.einsum("ti,si->ts", inputs, inputs)' in texts["submissions/bob_2.py"]
    assert "plt" not in texts["submissions/bob_2.py"]
    assert "def attention_scores():\n" in texts["submissions/eve_3.py"]  # whose arguments are the stub's
    assert "def attention_scores(inputs: torch.Tensor)" in texts["stubs.py"]
    assert "class CausalAttention" in texts["stubs.py"]
    assert done.stdout.splitlines()[-1] == f"4 of 6 in {tmp_path}/class.zip"
    assert done.stderr.splitlines() == [
        f"essay_5: left out. No exercise is in essay.pdf; {CALLED}.",
        f"eve_3: ../{EX02}.py in work.zip leads out of the archive.",
        "stubby_4: left out. Nothing here is more than the stubs.",
    ]


def test_one_exercise_alone_can_be_compared(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "class" / "ada").mkdir(parents=True)
    for name, source in REFERENCE.items():
        (tmp_path / "class" / "ada" / name).write_bytes(source)
    (tmp_path / "class" / "big").mkdir()
    (tmp_path / "class" / "big" / f"{EX01}.py").write_bytes(b"#" * (2 << 20))

    done = grade("export", "--dolos", tmp_path / "class.zip", tmp_path / "class", "--exercise", "ex01")

    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / "class.zip") as packed:
        text, stubs = packed.read("submissions/ada.py").decode(), packed.read("stubs.py").decode()
    assert text.startswith(f"# {EX01}.py\n")
    assert "softmax" not in text + stubs
    assert done.stderr == f"big: left out. {EX01}.py has 2,097,152 bytes; at most 1,048,576 are read.\n"


def test_stubs_that_were_worked_on_are_not_what_is_left_out(
    grade: Grade, handed_in: Path, copied_pack: Path, tmp_path: Path
) -> None:
    (copied_pack / "exercises" / f"{EX01}.py").write_bytes(OWN)

    done = grade("export", "--dolos", tmp_path / "class.zip", handed_in, "--layout", "canvas", pack=copied_pack)

    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == f"4 of 6 in {tmp_path}/class.zip"
    assert "stubby_4: left out. Nothing here is more than the stubs." in done.stderr
    with zipfile.ZipFile(tmp_path / "class.zip") as packed:
        stubs, same = packed.read("stubs.py").decode(), packed.read("submissions/bob_2.py").decode()
    assert 'torch.einsum("ti,si->ts", inputs, inputs)' in same
    assert "einsum" not in stubs
    assert "def attention_scores(inputs: torch.Tensor)" in stubs


def test_stubs_that_are_not_those_handed_out_are_told(
    grade: Grade, handed_in: Path, copied_pack: Path, tmp_path: Path
) -> None:
    (copied_pack / "fixtures" / "stubs" / f"{EX01}.py").write_bytes(OWN)

    done = grade("export", "--dolos", tmp_path / "class.zip", handed_in, pack=copied_pack)

    assert done.returncode == 3
    assert f"stubs/{EX01}.py is not the stub that manifest.json describes" in done.stderr


def test_where_nobody_has_written_anything_there_is_no_zip(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "class" / "ada").mkdir(parents=True)
    (tmp_path / "class" / "ada" / f"{EX01}.py").write_bytes(STUB)

    done = grade("export", "--dolos", tmp_path / "class.zip", tmp_path / "class")

    assert done.returncode == 5
    assert "grade: Nobody has written anything that could be compared." in done.stderr
    assert "one such module" not in done.stderr  # what `grade run` takes
    assert [file.name for file in tmp_path.iterdir()] == ["class"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nowhere", "--dolos", "{}/c.zip"], 5, "There is nothing at nowhere."),
        ([f"exercises/{EX01}.py", "--dolos", "{}/c.zip"], 5, "is neither a folder nor a zip"),
        (["exercises", "--dolos", "exercises/c.zip"], 2, "lies in exercises"),
        (["exercises", "--dolos", "{}/c.tar"], 2, "Dolos knows its file by the ending .zip"),
        (["exercises", "--dolos", "{}/no/c.zip"], 2, "there is no folder"),
        (["exercises", "--dolos", "{}/c.zip", "--exercise", "ex14"], 2, "ex14"),
        (["exercises", "--dolos", "{}/c.zip", "--layout", "canvsa"], 2, "did you mean canvas"),
        (["exercises"], 2, "--dolos"),
    ],
)
def test_wrong_usage_is_a_sentence_and_makes_nothing(
    words: list[str], code: int, said: str, grade: Grade, tmp_path: Path
) -> None:
    done = grade("export", *(word.format(tmp_path) for word in words))

    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert "Traceback" not in done.stderr
    assert "one such module" not in done.stderr  # what `grade run` takes
    assert [*tmp_path.iterdir()] == []
    assert not (ROOT / "exercises" / "c.zip").exists()
