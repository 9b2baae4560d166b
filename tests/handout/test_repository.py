"""A workspace is a git repository where git can make it one, and never fails for want of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from grader.handout import repository


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file, and a git that knows somebody's name and nothing else."""
    config = tmp_path / "gitconfig"
    config.write_text("[user]\nname = Ada\nemail = ada@example.org\n[commit]\ngpgsign = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"):
        monkeypatch.delenv(name, raising=False)
    made = tmp_path / "mine"
    made.mkdir()
    (made / "one.py").write_text("1\n")
    return made


def log(folder: Path) -> str:
    done = subprocess.run(["git", "log", "--format=%an: %s"], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout


def test_a_folder_becomes_a_repository_with_one_commit(folder: Path) -> None:
    assert repository.begin(folder) == "It is a git repository with a first commit."
    assert log(folder) == "Ada: The exercises as they were handed out\n"


def test_without_a_name_there_is_no_commit_and_it_says_how_to_have_one(folder: Path) -> None:
    (folder.parent / "gitconfig").write_text("")

    assert "git config --global" in repository.begin(folder)
    assert (folder / ".git").is_dir()
    assert log(folder) == ""


def test_in_somebodys_repository_that_one_is_left_as_it_is(folder: Path) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=folder.parent, check=True)

    assert f"the git repository {folder.parent}, which is left as it is" in repository.begin(folder)
    assert not (folder / ".git").exists()


def test_a_hooks_repository_is_not_taken_for_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(folder.parent / "hook"))

    assert repository.begin(folder) == "It is a git repository with a first commit."
    assert not (folder.parent / "hook").exists()


def test_without_git_nothing_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder))

    assert repository.begin(folder) == ""


def test_a_git_that_fails_is_no_reason_to(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = folder.parent / "bin"
    broken.mkdir()
    (broken / "git").write_text("#!/bin/sh\nexit 128\n")
    (broken / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(broken))

    assert repository.begin(folder) == "git could not make a repository of it; everything else is there."
