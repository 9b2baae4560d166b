"""What no exercise needs, the kernel refuses; everything else it allows; and the tables say which is which."""

from __future__ import annotations

import platform
import shutil
import struct
import subprocess
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.observation import Ending
from grader.runner.processes.zygote import Zygote
from grader.runner.solver import Solver
from grader.worker.confine import seccomp, syscalls
from grader.worker.confine.syscalls import ARCHITECTURES, CLONE3, CONDITIONAL, DENIED, NEWEST, NUMBERS, Only

from ...runner.asking import call, observe, saying
from .conftest import Inside, applied, names

LAYER = "seccomp"
MACHINES = sorted(ARCHITECTURES)

# What a submission may try, and what is left behind where nothing stops it: nothing.
REFUSED = {
    "fork": "os._exit(0) if os.fork() == 0 else os.wait()",
    "exec": "os.execv('/nowhere', ['nowhere'])",
    "subprocess": "subprocess.run([sys.executable, '-c', ''])",
    "posix_spawn": "os.waitpid(os.posix_spawn(sys.executable, [sys.executable, '-c', ''], {}), 0)",
    "os.popen": "os.popen('true').close()",
    "TCP": "socket.socket().close()",
    "UDP": "socket.socket(type=socket.SOCK_DGRAM).close()",
    "Unix": "socket.socket(socket.AF_UNIX).close()",
    "socket pair": "[end.close() for end in socket.socketpair()]",
    "kill": "os.kill(os.getppid(), 0)",
    "kill itself": "os.kill(os.getpid(), 0)",
    "thread kill": "signal.pthread_kill(threading.get_ident(), 0)",
    "process group": "os.killpg(0, 0)",
    "chmod": "os.chmod(os.getcwd(), 0o700)",
    "chown": "os.chown(os.getcwd(), -1, -1)",
    "utime": "os.utime(os.getcwd())",
    "attributes": "os.setxattr(os.getcwd(), 'user.x', b'')",
    "nice": "os.setpriority(os.PRIO_PROCESS, 0, 0)",
    "affinity": "os.sched_setaffinity(0, os.sched_getaffinity(0))",
    "memory file": "os.close(os.memfd_create('x'))",
    "handle": "os.close(os.pidfd_open(os.getpid()))",
    "owner of signals": "fcntl.fcntl(0, fcntl.F_SETOWN, 0)",
    "pipe": "os.mkfifo('pipe')",
    "limits of another": "resource.prlimit(os.getpid(), resource.RLIMIT_CORE)",
}
ALLOWED = {
    "thread": "[thread.start() or thread.join() for thread in [threading.Thread(target=time.time)]]",
    "torch's threads": "torch.set_num_threads(2) or torch.ones(600, 600) @ torch.ones(600, 600)",
    "file": "open('file', 'w').close() or os.rename('file', 'other') or os.remove('other')",
    "folder": "os.mkdir('folder') or os.rmdir('folder')",
    "temporary file": "tempfile.NamedTemporaryFile().close()",
    "memory": "mmap.mmap(-1, 1 << 20).close()",
    "sleep": "time.sleep(0.001)",
    "randomness": "os.urandom(8)",
    "own limits": "resource.getrlimit(resource.RLIMIT_CORE)",
    "flags": "fcntl.fcntl(0, fcntl.F_GETFD)",
    "pipe": "[os.close(end) for end in os.pipe()]",
    "name": "libc.prctl(15, b'student', 0, 0, 0)",
}


def test_it_is_the_only_layer_here(worker: Zygote) -> None:
    assert names(worker) == (LAYER,)


@pytest.mark.parametrize("what", REFUSED)
def test_what_no_exercise_needs_is_refused_and_would_be_possible_without(
    what: str, inside: Inside, bare: Inside
) -> None:
    code = f"return attempt(lambda: {REFUSED[what]})"

    assert inside(code) == "EPERM"
    assert bare(code) in ("done", "ENOENT", "EOPNOTSUPP")


@pytest.mark.parametrize("what", ALLOWED)
def test_what_honest_code_does_is_allowed(what: str, inside: Inside) -> None:
    assert inside(f"return attempt(lambda: {ALLOWED[what]})") == "done"


def test_calls_that_cannot_be_judged_do_not_exist(inside: Inside) -> None:
    newest = ", ".join(str(number) for number in (CLONE3, NEWEST + 1, NEWEST + 2, 1000))

    assert inside(f"return {{syscall(number, 0, 0) for number in ({newest})}}") == "{'ENOSYS'}"


@pytest.mark.parametrize(
    ("machine_code", "why"),
    [
        pytest.param(
            "b8 14 00 00 00  cd 80  c3", "the calls of 32 bits", id="32 bits"
        ),  # mov eax, getpid; int 0x80; ret
        pytest.param("b8 27 00 00 40  0f 05  c3", "the calls of x32", id="x32"),  # mov eax, x32 | getpid; syscall; ret
    ],
)
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the calls of other ways in are those of x86_64")
def test_there_is_no_other_way_in(machine_code: str, why: str, worker: Zygote) -> None:
    source = f"""
    import ctypes, mmap
    def f():
        code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        code.write(bytes.fromhex({machine_code!r}))
        run = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
        return torch.tensor([run()])
    """
    solver = Solver(worker, saying(source), {})
    seen = observe(solver, call("f"))
    solver.close()

    if seen.ending is Ending.ANSWERED:
        assert seen.tensors["result"].tolist() == [-38]  # ENOSYS
    else:
        assert seen.detail == "the process was ended by SIGSYS"


def test_a_filter_cannot_be_taken_off(inside: Inside) -> None:
    code = "attempt(lambda: libc.prctl(22, 0, 0, 0, 0)); libc.prctl(38, 0, 0, 0, 0); return attempt(lambda: os.fork())"

    assert inside(code) == "EPERM"


def test_threads_are_filtered_too(inside: Inside) -> None:
    code = """
        seen = []
        thread = threading.Thread(target=lambda: seen.append(attempt(os.fork)))
        thread.start()
        thread.join()
        return seen[0]
    """

    assert inside(code) == "EPERM"


def test_threads_that_ran_before_are_filtered_too() -> None:
    before = """
        import threading
        begun, seen = threading.Event(), []
        def tries():
            begun.wait()
            try:
                seen.append(os.fork())
            except OSError as error:
                seen.append(error.strerror)
        thread = threading.Thread(target=tries)
        thread.start()
    """
    code = "begun.set(); thread.join(); print(seen)"

    assert applied(LAYER, code, before=before) == "['Operation not permitted']"


# The tables.


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.skipif(shutil.which("scmp_sys_resolver") is None, reason="scmp_sys_resolver, of Debian's package seccomp")
def test_every_number_is_what_the_kernel_calls_it(machine: str) -> None:
    wrong = {}
    for name in (*DENIED, *CONDITIONAL, "clone3", "seccomp"):
        command = ["scmp_sys_resolver", "-a", machine, name]
        number = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        others = {"clone3": CLONE3, "seccomp": seccomp.SECCOMP[machine]}
        own = others.get(name, NUMBERS[machine].get(name, -2))
        if number == -1:  # newer than the tool
            assert own in (-2, *range(440, NEWEST + 1))
        elif number != own and (number >= 0 or own >= 0):  # a negative number stands for a call that is not there
            wrong[name] = (number, own)

    assert wrong == {}


@pytest.mark.parametrize("machine", MACHINES)
def test_every_call_of_the_tables_has_a_number_of_its_own(machine: str) -> None:
    known = NUMBERS[machine]

    assert set(known) <= {*DENIED, *CONDITIONAL}
    assert len(set(known.values())) == len(known)
    assert max(known.values()) <= NEWEST
    assert CLONE3 not in known.values()


def test_no_call_is_named_twice() -> None:
    assert len(set(DENIED)) == len(DENIED)
    assert not set(DENIED) & set(CONDITIONAL)
    assert set(NUMBERS["x86_64"]) >= {*DENIED, *CONDITIONAL} - set(NUMBERS["aarch64"])


# The program, run by an interpreter of its own.

ALLOW, EPERM, ENOSYS, KILL = 0x7FFF_0000, 0x0005_0001, 0x0005_0026, 0x8000_0000


def interpret(program: bytes, data: bytes) -> int:
    """What a BPF program returns. https://www.kernel.org/doc/Documentation/networking/filter.txt"""
    code = [struct.unpack_from("HBBI", program, at) for at in range(0, len(program), 8)]
    accumulator = position = 0
    while True:
        operation, if_so, if_not, constant = code[position]
        position += 1
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, constant)
        elif operation == 0x06:
            return constant
        else:
            compared = {
                0x15: accumulator == constant,
                0x25: accumulator > constant,
                0x35: accumulator >= constant,
                0x45: accumulator & constant != 0,
            }
            position += if_so if compared[operation] else if_not


@cache
def program(machine: str) -> bytes:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(platform, "machine", lambda: machine)
        return seccomp.compiled.__wrapped__()


def due(machine: str, architecture: int, number: int, arguments: list[int]) -> int:
    """What the tables say of a call."""
    if architecture != ARCHITECTURES[machine]:
        return KILL
    if number > NEWEST or number == CLONE3:
        return ENOSYS
    name = {known: name for name, known in NUMBERS[machine].items()}.get(number, "")
    if name in CONDITIONAL:
        position, rule = CONDITIONAL[name]
        low = arguments[position] & 0xFFFF_FFFF
        if isinstance(rule, Only):
            return ALLOW if (low & rule.value if rule.is_flag else low == rule.value) else EPERM
        return EPERM if low in rule.values else ALLOW
    return EPERM if name in DENIED else ALLOW


TELLING = sorted(
    {0, *syscalls.ARCHITECTURES.values()}
    | {
        value
        for _, rule in CONDITIONAL.values()
        for value in ((rule.value,) if isinstance(rule, Only) else rule.values)
    }
)
ARGUMENT = st.one_of(
    st.sampled_from(TELLING),
    st.integers(0, 2**64 - 1),
    st.builds(lambda low, high: low | high << 32, st.sampled_from(TELLING), st.integers(0, 2**32 - 1)),
)


@pytest.mark.parametrize("machine", MACHINES)
@given(
    number=st.one_of(st.integers(0, NEWEST + 50), st.integers(0, 2**32 - 1), st.integers(2**30, 2**30 + 600)),
    conditional=st.none() | st.sampled_from(sorted(CONDITIONAL)),
    foreign=st.none() | st.none() | st.none() | st.integers(0, 2**32 - 1),
    arguments=st.lists(ARGUMENT, min_size=6, max_size=6),
)
def test_the_program_decides_as_the_tables_do(
    machine: str, number: int, conditional: str | None, foreign: int | None, arguments: list[int]
) -> None:
    architecture = ARCHITECTURES[machine] if foreign is None else foreign
    number = NUMBERS[machine].get(conditional or "", number)
    data = struct.pack("<IIQ6Q", number, architecture, 0, *arguments)

    assert interpret(program(machine), data) == due(machine, architecture, number, arguments)


@pytest.mark.parametrize("machine", MACHINES)
def test_every_call_there_is_gets_the_decision_of_the_tables(machine: str) -> None:
    architecture = ARCHITECTURES[machine]
    for number in (*range(NEWEST + 100), 2**30, 2**30 + 59, 2**31, 2**32 - 1):
        data = struct.pack("<IIQ6Q", number, architecture, 0, *[0] * 6)
        assert interpret(program(machine), data) == due(machine, architecture, number, [0] * 6), number


@pytest.mark.parametrize("machine", MACHINES)
def test_the_kernel_takes_programs_of_that_length(machine: str) -> None:
    assert len(program(machine)) % 8 == 0
    assert len(program(machine)) // 8 <= 4096
