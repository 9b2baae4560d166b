"""Layers are put on in their order, all of them but those that lack or are left out."""

from __future__ import annotations

import sys

import pytest

from grader.model.isolation import LAYERS
from grader.runner.processes.zygote import Zygote
from grader.runner.solver import Solver
from grader.worker import confine

from ...runner.asking import EX
from .conftest import names

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux alone has layers")
AROUND = ("bubblewrap", "watch")


def test_the_layers_are_those_of_a_report_and_seccomp_is_the_last() -> None:
    own = tuple(layer.NAME for layer in confine.layers())

    assert own == tuple(name for name in LAYERS if name not in AROUND)
    assert own[-1] == "seccomp"


def test_a_child_puts_on_every_layer_that_this_machine_has(zygote: Zygote) -> None:
    assert names(zygote) == tuple(layer for layer in LAYERS if layer not in zygote.missing())


def test_for_cuda_there_is_no_landlock(zygote: Zygote) -> None:
    solver = Solver(zygote, {EX: b""}, {}, device="cuda")
    if not zygote.hello()["cuda"]:
        pytest.skip("no CUDA here")
    solver.start()
    solver.close()

    assert "landlock" not in solver.isolation


def test_what_a_device_needs_is_done_before_calls_are_refused_and_after_all_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put_on: list[str] = []
    for layer in confine.layers():
        monkeypatch.setattr(layer, "apply", lambda _, name=layer.NAME: put_on.append(name) or True)
    monkeypatch.setattr(confine, "missing", dict)

    in_force = confine.confine(confine.Setting("cpu", 3), prepare=lambda: put_on.append("device"))

    assert put_on == [*in_force[:-1], "device", "seccomp"]


def test_what_is_left_out_is_not_put_on_and_not_reported(bare_worker: Zygote) -> None:
    assert names(bare_worker) == ()


def test_another_system_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")

    assert confine.layers.__wrapped__() == ()


@pytest.mark.parametrize("layer", ["capabilities", "seccomp"])
def test_a_machine_that_is_not_known_lacks_what_needs_its_calls_numbers(
    layer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")

    missing = confine.missing.__wrapped__()

    assert "riscv64" in missing[layer]
    assert set(missing) <= {"capabilities", "seccomp", "landlock"}


def test_a_kernel_without_landlock_is_told_with_where_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from grader.worker.confine import landlock

    monkeypatch.setattr(landlock, "_version", lambda: 0)

    assert confine.missing.__wrapped__()["landlock"].startswith("Linux 5.13 or newer has it")
