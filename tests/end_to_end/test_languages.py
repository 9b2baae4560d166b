"""A student is told everything in their language, and graded alike in each."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grader.words import ENGLISH, languages
from grader.words.catalogue import catalogue
from tests.command import Grade
from tests.once import once
from tests.words.said import pieces_of

from .submissions import EX01, REFERENCE, ROOT

pytestmark = pytest.mark.no_cover
# A first attempt with many mistakes, stubs, and steps that wait for others; and what holds the odder sentences.
ATTEMPT = ROOT / "fixtures/submissions/first_attempt"
ODD = {
    "ex01_dot_product_scores": "def attention_scores_for_query(query):\n    return query\n",
    "ex02_softmax_weights": "import time\n\ndef softmax(x):\n    time.sleep(600)\n",
    "ex03_context_vectors": "def context_vectors(x:\n",
    "ex04_qkv_projections": "raise SystemExit(3)\n",
    "ex05_scaled_scores": "import tourch\n",
    "ex08_causal_mask": "import os\n\ndef mask_scores(*_):\n    os._exit(0)\n",
    "ex10_causal_attention": "class CausalAttention:\n    def __init__(self, *_):\n        self.heads = []\n",
}
OTHERS = [code for code in languages() if code != ENGLISH]
# What a report has in words, and what no two gradings share.
TEXTS = {"title", "summary", "message", "meaning", "hints", "notes", "seconds", "language"}
WORD = re.compile(r"[A-Za-z]{2,}")


@dataclass(frozen=True)
class Told:
    """A grading as JSON, and in words: of each format its file."""

    report: dict[str, Any]
    formats: dict[str, str]


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("odd")
    for name, source in ODD.items():
        (folder / f"{name}.py").write_text(source, "utf-8")
    return folder


@pytest.fixture(scope="module")
def told(grade: Grade, odd: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Told]]:
    """Both submissions, graded in each language."""

    def make(folder: Path) -> dict[str, list[Told]]:
        submissions = {ATTEMPT: 10, odd: 1}  # with their limits; nothing of the odd one computes for long and ends
        return {code: [_told(grade, *each, code, folder) for each in submissions.items()] for code in languages()}

    found: dict[str, list[Told]] = once(tmp_path_factory, "told", make)
    return found


def _told(grade: Grade, path: Path, seconds: int, code: str, folder: Path) -> Told:
    out = folder / code / path.name
    out.mkdir(parents=True)
    names = ("json", "terminal", "html", "markdown", "tap")
    formats = [word for name in names for word in ("--format", f"{name}={out / name}")]
    done = grade("run", path, "--lang", code, "--seed", "7", "--timeout", str(seconds), *formats, LANG="es_ES.UTF-8")
    assert done.returncode == 1, done.stderr
    files = {name: (out / name).read_text("utf-8") for name in names}
    return Told(json.loads(files.pop("json")), files)


def _without_texts(value: Any) -> Any:
    """A report without what is said in it."""
    if isinstance(value, dict):
        return {key: _without_texts(part) for key, part in value.items() if key not in TEXTS}
    return [_without_texts(part) for part in value] if isinstance(value, list) else value


def _english() -> set[str]:
    """Every piece of the catalogue that is English beyond doubt: some words in a row that no other language has so."""
    others = [form for code in OTHERS for text in catalogue(code).values() for form in text.forms.values()]
    found = {piece for text in catalogue(ENGLISH).values() for form in text.forms.values() for piece in pieces_of(form)}
    return {piece for piece in found if len(WORD.findall(piece)) > 2 and not any(piece in form for form in others)}


@pytest.mark.parametrize("code", OTHERS)
def test_the_report_is_the_same_in_every_language_but_for_its_texts(told: dict[str, list[Told]], code: str) -> None:
    for ours, theirs in zip(told[ENGLISH], told[code], strict=True):
        assert _without_texts(theirs.report) == _without_texts(ours.report)


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("format_", ["terminal", "html", "markdown", "tap"])
def test_no_english_sentence_of_ours_is_in_a_report_in_another_language(
    told: dict[str, list[Told]], code: str, format_: str
) -> None:
    english = _english()
    assert len(english) > 300

    for each in told[code]:
        text = " ".join(each.formats[format_].split())
        assert [piece for piece in english if " ".join(piece.split()) in text] == []


@pytest.mark.parametrize("code", OTHERS)
def test_every_sentence_on_a_step_is_another_in_another_language(told: dict[str, list[Told]], code: str) -> None:
    count = 0
    for ours, theirs in zip(told[ENGLISH], told[code], strict=True):
        for english, translated in zip(_steps(ours.report), _steps(theirs.report), strict=True):
            if english["summary"] and not re.match(r"\w+Error: ", english["summary"]):  # which Python has said
                assert translated["summary"] != english["summary"]
                count += 1
    assert count > 10


def test_a_report_in_german_is_in_german(told: dict[str, list[Told]]) -> None:
    attempt, odd = (each.formats["terminal"] for each in told["de"])

    for said in ("nächster Hinweis: grade hint", "Punkte", "Seed 7", "Wie oben: ", "nicht begonnen"):
        assert said in attempt
    for said in (
        "Gibt es eine Schleife ohne Ende?",
        "Deine Signatur ist",
        "beendet das Programm",
        "meinst du `torch`?",
    ):
        assert said in " ".join(odd.split())
    assert '<html lang="de">' in told["de"][0].formats["html"]


def _steps(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for exercise in report["exercises"] for step in exercise["steps"]]


@pytest.mark.parametrize(
    ("environment", "total"),
    [
        ({"LANG": "de_DE.UTF-8"}, "zusammen"),
        ({"LANG": "C", "LC_ALL": "es_ES.UTF-8"}, "Vectores de contexto"),
        ({"LANG": "fr_CA.UTF-8"}, "total"),
        ({}, "total"),
    ],
)
def test_the_machines_own_language_is_spoken_where_none_is_named(
    grade: Grade, environment: dict[str, str], total: str
) -> None:
    done = grade("list", **environment)

    assert done.returncode == 0
    assert total in done.stdout


@pytest.mark.parametrize("code", languages())
def test_the_list_has_its_points_below_each_other_in_every_language(grade: Grade, code: str) -> None:
    lines = grade("list", "--lang", code).stdout.splitlines()

    assert {len(line) for line in lines} == {80}


def test_a_language_that_is_named_counts_more_than_the_machines(grade: Grade) -> None:
    assert "zusammen" not in grade("list", "--lang", "en", LANG="de_DE.UTF-8").stdout
    assert "zusammen" in grade("list", "--lang", "de", LC_ALL="es_ES.UTF-8").stdout


@pytest.mark.parametrize(
    "command", [("run",), ("watch",), ("hint", "ex01.query"), ("list",), ("init", "x"), ("show", "x")]
)
def test_a_language_that_is_not_there_is_told_with_those_that_are(grade: Grade, command: tuple[str, ...]) -> None:
    done = grade(*command, "--lang", "xx")

    assert done.returncode == 2
    assert "'xx' is not one of " in done.stderr
    assert all(f"'{code}'" in done.stderr for code in languages())


def test_a_hint_and_what_goes_wrong_are_told_in_the_language(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "exercises").mkdir()

    hint = grade("hint", "ex01.query", "--lang", "de", cwd=tmp_path)
    nothing = grade("run", "nowhere", "--lang", "de", cwd=tmp_path)
    unknown = grade("run", "--exercise", "ex99", "--lang", "de", cwd=tmp_path)

    assert "(noch 2: grade hint ex01.query --lang de)" in hint.stdout
    assert nothing.stderr.startswith("grade: Unter nowhere ist nichts.\nGib einen Ordner mit Modulen")
    assert (nothing.returncode, unknown.returncode) == (5, 2)
    assert "Es gibt keine Übung 'ex99'. " in unknown.stderr


def test_a_workspace_begins_with_a_page_in_the_language_and_holds_the_words(grade: Grade, tmp_path: Path) -> None:
    done = grade("init", tmp_path / "mine", "--lang", "de")

    assert done.returncode == 0, done.stderr
    assert "Beginne mit GETTING_STARTED.de.md und exercises/ex01_dot_product_scores.py" in done.stdout
    assert (tmp_path / "mine/GETTING_STARTED.de.md").is_file()
    assert (tmp_path / f"mine/exercises/words/de/{EX01}.yaml").is_file()
    assert (tmp_path / "mine/grader/words/de.toml").is_file()


def test_a_batch_in_another_language_is_graded_anew_and_one_in_the_same_is_kept(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "class/ada").mkdir(parents=True)
    source = REFERENCE[EX01].replace("return ", "return 2 * ", 1)
    (tmp_path / f"class/ada/{EX01}.py").write_text(source, "utf-8")
    graded = ("batch", tmp_path / "class", "--out", tmp_path / "out", "--allow-unsandboxed", "--exercise", "ex01")

    first, again, german, kept = (grade(*graded, "--lang", code).stdout for code in ("en", "en", "de", "de"))

    assert ["kept as they were" in done for done in (first, again, german, kept)] == [False, True, False, True]
    report = json.loads((tmp_path / "out/results/ada.json").read_text("utf-8"))
    assert "stimm" in " ".join(step["summary"] for step in _steps(report))
    assert '<html lang="de">' in (tmp_path / "out/students/ada.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("run --exersise ex01", "Es gibt keine Option --exersise. Meinst du --exercise?"),
        ("run --seed", "Die Option --seed braucht einen Wert."),
        ("watch --poll=3", "Die Option --poll nimmt keinen Wert."),
        ("run --min-score viel", "Ungültiger Wert für '--min-score': 'viel' ist keine Prozentzahl."),
        ("run --timeout 0", "Ungültiger Wert für '--timeout': 0.0 liegt nicht im Bereich 0.1<=x<=86400.0."),
        ("batch x --out y --jobs 2.5", "Ungültiger Wert für '--jobs': '2.5' ist keine ganze Zahl."),
        ("run --device tpu", "Ungültiger Wert für '--device': 'tpu' ist keines von 'cpu', 'cuda', 'all'."),
        ("run --profile docs", "Ungültiger Wert für '--profile': docs ist ein Ordner; nenne eine Datei darin."),
        (
            "run --allow-without tar",
            "Ungültiger Wert für '--allow-without': 'tar' ist keines von 'bubblewrap', 'session', 'rlimits', "
            "'landlock', 'seccomp'.",
        ),
        ("list ex01", "Das ist zu viel: ex01"),
        ("show", "Es fehlt: 'BERICHT'."),
        ("ex01", "Es gibt keinen Befehl 'ex01'. Meintest du: grade run exercises --exercise ex01"),
        ("--seed 3 run", "Optionen stehen hinter dem Befehl: grade run --seed ..."),
    ],
)
def test_a_mistyped_command_is_told_in_the_language_of_whoever_typed_it(grade: Grade, command: str, said: str) -> None:
    done = grade(*command.split(), LANG="de_DE.UTF-8")

    assert done.returncode == 2
    assert done.stderr.startswith(f"grade: {said}\nAufruf: grade ")


def test_a_mistyped_command_is_told_in_the_language_that_it_names(grade: Grade) -> None:
    assert grade("list", "--foo", "--lang", "es", LANG="de_DE.UTF-8").stderr.startswith("grade: No existe la opción")
    assert grade("list", "--foo", "--lang=en", LANG="de_DE.UTF-8").stderr.startswith("grade: No such option --foo.")
