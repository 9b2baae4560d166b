"""A child reads the Python installation, writes to its own folder, and finds no other file."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from grader.runner.processes.zygote import Zygote

from .conftest import ROOT, Inside, applied, names

LAYER = "landlock"
REFUSED = {
    "a solution": f"open({str(ROOT / 'solutions/reference/ex01_dot_product_scores.py')!r})",
    "a fixture": f"os.listdir({str(ROOT / 'fixtures')!r})",
    "the checkout": f"os.listdir({str(ROOT)!r})",
    "accounts": "open('/etc/passwd')",
    "processes": "open('/proc/self/status')",
    "a program": "open('/bin/sh')",
    "other folders": "os.listdir(os.path.dirname(os.getcwd()))",
    "a device": "open('/dev/full')",
}
ALLOWED = {
    "the standard library": "open(os.__file__)",
    "torch": "os.listdir(os.path.dirname(torch.__file__))",
    "its folder": "open('file', 'w').close() or os.listdir('.')",
    "folders in it": "os.makedirs('a/b') or os.rename('a/b', 'c') or os.rmdir('c')",
    "links in it": "os.symlink('file', 'link')",
    "a temporary file": "tempfile.NamedTemporaryFile().close()",
    "nothing": "open('/dev/null', 'w').close()",
    "randomness": "open('/dev/urandom', 'rb').close()",
    "a module of the library": "__import__('sqlite3')",
}


def test_it_is_the_only_layer_here(worker: Zygote) -> None:
    assert names(worker) == (LAYER,)


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_nobodys_business_cannot_be_read_and_could_be_without(what: str, inside: Inside, bare: Inside) -> None:
    code = f"return attempt(lambda: {REFUSED[what]})"

    assert (inside(code), bare(code)) == ("EACCES", "done")


@pytest.mark.parametrize("what", ALLOWED)
def test_what_honest_code_reads_and_writes_is_there(what: str, inside: Inside) -> None:
    assert inside(f"return attempt(lambda: {ALLOWED[what]})") == "done"


@pytest.mark.parametrize(
    "verb", ["open({!r}, 'w').close()", "os.mkdir({!r})", "os.symlink('/', {!r})", "os.mkfifo({!r})"]
)
def test_nothing_is_written_outside_its_folder(verb: str, inside: Inside, bare: Inside, tmp_path: Path) -> None:
    code = f"return attempt(lambda: {verb.format(str(tmp_path / 'new'))})"

    assert inside(code) == "EACCES"
    assert list(tmp_path.iterdir()) == []
    assert bare(code) == "done"


def test_a_link_leads_nowhere_that_its_name_does_not(inside: Inside, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", "utf-8")

    assert inside(f"os.symlink({str(tmp_path / 'secret')!r}, 'link'); return attempt(lambda: open('link'))") == "EACCES"


def test_what_it_wrote_cannot_be_executed(inside: Inside) -> None:
    code = """
        pathlib.Path("run").write_text("#!/bin/sh")
        os.chmod("run", 0o700)
        return attempt(lambda: os.execv("./run", ["run"]))
    """

    assert inside(code) == "EACCES"


def test_there_is_no_tcp(inside: Inside, bare: Inside) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"return attempt(lambda: socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 5).close())"
        if inside("return " + _version()) < "4":
            pytest.skip("Linux 6.7 and newer can refuse it")

        assert (inside(code), bare(code)) == ("EACCES", "done")


def test_no_signal_gets_out(inside: Inside, bare: Inside) -> None:
    code = "return attempt(lambda: os.kill(os.getppid(), 0))"
    if inside("return " + _version()) < "6":
        pytest.skip("Linux 6.12 and newer can refuse it")

    assert (inside(code), bare(code)) == ("EPERM", "done")


def test_cuda_has_to_do_without() -> None:
    assert applied("landlock", "print(outcome, os.path.exists('/etc/passwd'))", device="cuda") == "False True"


def _version() -> str:
    return "libc.syscall(444, None, ctypes.c_size_t(0), 1)"
