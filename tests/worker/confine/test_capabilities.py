"""Whoever grades as root gives none of root's powers away."""

from __future__ import annotations

import os

import pytest

from grader.runner.processes.zygote import Zygote

from .conftest import Inside, names

LAYER = "capabilities"
as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root has any to lose")
STATUS = "return [line.split()[1] for line in open('/proc/self/status') if line.startswith({!r})]"


def test_it_is_the_only_layer_here(worker: Zygote) -> None:
    assert names(worker) == (LAYER,)


@pytest.mark.parametrize("kind", ["CapInh", "CapPrm", "CapEff", "CapAmb"])
def test_a_child_has_no_capability(kind: str, inside: Inside) -> None:
    code = "import ctypes; ctypes.CDLL(None).prctl(4, 1, 0, 0, 0); " + STATUS.format(kind)

    assert inside(code) == "['0000000000000000']"


@as_root
def test_without_the_layer_root_keeps_them(bare: Inside) -> None:
    assert bare(STATUS.format("CapEff")) != "['0000000000000000']"


@as_root
@pytest.mark.parametrize(
    "what",
    ["os.setuid(1)", "os.chroot('/')", "os.nice(-1)", "os.chown(os.getcwd(), 1, 1)", "os.mknod('x', 0o20600, 0x103)"],
)
def test_what_only_root_may_do_is_refused(what: str, inside: Inside, bare: Inside) -> None:
    code = f"return attempt(lambda: {what})"

    assert inside(code) in ("EPERM", "EACCES")
    assert bare(code) == "done"


def test_no_program_can_bring_them_back(inside: Inside, bare: Inside) -> None:
    assert inside(STATUS.format("NoNewPrivs")) == "['1']"
    assert bare(STATUS.format("NoNewPrivs")) == "['0']"
