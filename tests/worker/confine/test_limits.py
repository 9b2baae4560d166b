"""Memory, files and descriptors end before the machine's do, and no limit can be raised again."""

from __future__ import annotations

import pytest

from grader.runner.processes.zygote import Zygote
from grader.worker.confine import limits

from .conftest import Inside, applied, names, runner

LAYER = "rlimits"
BOUNDS = {
    "CORE": 0,
    "FSIZE": limits.FILE_BYTES,
    "NOFILE": limits.OPEN_FILES,
    "CPU": limits.CPU_SECONDS,
}


def test_it_is_the_only_layer_here(worker: Zygote) -> None:
    assert names(worker) == (LAYER,)


@pytest.mark.parametrize("kind", BOUNDS)
def test_the_soft_limit_is_the_hard_one(kind: str, inside: Inside) -> None:
    soft, hard = inside(f"return '%d %d' % resource.getrlimit(resource.RLIMIT_{kind})").split()

    assert soft == hard == str(BOUNDS[kind])


def test_address_space_is_bounded_beside_what_torch_has_taken(inside: Inside) -> None:
    asked = """
        taken = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        return "%d %d %d" % (*resource.getrlimit(resource.RLIMIT_AS), taken)
    """

    soft, hard, taken = map(int, inside(asked).split())

    assert soft == hard
    assert taken / 2 < soft - limits.ADDRESS_SPACE < taken * 2  # which has changed a little since


@pytest.mark.parametrize("kind", [*BOUNDS, "AS"])
def test_no_limit_can_be_raised_again(kind: str, zygote: Zygote) -> None:
    code = f"""
        more = resource.getrlimit(resource.RLIMIT_{kind})[0] + 1
        try:
            resource.setrlimit(resource.RLIMIT_{kind}, (more, more))
        except (ValueError, OSError) as error:
            return "refused"
    """

    assert runner(zygote)(code) == "refused"


def test_memory_ends_in_an_exception(inside: Inside) -> None:
    code = "try:\n    bytearray(5 << 30)\nexcept MemoryError:\n    return 'MemoryError'"

    assert inside(code) == "MemoryError"


def test_a_file_ends_in_an_exception(inside: Inside) -> None:
    code = f"""
        with open("file", "wb", buffering=0) as file:
            return attempt(lambda: [file.write(bytes(1 << 20)) for _ in range({(limits.FILE_BYTES >> 20) + 1})])
    """

    assert inside(code) == "EFBIG"


def test_descriptors_end_in_an_exception(inside: Inside) -> None:
    assert inside("return attempt(lambda: [os.dup(0) for _ in range(100)])") == "EMFILE"


def test_a_gpu_has_its_address_space_and_its_descriptors() -> None:
    before = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (77, 77))"
    space, most = ("resource.getrlimit(resource.RLIMIT_AS)[0]", "resource.getrlimit(resource.RLIMIT_NOFILE)[0]")
    code = f"print({space} == resource.RLIM_INFINITY, {most})"

    plain = applied("limits", code, before=before, device="cuda")

    assert plain == "True 77"


def test_a_limit_that_is_lower_already_stays() -> None:
    before = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 2000))"

    assert applied("limits", "print(resource.getrlimit(resource.RLIMIT_FSIZE))", before=before) == "(2000, 2000)"
