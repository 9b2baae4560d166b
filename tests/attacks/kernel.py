"""How attacks ask the kernel for what Python has no name for, written down apart from the tables that forbid it."""

from __future__ import annotations

import textwrap

from .attack import Attack, attack

# Numbers of calls are those of x86_64; where aarch64 has another, a pair of both.
CALLS = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
ON_ARM = os.uname().machine == "aarch64"

def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result

def call(number, *arguments):
    number = number[ON_ARM] if isinstance(number, tuple) else number
    arguments = [ctypes.c_long(value) if isinstance(value, int) else value for value in (number, *arguments)]
    return checked(libc.syscall(*arguments))

def through(result=0):
    raise RuntimeError(CLAIM)

def run_code(code):
    import mmap
    if ON_ARM:
        raise OSError("that is code for x86_64")
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(bytes.fromhex(code))
    result = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    if result < 0:
        raise OSError(-result, os.strerror(-result))
    return result
"""


def by_call(name: str, source: str, *statuses: str, **more: object) -> Attack:
    """An attack that has these functions. One line alone is what its solution does."""
    body = textwrap.dedent(source)
    if "def attack()" not in body:
        body = f"\ndef attack():\n{textwrap.indent(body.strip(), '    ')}\n"
    return attack(name, CALLS + body, *(statuses or ("error",)), **more)
