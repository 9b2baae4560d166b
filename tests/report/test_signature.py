"""A report is taken for what was signed when it is that to the byte, and for nothing else."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli.check_signature import command as check_command
from grader.cli.sign import command as sign_command
from grader.model.errors import ExitCode, GraderError, NotWritten, SignatureWrong, UsageError
from grader.report.json import Json

from .hand_made import REPORT


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a key and a signed report."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.json").write_text(Json().render(REPORT), "utf-8")
    done(sign_command, "--new-key", "course.key")
    done(sign_command, "report.json", "--key", "course.key")
    return tmp_path


def done(command: Callable[..., object], *words: str) -> Result:
    return CliRunner().invoke(command, words, catch_exceptions=False)  # type: ignore[arg-type]


def refused(command: Callable[..., object], *words: str) -> GraderError:
    with pytest.raises(GraderError) as raised:
        done(command, *words)
    return raised.value


def test_a_signed_report_is_what_was_signed(folder: Path) -> None:
    said = done(check_command, "report.json", "--key", "course.key.pub").output

    assert said.startswith("report.json is what was signed with the key ")
    assert done(check_command, "report.json", "--key", "course.key").output == said


def test_only_its_owner_reads_a_secret_key_and_none_is_replaced(folder: Path) -> None:
    assert stat.S_IMODE((folder / "course.key").stat().st_mode) == 0o600
    assert "there already" in str(refused(sign_command, "--new-key", "course.key"))


@pytest.mark.parametrize("change", [(b'"score": 7', b'"score": 8'), (b"}\n", b"}\n\n"), (b'"seed": 7', b'"seed": 8')])
def test_a_report_that_was_changed_is_none_that_was_signed(change: tuple[bytes, bytes], folder: Path) -> None:
    file = folder / "report.json"
    content = file.read_bytes()
    assert content != content.replace(*change)
    file.write_bytes(content.replace(*change))

    error = refused(check_command, "report.json", "--key", "course.key.pub")

    assert isinstance(error, SignatureWrong)
    assert error.exit_code == ExitCode.LESS_THAN_FULL
    assert str(error) == "report.json is not what was signed: it has been changed since."


def test_a_report_of_a_students_own_key_is_not_taken_for_the_courses(folder: Path) -> None:
    done(sign_command, "--new-key", "home.key")
    done(sign_command, "report.json", "--key", "home.key")

    assert "was signed with another key" in str(refused(check_command, "report.json", "--key", "course.key.pub"))


def test_a_signature_that_claims_the_courses_key_is_not_taken_for_it(folder: Path) -> None:
    own = json.loads((folder / "report.json.sig").read_text("utf-8"))["key"]
    done(sign_command, "--new-key", "home.key")
    done(sign_command, "report.json", "--key", "home.key")
    forged = json.loads((folder / "report.json.sig").read_text("utf-8")) | {"key": own}
    (folder / "report.json.sig").write_text(json.dumps(forged), "utf-8")

    assert "was not made with course.key.pub" in str(refused(check_command, "report.json", "--key", "course.key.pub"))


def test_a_report_without_a_signature_is_not_signed(folder: Path) -> None:
    (folder / "report.json.sig").unlink()

    said = str(refused(check_command, "report.json", "--key", "course.key.pub"))

    assert said == "report.json is not signed: there is no report.json.sig beside it."


@pytest.mark.parametrize("text", ["", "[]", "{}", "\x00", "[" * 10_000, '{"schema": "attention-kit/signature/v1"}'])
def test_a_signature_that_is_none_is_a_sentence(text: str, folder: Path) -> None:
    (folder / "report.json.sig").write_text(text, "utf-8")

    assert "is no signature" in str(refused(check_command, "report.json", "--key", "course.key.pub"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("report.json", "--key", "nowhere"), "nowhere cannot be read"),
        (("report.json", "--key", "report.json"), "is no secret key"),
        (("report.json", "--key", "course.key.pub"), "is no secret key"),
        (("course.key", "--key", "course.key"), "course.key is no report"),
        (("report.json",), "Give a report and a key, as in: grade sign report.json --key course.key"),
        (("report.json", "--new-key", "other.key"), "makes a key and signs nothing"),
        (("--new-key", "no/such/folder"), "cannot be written"),
    ],
)
def test_what_cannot_be_signed_is_a_sentence(words: tuple[str, ...], said: str, folder: Path) -> None:
    error = refused(sign_command, *words)

    assert isinstance(error, UsageError)
    assert said in str(error)


def test_a_command_is_told_as_the_program_was_called(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [str(folder / ".venv" / "bin" / "grade")])
    monkeypatch.setenv("PATH", "")

    assert "as in: .venv/bin/grade sign report.json --key course.key" in str(refused(sign_command))
    told = str(refused(sign_command, "report.json", "--key", "report.json"))
    assert "`.venv/bin/grade sign --new-key FILE` makes one." in told
    told = str(refused(check_command, "report.json", "--key", "report.json"))
    assert "`.venv/bin/grade sign --new-key FILE` makes one, FILE.pub." in told


def test_where_the_package_is_missing_it_is_named(folder: Path) -> None:
    code = "import sys; sys.modules['cryptography'] = None; from grader.cli.main import main; main()"
    words = ["sign", "report.json", "--key", "course.key"]

    ended = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)

    assert ended.returncode == ExitCode.WRONG_USAGE
    assert ended.stderr.strip() == (
        "grade: Signatures need the package cryptography, which is not installed here: "
        f"{shlex.quote(sys.executable)} -m pip install cryptography"
    )


def test_what_has_grown_or_become_a_folder_since_is_not_what_was_signed(folder: Path) -> None:
    signature = folder / "report.json.sig"
    signature.write_text("x" * 20_000, "utf-8")
    assert isinstance(refused(check_command, "report.json", "--key", "course.key.pub"), SignatureWrong)

    signature.unlink()
    signature.mkdir()
    assert isinstance(refused(check_command, "report.json", "--key", "course.key.pub"), SignatureWrong)


@pytest.mark.parametrize("name", ["report.json", "report.json.sig"])
def test_a_pipe_in_place_of_what_is_checked_is_a_sentence_and_never_waited_for(name: str, folder: Path) -> None:
    (folder / name).unlink()
    os.mkfifo(folder / name)

    assert refused(check_command, "report.json", "--key", "course.key.pub")


def test_half_a_pair_of_keys_is_not_left_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: Path, text: str) -> None:
        raise NotWritten(f"{file} cannot be written: No space left on device.")

    with monkeypatch.context() as patched:
        patched.setattr("grader.report.signature.write_whole", full)
        assert isinstance(refused(sign_command, "--new-key", "other.key"), NotWritten)

    assert not (folder / "other.key").exists()
    done(sign_command, "--new-key", "other.key")
