"""seccomp: the kernel refuses the calls that no exercise needs and an attack does.

The rules are compiled to a BPF program once, in the zygote; a child only hands it to the kernel. A refused call fails
with EPERM, so honest code that tries one gets an exception with its line. Calls newer than those known here do not
exist (ENOSYS), nor does clone3, whose flags BPF cannot see: the C library then falls back on older ones. A GPU's driver
has threads by then, and has made the calls that it alone needs: the filter is put on all of them.
https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from grader.worker.confine import Setting, libc, loops
from grader.worker.confine.syscalls import ARCHITECTURES, CLONE3, CONDITIONAL, DENIED, NEWEST, Only, Unless, numbers

NAME = "seccomp"
PR_GET_SECCOMP = 21
# The call `seccomp` itself: https://man7.org/linux/man-pages/man2/seccomp.2.html
SECCOMP = {"x86_64": 317, "aarch64": 277}
SET_MODE_FILTER, EVERY_THREAD = 1, 1

LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
EQUAL, ABOVE, AT_LEAST, ANY_BIT = 0x15, 0x25, 0x35, 0x45  # BPF_JMP | BPF_K with each comparison
RETURN = 0x06
KILL_PROCESS, ALLOW = 0x8000_0000, 0x7FFF_0000
DENY, ABSENT = (0x0005_0000 | number for number in (errno.EPERM, errno.ENOSYS))
# Of struct seccomp_data; arguments are 64 bits, little-endian on both architectures.
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16
X32 = 0x4000_0000

Instruction = tuple[int, int, int, int]


def missing() -> str:
    if platform.machine() not in ARCHITECTURES:
        return f"its calls are not known for {platform.machine()}"
    try:
        libc.prctl(PR_GET_SECCOMP)
    except OSError:
        return "the kernel was built without it"
    compiled()  # in the zygote, so that no child has to
    return ""


def apply(setting: Setting) -> bool:
    """Have the kernel filter every call of this process, and of its threads, from now on."""
    program = compiled()
    buffer = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: the number of instructions, and where they lie
    header = struct.pack("HL", len(program) // 8, ctypes.addressof(buffer))
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    if left_out := libc.syscall(SECCOMP[platform.machine()], SET_MODE_FILTER, EVERY_THREAD, header):
        raise OSError(f"the thread {left_out} cannot be filtered")
    loops.wake_through_pipes()
    return True


@cache
def compiled() -> bytes:
    """The BPF program for this machine."""
    machine = platform.machine()
    return assemble(ARCHITECTURES[machine], numbers(machine, DENIED).values(), _conditions(machine))


def assemble(architecture: int, denied: Iterable[int], conditional: Mapping[int, tuple[int, Only | Unless]]) -> bytes:
    """A program that refuses calls by number, some by one argument, and all of another architecture.

    conditional: call number to the position of the argument, and what it may or may not be.
    """
    code: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, KILL_PROCESS),
        (LOAD, 0, 0, NUMBER_AT),
        (AT_LEAST, 0, 1, X32),
        (RETURN, 0, 0, ABSENT),
        (ABOVE, 0, 1, NEWEST),
        (RETURN, 0, 0, ABSENT),
        (EQUAL, 0, 1, CLONE3),
        (RETURN, 0, 0, ABSENT),
    ]
    for number, (position, rule) in sorted(conditional.items()):
        tests = _tests(position, rule)
        code += [(EQUAL, 0, len(tests), number), *tests]
    for number in sorted(denied):
        code += [(EQUAL, 0, 1, number), (RETURN, 0, 0, DENY)]
    code.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code)


def _tests(position: int, rule: Only | Unless) -> Sequence[Instruction]:
    """Instructions that decide on a call by the low half of an argument."""
    load = (LOAD, 0, 0, ARGUMENTS_AT + 8 * position)
    if isinstance(rule, Only):
        compare = ANY_BIT if rule.is_flag else EQUAL
        return [load, (compare, 1, 0, rule.value), (RETURN, 0, 0, DENY), (RETURN, 0, 0, ALLOW)]
    refusals = [step for value in rule.values for step in ((EQUAL, 0, 1, value), (RETURN, 0, 0, DENY))]
    return [load, *refusals, (RETURN, 0, 0, ALLOW)]


def _conditions(machine: str) -> dict[int, tuple[int, Only | Unless]]:
    known = numbers(machine, CONDITIONAL)
    return {number: CONDITIONAL[name] for name, number in known.items()}
