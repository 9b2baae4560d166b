"""A pack loads whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.model.errors import PackError, RubricError
from grader.model.pack import Draw, Fused, Pack
from grader.pack.load import lesson_value, load_pack
from grader.plugins.registry import Plugins

from .broken import PACK, RUBRIC, STUB, changed, problems, written

ALIASES = """aliases:
  W_query: [W_q, q_proj]
fused:
  - {names: [qkv], roles: [W_query]}
optional: [out_proj.bias]
"""


def test_a_sound_pack_loads(tmp_path: Path, plugins: Plugins) -> None:
    source = written(tmp_path / "pack", {"ex01_a": RUBRIC, "ex02_b": RUBRIC}, pack=PACK + ALIASES)

    pack = load_pack(source, plugins.checks)

    assert (pack.name, pack.version, pack.seed, pack.points) == ("small", "1", 1, 10)
    assert [exercise.id for exercise in pack.exercises] == ["ex01_a", "ex02_b"]
    assert pack.naming.aliases == {"W_query": ("W_q", "q_proj")}
    assert pack.naming.fused == (Fused(("qkv",), ("W_query",)),)
    assert pack.lesson == {"embeddings": {"two": [[1, 2], [3, 4]]}}


@pytest.mark.parametrize("stub", [None, "def f(:\n", "raise SystemExit\n", "# cleared\n"])
def test_what_became_of_a_stub_changes_nothing(tmp_path: Path, plugins: Plugins, stub: str | None) -> None:
    source = written(tmp_path / "pack", {"ex01_a": RUBRIC})
    before = load_pack(source, plugins.checks)
    path = source.exercises / "ex01_a.py"
    path.unlink()
    if stub is not None:
        path.write_text(stub, "utf-8")

    assert load_pack(source, plugins.checks) == before


def test_a_pack_without_exercises_is_broken(tmp_path: Path, plugins: Plugins) -> None:
    with pytest.raises(PackError, match="holds no rubric"):
        load_pack(written(tmp_path / "pack", {}), plugins.checks)


def test_a_pack_without_its_own_file_is_broken(tmp_path: Path, plugins: Plugins) -> None:
    source = written(tmp_path / "pack", {"ex01_a": RUBRIC})
    (source.exercises / "pack.yaml").unlink()

    with pytest.raises(PackError, match=r"pack\.yaml of the pack cannot be read"):
        load_pack(source, plugins.checks)


def test_a_file_that_is_no_text_is_told_with_its_place(tmp_path: Path, plugins: Plugins) -> None:
    source = written(tmp_path / "pack", {"ex01_a": RUBRIC})
    (source.exercises / "pack.yaml").write_bytes(f"{PACK}# ".encode() + b"\xf6\n")

    assert problems(source, plugins.checks) == ["pack.yaml:4:3: not UTF-8: save the file as UTF-8"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (PACK + "aliasses: {}\n", "pack.yaml:4:1: unknown key 'aliasses'; did you mean 'aliases'?"),
        (PACK.replace("seed: 1", "seed: -1"), "pack.yaml:3:7: seed must be 0 or more; found -1"),
        (PACK.replace("name: small", "name: smal"), "pack.yaml:1:7: its plugin calls this pack 'small'; found 'smal'"),
        (PACK + "ending: ex01.all\n", "pack.yaml:4:9: there is no step 'ex01.all' that asks a class"),
        (
            PACK.replace("version: '1'", "version: 1"),
            "pack.yaml:2:10: version must be a text; found the number 1; put it in quotes",
        ),
    ],
)
def test_a_broken_file_of_the_pack_is_told(tmp_path: Path, plugins: Plugins, text: str, told: str) -> None:
    assert problems(written(tmp_path / "pack", {"ex01_a": RUBRIC}, pack=text), plugins.checks) == [told]


def test_a_broken_file_and_a_broken_rubric_are_told_at_once(tmp_path: Path, plugins: Plugins) -> None:
    broken = changed(("points: 3", "points: 0"))
    source = written(tmp_path / "pack", {"ex01_a": broken}, pack="name: small\n", lesson="a: no\n")

    files = {line.split(":")[0] for line in problems(source, plugins.checks)}

    assert files == {"pack.yaml", "lesson.yaml", "ex01_a.yaml"}


def needing(*names: str, key: str = "needs") -> str:
    """The sound rubric, whose first step names these steps on line ten."""
    return changed(("cases: [random]", f"cases: [random]\n    {key}: [{', '.join(names)}]"))


def test_a_step_may_need_steps_that_come_earlier(tmp_path: Path, plugins: Plugins) -> None:
    rubrics = {"ex01_a": RUBRIC, "ex02_b": needing("ex01.all", "ex01.layer")}

    pack = load_pack(written(tmp_path / "pack", rubrics), plugins.checks)

    assert pack.exercises[1].steps[0].needs == ("ex01.all", "ex01.layer")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("ex01.al", "ex02.all names 'ex01.al', which is no earlier step; did you mean 'ex01.all'?"),
        ("nothing", "ex02.all names 'nothing', which is no earlier step"),
        ("ex02.layer", "ex02.all names 'ex02.layer', which is no earlier step"),
        ("ex02.all", "ex02.all names 'ex02.all', which is no earlier step"),
    ],
)
def test_a_step_that_is_no_earlier_one_is_told(tmp_path: Path, plugins: Plugins, name: str, told: str) -> None:
    source = written(tmp_path / "pack", {"ex01_a": RUBRIC, "ex02_b": needing(name)})

    (problem,) = problems(source, plugins.checks)

    assert problem.startswith("ex02_b.yaml:")
    assert told in problem


def test_a_step_that_is_no_earlier_one_is_told_where_it_stands(tmp_path: Path, plugins: Plugins) -> None:
    source = written(tmp_path / "pack", {"ex01_a": needing("nothing")})

    (problem,) = problems(source, plugins.checks)

    assert problem.startswith("ex01_a.yaml:10:")


def test_relying_on_a_module_without_a_stand_in_is_told(tmp_path: Path, plugins: Plugins) -> None:
    rubrics = {"ex01_a": RUBRIC, "ex02_b": needing("ex01.all", key="relies_on")}

    (problem,) = problems(written(tmp_path / "without", rubrics), plugins.checks)
    none = problems(written(tmp_path / "with", rubrics, stand_ins={"ex01_a": STUB}), plugins.checks)

    assert "ex02.all relies on ex01.all, but there is no stand-in for ex01_a" in problem
    assert none == []


@pytest.mark.parametrize("visibility", ["hidden", "after_due_date"])
def test_a_step_that_students_see_names_none_that_they_do_not(
    visibility: str, tmp_path: Path, plugins: Plugins
) -> None:
    hides = ("cases: [random]", f"cases: [random]\n    visibility: {visibility}")
    rubrics = {"ex01_a": changed(hides), "ex02_b": needing("ex01.all")}
    all_hidden = {**rubrics, "ex02_b": changed(hides, rubric=needing("ex01.all"))}

    (problem,) = problems(written(tmp_path / "seen", rubrics), plugins.checks)
    none = problems(written(tmp_path / "hidden", all_hidden), plugins.checks)

    assert problem.startswith("ex02_b.yaml:10:")
    assert "ex02.all is visible and names ex01.all, which is not: students would hear of it" in problem
    assert none == []


def test_a_step_says_who_sees_it(tmp_path: Path, plugins: Plugins) -> None:
    rubric = changed(("cases: [random]", "cases: [random]\n    visibility: after_due_date"))

    pack = load_pack(written(tmp_path / "pack", {"ex01_a": rubric}), plugins.checks)
    (problem,) = problems(written(tmp_path / "other", {"ex01_a": rubric.replace("after_", "before_")}), plugins.checks)

    assert [step.visibility.value for step in pack.exercises[0].steps] == ["after_due_date", "visible"]
    assert problem.startswith("ex01_a.yaml:10:")


def test_a_broken_rubric_puts_no_blame_on_those_that_need_it(tmp_path: Path, plugins: Plugins) -> None:
    source = written(tmp_path / "pack", {"ex01_a": changed(("points: 3", "points: 0")), "ex02_b": needing("ex01.all")})

    assert {line.split(":")[0] for line in problems(source, plugins.checks)} == {"ex01_a.yaml"}


def test_a_pack_has_another_digest_once_a_rubric_changes(tmp_path: Path, plugins: Plugins) -> None:
    first = load_pack(written(tmp_path / "first", {"ex01_a": RUBRIC}), plugins.checks)
    same = load_pack(written(tmp_path / "same", {"ex01_a": RUBRIC}), plugins.checks)
    other = load_pack(written(tmp_path / "other", {"ex01_a": changed(("points: 3", "points: 4"))}), plugins.checks)

    assert first.sha256 == same.sha256 != other.sha256


def test_a_broken_rubric_is_a_broken_pack(tmp_path: Path, plugins: Plugins) -> None:
    source = written(tmp_path / "pack", {"ex01_a": "title: A\n"})

    with pytest.raises(RubricError) as caught:
        load_pack(source, plugins.checks)

    assert caught.value.exit_code == 3
    assert all(problem.line >= 1 and problem.column >= 1 for problem in caught.value.problems)


def test_a_lessons_entry_is_found_by_its_path(pack: Pack) -> None:
    lesson = {"words": {"list": [[1, 2], [3, 4]]}}

    assert lesson_value(lesson, "words.list") == [[1, 2], [3, 4]]
    assert lesson_value(lesson, "words.list.1.0") == 3


@pytest.mark.parametrize("path", ["word", "words.list.7", "words.list.x", "words.list.0.0.0", ""])
def test_a_lessons_entry_that_there_is_none_of_is_told(path: str) -> None:
    with pytest.raises(PackError, match=r"lesson\.yaml has no entry"):
        lesson_value({"words": {"list": [[1, 2], [3, 4]]}}, path)


def test_the_shapes_of_what_is_taken_from_the_lesson_are_known(pack: Pack) -> None:
    x = pack.exercise("ex10_causal_attention").cases["lesson"].inputs["x"]

    assert isinstance(x, Draw)
    assert [part.shape for part in x.parts] == [(6, 3), (6, 3)]
