"""Inside bubblewrap there is a Python installation and no more; where it cannot start, that is said."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.model.isolation import LAYERS
from grader.runner.processes import bubblewrap
from grader.runner.processes.spawner import import_root
from grader.runner.processes.zygote import Zygote
from grader.runner.solver import Solver

from ..asking import EX, X, call, observe, saying, sources, text

HERE = Path(__file__).resolve()
needs_bubblewrap = pytest.mark.skipif(bubblewrap.missing() != "", reason=f"bubblewrap: {bubblewrap.missing()}")
LOOKS = """
    import json, os, pathlib, socket

    def attempt(what, *arguments):
        try:
            what(*arguments)
            return "done"
        except OSError as error:
            return type(error).__name__

    def looks():
        return say(json.dumps({
            "grader": sorted(os.listdir(os.path.join(ROOT, "grader"))),
            "checkout": sorted(os.listdir(ROOT)),
            "modules": sorted(p.name for p in pathlib.Path(ROOT).rglob("ex01_*")),
            "processes": [name for name in os.listdir("/proc") if name.isdigit()],
            "devices": [name for _, name in socket.if_nameindex()],
            "home": os.listdir("/"),
            "at root": attempt(os.mkdir, "/new"),
            "in dev": attempt(os.mkdir, "/dev/new"),
            "in library": attempt(open, os.path.join(os.path.dirname(os.__file__), "new"), "w"),
            "in scratch": attempt(os.mkdir, "new"),
            "network": attempt(lambda: socket.create_connection(("127.0.0.1", PORT), 5)),
            "host": socket.gethostname(),
            "size": os.statvfs(".").f_blocks * os.statvfs(".").f_frsize,
        }))
"""


@pytest.fixture(scope="module")
def inside() -> Iterator[Zygote]:
    """A worker whose one layer is bubblewrap."""
    worker = Zygote(frozenset(LAYERS) - {"bubblewrap"})
    yield worker
    worker.close()


@pytest.fixture(scope="module")
def seen(inside: Zygote) -> dict[str, object]:
    """What a submission sees inside."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        constants = f"ROOT, PORT = {str(import_root())!r}, {server.getsockname()[1]}\n"
        solver = Solver(inside, {EX: constants.encode() + saying(LOOKS)[EX]}, {})
        looked: dict[str, object] = json.loads(text(observe(solver, call("looks"))))
        solver.close()
    assert solver.isolation == ("bubblewrap",)
    return looked


@needs_bubblewrap
def test_of_the_grader_only_the_workers_parts_are_there(seen: dict[str, object]) -> None:
    # Where the checkout lies below the scratch folder, Python can keep what it compiled there.
    assert set(seen["grader"]) - {"__pycache__"} == set(bubblewrap.WORKER_PARTS)  # type: ignore[call-overload]


@needs_bubblewrap
def test_no_solution_and_no_fixture_is_there(seen: dict[str, object]) -> None:
    assert seen["modules"] == []
    assert not {"solutions", "fixtures", "exercises", "tests", ".git"} & set(seen["checkout"])  # type: ignore[call-overload]


@needs_bubblewrap
def test_only_the_workers_own_processes_are_there(seen: dict[str, object]) -> None:
    assert len(seen["processes"]) == 3  # type: ignore[arg-type] # bubblewrap's first, the zygote, and itself
    assert str(os.getpid()) not in seen["processes"] or os.getpid() < 100  # type: ignore[operator]


@needs_bubblewrap
def test_there_is_no_network_but_its_own_loopback(seen: dict[str, object]) -> None:
    assert seen["devices"] in (["lo"], [])
    assert seen["network"] in ("ConnectionRefusedError", "OSError")


@needs_bubblewrap
def test_only_the_scratch_folder_can_be_written_to_and_its_size_is_limited(seen: dict[str, object]) -> None:
    refused = {seen[place] for place in ("at root", "in dev", "in library")}

    assert refused <= {"OSError", "PermissionError"}
    assert seen["in scratch"] == "done"
    if bubblewrap._can_limit_size():
        assert seen["size"] == bubblewrap.SCRATCH_BYTES


@needs_bubblewrap
def test_nobodys_home_is_there(seen: dict[str, object]) -> None:
    assert not {"home", "boot", "mnt", "media", "srv"} & set(seen["home"])  # type: ignore[call-overload]


@needs_bubblewrap
def test_nothing_of_it_lies_on_the_disk(inside: Zygote) -> None:
    inside.hello()

    assert not inside.scratch.exists()


@needs_bubblewrap
@pytest.mark.parametrize("is_listed", [True, False], ids=["the linker's list", "the environment's"])
def test_a_gpus_driver_is_there_wherever_it_lies(
    is_listed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, real = tmp_path / "lib", tmp_path / "versions"
    for each in (folder, real):
        each.mkdir()
    (real / "libcuda.so.9.9").write_bytes(b"")
    (folder / bubblewrap.DRIVER).symlink_to(real / "libcuda.so.9.9")
    listed = f"\t{bubblewrap.DRIVER} (libc6,x86-64) => {folder / bubblewrap.DRIVER}\n" * is_listed
    monkeypatch.setattr(bubblewrap, "gpus", lambda: ["/dev/null"])
    monkeypatch.setattr(bubblewrap, "_linked", lambda: f"2 libs found\n{listed}\tlibc.so.6 (libc6) => /lib/libc.so.6\n")
    monkeypatch.setenv("LD_LIBRARY_PATH", "" if is_listed else f"relative::/nowhere:{folder}")

    words = bubblewrap.command.__wrapped__(import_root())
    looks = f"import os; open({str(folder / bubblewrap.DRIVER)!r}).close(); print(*os.listdir({str(tmp_path)!r}))"
    done = subprocess.run([*words, sys.executable, "-Ic", looks], capture_output=True, text=True, check=False)

    assert done.stderr == ""
    assert sorted(done.stdout.split()) == ["lib", "versions"]


def test_where_it_is_not_installed_the_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert bubblewrap.missing() == (
        "not installed: `apt-get install bubblewrap`, or your distribution's package of that name"
    )


def test_on_another_system_it_is_not_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")

    assert bubblewrap.missing() == "Linux only"


@pytest.mark.parametrize(
    ("script", "why"),
    [
        pytest.param(
            "echo 'bwrap: No permissions to create new namespace' >&2; exit 1",
            "bwrap: No permissions to create",
            id="with words",
        ),
        pytest.param("exit 1", "The worker process gave no answer.", id="without", marks=pytest.mark.long),
    ],
)
def test_where_it_cannot_start_the_worker_starts_without_and_says_why(
    script: str, why: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text(f"#!{shutil.which('sh')}\n{script}\n", "utf-8")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    bubblewrap.command.cache_clear()
    worker = Zygote()
    try:
        solver = Solver(worker, sources((EX, "def f(x): return 2 * x\n")), {})
        answer = observe(solver, call("f", "x"), x=X)
        solver.close()

        assert answer.tensors["result"].tolist() == (2 * X).tolist()
        assert "bubblewrap" not in solver.isolation
        assert "watch" in solver.isolation
        assert worker.missing()["bubblewrap"].startswith(f"it cannot start here ({why}")
        assert worker.scratch.stat().st_mode & 0o777 == 0o700
    finally:
        worker.close()
        bubblewrap.command.cache_clear()
    assert not worker.scratch.exists()
