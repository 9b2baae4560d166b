"""What a workspace holds: what a student and their editor need, and nothing that gives a solution away."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from grader.cli.main import COMMANDS
from grader.handout.checks import check_stubs, said_of_stubs
from grader.handout.contents import TEMPLATES, contents, enclosing, is_workspace
from grader.model.errors import PackError
from grader.model.pack import Pack
from grader.words import languages
from tests.end_to_end.submissions import EX01, EX07, ROOT

from .leaking import leaked


def test_no_line_of_the_reference_that_a_stub_has_not_is_in_a_workspace(workspace: Path) -> None:
    assert leaked(workspace) == {}


def test_a_line_of_the_reference_is_seen_alone_and_within_a_hint(tmp_path: Path) -> None:
    (tmp_path / "stand_in.py").write_text("    scores = inputs @ query\n")
    (tmp_path / "hints.yaml").write_text("- Try `parameter.copy_( linear.weight.T )` for each.\n")

    assert leaked(tmp_path) == {EX01: ["scores = inputs @ query"], EX07: ["parameter.copy_(linear.weight.T)"]}


def test_work_that_was_put_aside_for_a_stub_is_handed_to_nobody(pack: Pack, tmp_path: Path) -> None:
    exercises = tmp_path / "exercises"
    shutil.copytree(pack.source.exercises, exercises)
    for name in ("ex05_scaled_scores.py.1", "ex05_scaled_scores.py.12", "ex06_self_attention_v1.py.new"):
        (exercises / name).write_text("a solution")

    handed = contents(replace(pack, source=replace(pack.source, exercises=exercises)))

    assert "exercises/ex05_scaled_scores.py" in handed
    assert not [name for name in handed if name.startswith("exercises/") and name.endswith((".1", ".12", ".new"))]


def test_exercises_that_would_bring_no_pack_are_not_handed_out(pack: Pack, tmp_path: Path) -> None:
    exercises = tmp_path / "exercises"
    shutil.copytree(pack.source.exercises, exercises)
    moved = replace(pack, source=replace(pack.source, exercises=exercises))
    assert check_stubs(moved) == check_stubs(pack)

    (exercises / "__init__.py").unlink()

    with pytest.raises(PackError, match=r"has no __init__.py that gives it by the hook grader_packs"):
        check_stubs(moved)


def test_a_workspace_is_known_as_one_and_so_is_what_lies_in_it(workspace: Path, tmp_path: Path) -> None:
    assert is_workspace(workspace)
    assert is_workspace(ROOT)
    assert enclosing(workspace / "deep/inside") == workspace
    assert enclosing(workspace) is None
    assert not is_workspace(tmp_path)


def test_editor_settings_are_json_that_names_what_is_there(workspace: Path) -> None:
    settings = json.loads((workspace / ".vscode/settings.json").read_text("utf-8"))
    tasks = json.loads((workspace / ".vscode/tasks.json").read_text("utf-8"))["tasks"]

    ((schema, rubrics),) = settings["yaml.schemas"].items()
    assert (workspace / schema).is_file()
    assert list(workspace.glob(rubrics))
    assert [(task["label"], task["args"]) for task in tasks] == [("grade watch", ["watch"]), ("grade", ["grade"])]


def test_the_page_to_begin_with_names_files_and_commands_that_there_are(workspace: Path) -> None:
    page = (workspace / "GETTING_STARTED.md").read_text("utf-8")

    commands = re.findall(r"^grade (\w+)", "\n".join(re.findall(r"```sh\n(.*?)```", page, re.DOTALL)), re.MULTILINE)
    assert {"run", "hint", "list"} == set(commands) <= set(COMMANDS)
    for file in re.findall(r"`(exercises/[\w/.]*|\.vscode/)`", page):
        assert (workspace / file).exists(), file
    assert len(page.splitlines()) <= 70


@pytest.mark.parametrize("page", sorted(TEMPLATES.glob("GETTING_STARTED*.md")), ids=lambda page: page.name)
def test_each_page_to_begin_with_names_every_language_and_what_sets_it_up_without_make(page: Path) -> None:
    text = page.read_text("utf-8")
    install = "pip install --constraint constraints.txt --editable ."

    assert all(f"`--lang {code}`" in text for code in languages())
    assert f"```console\npython -m venv .venv\n.venv\\Scripts\\{install}\n```" in text
    makefile = (TEMPLATES / "Makefile").read_text("utf-8")
    assert re.sub(r"--(quiet|disable-pip-version-check) ", "", makefile).count(
        "pip install --constraint constraints.txt\n"
    )
    assert "$(PIP) --editable .\n" in makefile
    assert len(text.splitlines()) <= 70


def test_everything_that_the_folder_of_templates_holds_is_handed_out(pack: Pack) -> None:
    assert {path for path in TEMPLATES.iterdir() if path.is_file()} <= set(contents(pack).values())


def test_of_what_was_worked_on_the_untouched_stub_is_handed_out(pack: Pack, tmp_path: Path) -> None:
    exercises = tmp_path / "exercises"
    shutil.copytree(pack.source.exercises, exercises)
    worked_on = pack.exercises[0]
    (exercises / f"{worked_on.id}.py").write_text("a_solution = 1\n")
    mine = replace(pack, source=replace(pack.source, exercises=exercises))

    handed = contents(mine)
    told = said_of_stubs(check_stubs(mine), mine)

    assert "a_solution" not in handed[f"exercises/{worked_on.id}.py"].read_text("utf-8")
    assert f"{worked_on.id}.py" in told
    assert said_of_stubs(check_stubs(pack), pack) == ""


def test_a_workspace_installs_what_the_grader_needs() -> None:
    kit, workspace = (
        tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"] for folder in (ROOT, TEMPLATES)
    )

    assert workspace["dependencies"] == kit["dependencies"]
    assert workspace["requires-python"] == kit["requires-python"]
