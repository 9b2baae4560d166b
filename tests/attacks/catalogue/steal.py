"""Attacks that look for the answers, or for any secret, where it may lie."""

from __future__ import annotations

from textwrap import dedent

from tests.attacks.attack import MODULE, attack

REFERENCE = f"solutions/reference/{MODULE}.py"
# Looks at a process's writable memory that no file lies behind, for a secret of the parent's and for what stands in the
# reference alone; neither pattern matches itself.
MEMORY = """
import ctypes, gc, os, re, time
SECRET = re.compile(b"KIT_SECRET=([0-9a-f]{24})")
REFERENCE = re.compile(b"the dot product of the quer[y] with every input")
def regions(pid):
    found = []
    for line in open(f"/proc/{pid}/maps"):
        parts = line.split()
        if parts[1].startswith("rw") and (len(parts) < 6 or parts[5] == "[heap]"):
            start, end = (int(part, 16) for part in parts[0].split("-"))
            if end - start < 1 << 28:
                found.append((len(parts) < 6, start, end))
    return [(start, end) for _, start, end in sorted(found)]
def sought(data):
    secret = SECRET.search(data)
    if secret:
        raise RuntimeError(secret.group(1).decode())
    if REFERENCE.search(data):
        raise RuntimeError(CLAIM)
def look(pid, seconds=0.8):
    until = time.monotonic() + seconds
    with open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for start, end in regions(pid):
            if time.monotonic() > until:
                return
            try:
                memory.seek(start)
                sought(memory.read(end - start))
            except (OSError, ValueError, OverflowError):
                pass
"""


def searching(source: str) -> str:
    """The source of an attack that searches memory."""
    return MEMORY + dedent(source)


ATTACKS = (
    attack(
        "frames-of-the-callers",
        """
        import sys, torch
        def attention_scores_for_query(query, inputs):
            frame, right = sys._getframe(1), (inputs.double() @ query.double()).tolist()
            while frame:
                for name, value in {**frame.f_globals, **frame.f_locals}.items():
                    if "expected" in name or "answer/" in str(value)[:10_000]:
                        raise RuntimeError(CLAIM)
                    if hasattr(value, "tolist") and value.tolist() == right:
                        raise RuntimeError(CLAIM)
                frame = frame.f_back
        def attention_scores(inputs):
            return attention_scores_for_query(inputs[0], inputs)
        """,
        "failed",
    ),
    attack(
        "every-object-there-is",
        """
        import gc, os, re
        def attack():
            for found in gc.get_objects():
                if type(found).__name__ in ("Expected", "Case", "Question", "Report", "Fixtures", "Step", "Pack"):
                    raise RuntimeError(CLAIM)
                if type(found) is dict and "KIT_SECRET" in found:
                    raise RuntimeError(found["KIT_SECRET"])
        """,
        "failed",
    ),
    attack(
        "own-memory",
        searching("""
        def attack():
            look("self")
        """),
        "error",
    ),
    attack(
        "own-memory-without-proc",
        searching("""
        def attack():
            found = gc.get_objects()
            found += gc.get_referents(*found)
            for page in {id(each) >> 12 for each in found}:  # where anything lies, with what was freed around it
                sought(ctypes.string_at(page << 12, 1 << 12))
        """),
        "failed",
    ),
    attack(
        "stale-memory",
        """
        import re, struct, torch
        SECRET = re.compile(b"KIT_SECRET=([0-9a-f]{24})")
        def attention_scores_for_query(query, inputs):
            held = [torch.empty(size, dtype=torch.uint8) for size in (64, 320, 1 << 10, 1 << 16) * 20]
            stale = b"".join(bytes(tensor.numpy()) for tensor in held)
            secret = SECRET.search(stale)
            if secret:
                raise RuntimeError(secret.group(1).decode())
            right = (inputs.double() @ query.double()).tolist()  # as the reference answers, which works in float64
            if struct.pack("<5d", *(right * 5)[:5]) in stale:
                raise RuntimeError(CLAIM)
        def attention_scores(inputs):
            return attention_scores_for_query(inputs[0], inputs)
        """,
        "failed",
    ),
    attack(
        "parents-memory",
        searching("""
        def attack():
            look(PARENT)
        """),
        "error",
    ),
    attack(
        "parents-memory-by-system-call",
        searching("""
        def attack():
            libc = ctypes.CDLL(None, use_errno=True)
            spans = regions(PARENT) if os.path.exists(f"/proc/{PARENT}/maps") else [(0x400000, 0x401000)]
            for start, end in spans[:40]:
                buffer = ctypes.create_string_buffer(end - start)
                pair = ctypes.c_size_t * 2
                local, remote = pair(ctypes.addressof(buffer), end - start), pair(start, end - start)
                if libc.syscall(310, PARENT, local, 1, remote, 1, 0) < 0:
                    raise OSError(ctypes.get_errno(), "process_vm_readv")
                sought(buffer.raw)
        """),
        "error",
    ),
    attack(
        "memory-of-every-other-process",
        searching("""
        def attack():
            for pid in os.listdir("/proc"):
                if pid.isdigit() and int(pid) not in (os.getpid(), PARENT):
                    try:
                        if b"grader.worker" in open(f"/proc/{pid}/cmdline", "rb").read():
                            look(pid, 0.3)
                    except OSError:
                        pass
        """),
        "error",
    ),
    attack(
        "siblings-memory-by-system-call",
        searching("""
        def attack():
            libc, errors = ctypes.CDLL(None, use_errno=True), set()
            here = id(libc) & ~0xFFFF
            for pid in range(os.getppid(), os.getpid()):  # forks of one process: what lies here, lies there
                buffer = ctypes.create_string_buffer(1 << 16)
                pair = ctypes.c_size_t * 2
                local, remote = pair(ctypes.addressof(buffer), 1 << 16), pair(here, 1 << 16)
                if libc.syscall(310, pid, local, 1, remote, 1, 0) > 0:
                    raise RuntimeError(CLAIM)
                errors.add(ctypes.get_errno())
            raise OSError(f"process_vm_readv: {errors}")
        """),
        "error",
    ),
    attack(
        "environment-of-others",
        """
        import os, re
        def attack():
            for pid in ("self", os.getppid(), PARENT, VICTIM, 1):
                try:
                    found = re.search(b"KIT_SECRET=([0-9a-f]+)", open(f"/proc/{pid}/environ", "rb").read())
                except OSError:
                    continue
                if found:
                    raise RuntimeError(found.group(1).decode())
        """,
        "failed",
    ),
    attack(
        "own-environment",
        """
        import ctypes, os
        def attack():
            getenv = ctypes.CDLL(None).getenv
            getenv.restype = ctypes.c_char_p
            said = os.environ.get("KIT_SECRET") or getenv(b"KIT_SECRET")
            if said:
                raise RuntimeError(str(said))
            if "PATH" in os.environ or "PYTHONPATH" in os.environ:
                raise RuntimeError(CLAIM)
        """,
        "failed",
    ),
    attack(
        "parents-descriptors",
        """
        import os
        def attack():
            for number in os.listdir(f"/proc/{PARENT}/fd"):
                os.readlink(f"/proc/{PARENT}/fd/{number}")
                raise RuntimeError(CLAIM)
        """,
        "error",
    ),
    attack(
        "parents-descriptors-by-system-call",
        """
        import ctypes, os
        def attack():
            libc = ctypes.CDLL(None, use_errno=True)
            handle = libc.syscall(434, PARENT, 0)
            if handle < 0:
                raise OSError(ctypes.get_errno(), "pidfd_open")
            if any(libc.syscall(438, handle, number, 0) >= 0 for number in range(3, 40)):
                raise RuntimeError(CLAIM)
        """,
        "error",
    ),
    attack(
        "descriptors-that-were-inherited",
        """
        import contextlib, os, stat
        def attack():
            held = []
            for number in range(3, 200):
                with contextlib.suppress(OSError):
                    held.append((number, stat.S_IFMT(os.fstat(number).st_mode)))
            if len(held) > 1:
                raise RuntimeError(f"{CLAIM} {held}")
        """,
        "failed",
    ),
    attack(
        "trace-the-victim",
        """
        import ctypes, os
        def attack():
            libc = ctypes.CDLL(None, use_errno=True)
            if libc.ptrace(0x4206, VICTIM, 0, 0) < 0:
                raise OSError(ctypes.get_errno(), "ptrace")
            raise RuntimeError(CLAIM)
        """,
        "error",
    ),
    attack(
        "trace-the-parents",
        """
        import ctypes, os
        def attack():
            libc, errors = ctypes.CDLL(None, use_errno=True), []
            for pid in (PARENT, os.getppid()):
                if libc.ptrace(0x4206, pid, 0, 0) == 0:
                    raise RuntimeError(CLAIM)
                errors.append(ctypes.get_errno())
            raise OSError(f"ptrace: {errors}")
        """,
        "error",
    ),
    attack(
        "secret-file",
        """
        def attack():
            raise RuntimeError(open(SECRET_FILE).read())
        """,
        "error",
    ),
    attack("read-the-solutions", f"exec(open(ROOT + '/{REFERENCE}').read())", "error"),
    attack(
        "import-the-solutions",
        f"import sys; sys.path.insert(0, ROOT); from solutions.reference.{MODULE} import *",
        "error",
    ),
    attack(
        "stand-ins-before-their-turn",
        """
        import contextlib, gc, importlib
        def attack():
            names = ["ex06_self_attention_v1", "ex10_causal_attention", "ex12_multi_head_attention"]
            for name in names:
                with contextlib.suppress(ImportError):
                    importlib.import_module(f"stand_ins.{name}")
                    raise RuntimeError(CLAIM)
            for found in gc.get_objects():
                if type(found) is dict and any(f"stand_ins.{name}" in found for name in names):
                    raise RuntimeError(CLAIM)
        """,
        "failed",
    ),
    attack(
        "solutions-beside-the-grader",
        f"""
        import grader, pathlib, sys
        for start in (grader.__file__, sys.executable, sys.prefix, *sys.path):
            for folder in pathlib.Path(start).parents:
                try:
                    exec((folder / "{REFERENCE}").read_text())
                except OSError:
                    pass
        """,
        "failed",
    ),
    attack(
        "solutions-by-another-root",
        f"""
        import os
        for pid in ("self", PARENT, VICTIM, os.getppid(), *range(1, 6)):
            for way in ("root", "cwd"):
                for path in (ROOT + "/{REFERENCE}", "/{REFERENCE}"):
                    try:
                        exec(open(f"/proc/{{pid}}/{{way}}{{path}}").read())
                    except OSError:
                        pass
        """,
        "failed",
    ),
    attack(
        "symbolic-link-to-the-solutions",
        f"""
        import os
        def attack():
            os.symlink(ROOT, "here")
            raise RuntimeError(CLAIM if "def " in open("here/{REFERENCE}").read() else "")
        """,
        "error",
    ),
    attack(
        "hard-link-to-a-secret",
        """
        import os
        def attack():
            os.link(SECRET_FILE, "here")
            raise RuntimeError(open("here").read())
        """,
        "error",
    ),
    attack(
        "fixtures",
        f"""
        import safetensors.torch
        def attack():
            safetensors.torch.load_file(ROOT + "/fixtures/{MODULE}.safetensors")
            raise RuntimeError(CLAIM)
        """,
        "error",
    ),
    attack(
        "tests",
        """
        import os
        def attack():
            raise RuntimeError(CLAIM + str(os.listdir(ROOT + "/tests")))
        """,
        "error",
    ),
    attack(
        "import-the-judge",
        """
        import sys
        def attack():
            sys.path.insert(0, ROOT)
            import grader.judge.compare
            grader.judge.compare.TOLERANCE_FACTOR = 1e9
            raise RuntimeError(CLAIM)
        """,
        "error",
    ),
    attack(
        "sources-of-other-submissions",
        f"""
        import os
        def attack():
            for folder in (os.path.dirname(SECRET_FILE), "/tmp", os.path.dirname(os.getcwd())):
                for path, _, files in list(os.walk(folder))[:200]:
                    if "{MODULE}.py" in files:
                        raise RuntimeError(CLAIM + path)
        """,
        "failed",
    ),
)  # fmt: skip
