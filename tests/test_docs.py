"""What README and docs say is so: commands run, links lead somewhere, lists are whole."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from _pytest.mark.structures import ParameterSet
from click.testing import CliRunner

from docs import diagnosis
from grader.cli.main import cli
from grader.judge.checks import BUILT_IN
from grader.model.errors import ExitCode
from grader.pack.rubric import read_rubric, validate
from grader.pack.schema import PackModel, json_schema
from grader.pack.yaml import read
from grader.plugins import hooks
from grader.plugins.registry import Plugins
from grader.runner.processes.zygote import Zygote
from tests.end_to_end.submissions import NOT_SOURCE

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)\)")
# What stands in the documents but would test itself, or change this checkout.
ONLY_THAT_IT_EXISTS = [
    f"make {target}" for target in ("test", "test-all", "oldest", "newest", "check", "demo", "grade", "watch")
]
# What takes most of a minute, and is run whole by a test of its own.
IN_PART = {"grade verify": "grade verify --exercise ex03", "grade fixtures build": "grade fixtures build --help"}


# These start a worker or build a wheel, and together take minutes. What README and CONTRIBUTING say runs every time.
GRADES = re.compile(r"grade (run|batch|watch|verify|fixtures check|bundle)\b")


def commands() -> list[ParameterSet]:
    """Each page with each of its shell commands."""
    return [
        pytest.param(
            page.name, line, marks=[pytest.mark.long] if page.parent.name == "docs" and GRADES.search(line) else []
        )
        for page in PAGES
        for block in BLOCK.findall(page.read_text("utf-8"))
        for line in block.splitlines()
        if line.strip()
    ]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy to run documented commands in, with stubs, solutions and fixtures of its own."""
    copy = tmp_path_factory.mktemp("docs") / "attention-kit"
    shutil.copytree(ROOT, copy, ignore=NOT_SOURCE)
    (copy / ".venv").symlink_to(sys.prefix)
    return copy


def test_there_are_commands_to_run() -> None:
    assert len(commands()) > 10


@pytest.mark.no_cover
@pytest.mark.parametrize(("page", "command"), commands())
def test_every_documented_command_runs(page: str, command: str, checkout: Path) -> None:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(checkout),
    }
    dry = f"{command} --dry-run" if command in ONLY_THAT_IT_EXISTS else IN_PART.get(command, command)
    dry = f"echo q | {dry}" if command.startswith("grade watch") else dry  # or it would go on for ever

    done = subprocess.run(
        ["bash", "-c", dry], cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )

    graded_the_stubs = "run exercises" in command and done.returncode == ExitCode.LESS_THAN_FULL
    assert done.returncode == 0 or graded_the_stubs, f"{page}: {command}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file(page: Path) -> None:
    missing = [link for link in LINK.findall(page.read_text("utf-8")) if not (page.parent / link).exists()]

    assert missing == []


def test_every_command_that_needs_more_machines_has_options_that_there_are() -> None:
    text = (ROOT / "docs" / "cluster.md").read_text("utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    uses = [*re.findall(r"(dask scheduler|dask worker|grade batch)([^\n\"]*)", "\n".join(blocks))]
    for pod in yaml.safe_load_all((ROOT / "docs" / "cluster.yaml").read_text("utf-8")):
        containers = pod["spec"].get("template", {"spec": {"containers": []}})["spec"]["containers"]
        uses += [(" ".join(each["command"][:2]), " ".join(each["command"][2:])) for each in containers]

    known = {}
    for command in {command for command, _ in uses}:
        words = [Path(sys.executable).with_name(command.split()[0]), *command.split()[1:], "--help"]
        known[command] = subprocess.run(words, capture_output=True, text=True, check=True).stdout

    assert len(uses) >= 8
    for command, words in uses:
        for option in re.findall(r"(?<!\S)--[a-z-]+", words):
            assert re.search(rf"{option}\b", known[command]), f"{command} has no {option}"


def test_every_command_that_needs_a_platform_has_options_that_there_are() -> None:
    text = (ROOT / "docs" / "platforms.md").read_text("utf-8")
    blocks = "\n".join(re.findall(r"^```(?:console|yaml)\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    uses = re.findall(r"(grade_submission|grade batch|grade sign|/submission)\b([^\n]*)", blocks)

    assert len(uses) >= 7
    for command, words in uses:
        name = command.removeprefix("grade ") if " " in command else "run"
        known = CliRunner().invoke(cli, [name, "--help"]).output
        # What stands before the image's own words is docker's.
        for option in re.findall(r"(?<!\S)--[a-z-]+", words.rpartition("attention-grader")[2]):
            assert re.search(rf"{option}\b", known), f"grade {name} has no {option}"


def test_the_page_on_platforms_has_every_bundle(plugins: Plugins) -> None:
    text = (ROOT / "docs" / "platforms.md").read_text("utf-8")

    assert set(re.findall(r"^grade bundle (\w+) ", text, re.MULTILINE)) == set(plugins.bundles)


def test_the_page_on_platforms_starts_the_graders_image_with_gitlabs_own_shell() -> None:
    text = (ROOT / "docs" / "platforms.md").read_text("utf-8")
    blocks = [yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)]
    jobs = [job for block in blocks for job in block.values()]
    graders = [job for job in jobs if "attention-grader" in str(job["image"])]

    assert len(graders) == 1
    assert all(job["image"]["entrypoint"] == [""] for job in jobs)
    assert graders[0]["script"][0].startswith("bash /opt/course/grade_submission work ")
    dockerfile = (ROOT / "grader/bundle/templates/docker/Dockerfile").read_text("utf-8")
    assert 'ENTRYPOINT ["bash", "/opt/course/grade_submission"]' in dockerfile


def test_the_page_on_platforms_lets_the_sandbox_start_as_the_workflow_does() -> None:
    text = (ROOT / "docs" / "platforms.md").read_text("utf-8")
    workflow = yaml.safe_load((ROOT / "grader/bundle/templates/github/grade.yml").read_text("utf-8"))
    (lines,) = (step["run"] for step in workflow["jobs"]["grade"]["steps"] if step.get("id") == "sandbox")

    for section in ("GitHub Actions", "GitHub Classroom"):
        (own,) = re.findall(rf"^## {section}\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)
        before, command, _ = own.partition(" --format github")
        assert command, section
        assert f"```console\n{lines}```\n" in before, section


def test_the_page_on_plugins_lists_every_hook_and_no_other() -> None:
    text = (ROOT / "docs" / "plugins.md").read_text("utf-8")

    listed = set(re.findall(r"^\| `(grader_\w+)` \|", text, re.MULTILINE))

    assert listed == {name for name in vars(hooks) if name.startswith("grader_")}


def test_the_page_on_formats_lists_every_format_and_no_other(plugins: Plugins) -> None:
    text = (ROOT / "docs" / "formats.md").read_text("utf-8")
    (table,) = re.findall(r"^\| format \| goes to .*?\n\n", text, re.MULTILINE | re.DOTALL)

    assert set(re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE)) == set(plugins.reporters)


def test_every_hook_says_when_it_is_called() -> None:
    specifications = [value for name, value in vars(hooks).items() if name.startswith("grader_")]

    assert all("Called" in (specification.__doc__ or "") for specification in specifications)


def test_the_example_plugin_of_the_page_works() -> None:
    text = (ROOT / "docs" / "plugins.md").read_text("utf-8")
    (source,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)

    namespace: dict[str, object] = {}
    exec(compile(source, "plugins.md", "exec"), namespace)

    (reporter,) = namespace["grader_reporters"]()  # type: ignore[operator]
    assert reporter.name == "one-line"


def test_the_page_on_rubrics_lists_every_check_with_its_options() -> None:
    text = (ROOT / "docs" / "rubric.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \|[^|]+\|([^|]*)\|$", text, re.MULTILINE)

    listed = {name: set(re.findall(r"`(\w+)`", options)) for name, options in rows}

    assert listed == {check.name: set(check.options) for check in BUILT_IN}


def test_the_examples_of_the_page_on_rubrics_are_sound(plugins: Plugins) -> None:
    text = (ROOT / "docs" / "rubric.md").read_text("utf-8")
    rubric, pack = re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    named = f'name: attention\nversion: "1.0"\nseed: 1\n{pack}'

    assert read_rubric(read(rubric, "ex10_causal_attention.yaml"), plugins.checks)[1] == []
    assert validate(PackModel, read(named, "pack.yaml"))[1] == []


def test_the_readme_lists_every_exit_code() -> None:
    text = (ROOT / "README.md").read_text("utf-8")

    listed = {int(code) for code in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)}

    assert listed == {int(code) for code in ExitCode}


@pytest.mark.long
def test_the_page_on_diagnosis_shows_what_a_student_reads_today(zygote: Zygote) -> None:
    assert diagnosis.PAGE.read_text("utf-8") == diagnosis.page(zygote), "run: make diagnosis"


def test_the_schema_for_editors_is_the_one_that_the_code_gives() -> None:
    written = (ROOT / "exercises" / "rubric.schema.json").read_text("utf-8")

    assert written == json_schema(), "run: python -m grader.pack.schema > exercises/rubric.schema.json"
