"""Attacks that take all there is of memory, processes, disk or descriptors. Bounded, should nothing hold them.

What only the watch ends holds on to what it took for two seconds: looks come late on a busy machine.
"""

from __future__ import annotations

from tests.attacks.attack import attack
from tests.attacks.kernel import by_call

MEMORY = (
    attack(
        "private-memory",
        """
        import time
        def attack():
            kept = []
            for _ in range(180):
                kept.append(b"x" * (16 << 20))
            time.sleep(2)
            raise RuntimeError(CLAIM)
        """,
        "crashed", "timeout",
    ),
    attack(
        "shared-memory-without-a-name",
        """
        import mmap, time
        def attack():
            kept = []
            for _ in range(180):
                kept.append(mmap.mmap(-1, 16 << 20))
                kept[-1].write(b"x" * (16 << 20))
            time.sleep(2)
            raise RuntimeError(CLAIM)
        """,
        "crashed", "timeout",
    ),
    attack(
        "memory-by-many-threads",
        """
        import threading, time
        kept = []
        def take():
            for _ in range(9):
                kept.append(b"x" * (16 << 20))
        def attack():
            threads = [threading.Thread(target=take, daemon=True) for _ in range(20)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            if len(kept) == 180:
                time.sleep(2)
                raise RuntimeError(CLAIM)
            raise MemoryError
        """,
        "crashed", "timeout",
    ),
    attack(
        "tensor-memory",
        """
        import time, torch
        def attack():
            kept = []
            for _ in range(180):
                kept.append(torch.ones(4 << 20))
            time.sleep(2)
            raise RuntimeError(CLAIM)
        """,
        "crashed", "timeout",
    ),
    attack(
        "address-space",
        """
        import mmap
        def attack():
            kept = [mmap.mmap(-1, 1 << 30) for _ in range(64)]
            raise RuntimeError(CLAIM)
        """,
        "error",
    ),
    by_call(
        "locked-memory",
        """
        import mmap
        page = mmap.mmap(-1, 16 << 20)
        through(checked(libc.mlock(ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(page))), 16 << 20)))
        """,
    ),
    attack(
        "memory-of-pipes",
        """
        import fcntl, os
        def attack():
            pipes = [os.pipe() for _ in range(200)]
            for _, into in pipes:
                fcntl.fcntl(into, 1031, 1 << 20)
                os.write(into, bytes(1 << 20))
            raise RuntimeError(CLAIM)
        """,
        "error",
    ),
    attack("tensor-of-petabytes", "import torch\ndef attack(): return torch.empty(1 << 50)\n", "error"),
    attack(
        "terabytes-by-stride-0",
        """
        import torch
        def attack():
            return torch.zeros(1).expand(1 << 42)
        """,
        "failed",
    ),
    attack(
        "terabytes-by-stride-0-in-the-right-shape",
        """
        import torch
        def attack():
            return torch.zeros(1, 1).expand(1 << 21, 1 << 21)
        """,
        "failed",
    ),
    attack(
        "terabytes-made-real",
        """
        import torch
        def attack():
            return torch.zeros(1).expand(1 << 42).contiguous()
        """,
        "error",
    ),
    attack(
        "answer-of-half-a-gigabyte",
        """
        import torch
        def attack():
            return torch.zeros(1 << 27)
        """,
        "failed",
    ),
)  # fmt: skip

PROCESSES = (
    attack(
        "forks",
        """
        import os, time
        def attack():
            for _ in range(50):
                if os.fork() == 0:
                    time.sleep(3)
                    os._exit(0)
            raise RuntimeError(CLAIM)
        """,
        "error",
    ),
    attack(
        "forks-that-fork",
        """
        import os, time
        def attack():
            own = os.getpid()
            for _ in range(5):
                os.fork()
            if os.getpid() != own:
                time.sleep(2)
                os._exit(0)
            raise RuntimeError(CLAIM)
        """,
        "error",
    ),
    attack(
        "threads-with-small-stacks",
        """
        import threading, time
        def attack():
            threading.stack_size(64 << 10)
            for _ in range(200):
                threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
            time.sleep(2)
            raise RuntimeError(CLAIM)
        """,
        "crashed",
    ),
    by_call(
        "threads-by-clone",
        """
        import threading, _thread, time
        threading.stack_size(64 << 10)
        for _ in range(200):
            _thread.start_new_thread(libc.usleep, (5_000_000,))
        time.sleep(0.5)
        through()
        """,
        "crashed",
    ),
    attack(
        "descriptors",
        """
        import os
        def attack():
            for _ in range(5000):
                os.dup(0)
            raise RuntimeError(CLAIM)
        """,
        "error",
    ),
    attack(
        "recursion",
        """
        def attack():
            return attack()
        """,
        "error",
    ),
    attack(
        "recursion-in-c",
        """
        import sys
        def attack():
            sys.setrecursionlimit(1 << 30)
            class Endless:
                def __repr__(self):
                    return repr([self])
            repr(Endless())
        """,
        "crashed", "error",  # from Python 3.12 on it has a limit of its own in C
    ),
    attack(
        "list-in-lists",
        """
        def attack():
            nested = []
            for _ in range(200_000):
                nested = [nested]
            return nested
        """,
        "failed",
    ),
    attack(
        "print-without-end",
        """
        def attack():
            for _ in range(100):
                print("x" * 1_000_000)
        """,
        "failed",
    ),
    attack(
        "write-to-the-standard-streams",
        """
        import os
        def attack():
            for fd in (0, 1, 2):
                for _ in range(100):
                    os.write(fd, bytes(1_000_000))
        """,
        "failed",
    ),
    attack(
        "message-without-end",
        """
        def attack():
            raise ValueError("x" * 100_000_000)
        """,
        "error",
    ),
    attack(
        "traceback-without-end",
        """
        def deeper(n):
            return deeper(n - 1) if n else 1 / 0
        def attack():
            import sys
            sys.setrecursionlimit(20_000)
            deeper(15_000)
        """,
        "error",
    ),
)  # fmt: skip

DISK = (
    attack(
        "many-large-files",
        """
        import os
        def attack():
            for number in range(6):
                with open(f"large-{number}", "wb", buffering=0) as file:
                    for _ in range(60):
                        if file.write(bytes(1 << 20)) != 1 << 20:
                            raise OSError("no room")
            raise RuntimeError(CLAIM)
        """,
        "error",
    ),
    attack(
        "one-large-file",
        """
        def attack():
            with open("large", "wb") as file:
                for _ in range(100):
                    file.write(bytes(1 << 20))
            raise RuntimeError(CLAIM)
        """,
        "error",
    ),
    attack(
        "file-of-holes",
        """
        import os
        def attack():
            os.truncate(os.open("holes", os.O_CREAT | os.O_RDWR), 1 << 40)
            raise RuntimeError(CLAIM)
        """,
        "error",
    ),
    attack(
        "files-that-are-gone",
        """
        import os, tempfile
        def attack():
            kept = [tempfile.TemporaryFile(buffering=0) for _ in range(6)]
            for file in kept:
                for _ in range(60):
                    if file.write(bytes(1 << 20)) != 1 << 20:
                        raise OSError("no room")
            raise RuntimeError(CLAIM)
        """,
        "error",
    ),
    attack(
        "thousands-of-files",
        """
        import os, time
        def attack():
            for number in range(11_000):
                os.close(os.open(f"file-{number}", os.O_CREAT))
            time.sleep(2)
            raise RuntimeError(CLAIM)
        """,
        "crashed", "timeout",
    ),
    attack(
        "thousands-of-files-beside-folders",
        """
        import os, time
        def attack():
            for number in range(900):
                os.mkdir(f"folder-{number}")
            for number in range(10_100):
                os.close(os.open(f"file-{number}", os.O_CREAT))
            time.sleep(1)
            raise RuntimeError(CLAIM)
        """,
        "crashed", "timeout",
    ),
    attack(
        "thousands-of-folders",
        """
        import os, time
        def attack():
            for number in range(11_000):
                os.mkdir(f"folder-{number}")
            time.sleep(2)
            raise RuntimeError(CLAIM)
        """,
        "crashed", "timeout",
    ),
    attack(
        "files-in-a-folder-that-nobody-may-read",
        """
        import os, time
        def attack():
            os.umask(0o477)
            os.mkdir("closed")
            for number in range(11_000):
                os.close(os.open(f"closed/file-{number}", os.O_CREAT))
            time.sleep(2)
            raise RuntimeError(CLAIM)
        """,
        "crashed", "timeout",
    ),
    attack(
        "files-too-deep-to-be-found",
        """
        import os, time
        def attack():
            for _ in range(20):
                os.mkdir("d" * 250)
                os.chdir("d" * 250)
            for number in range(11_000):
                os.close(os.open(f"file-{number}", os.O_CREAT))
            time.sleep(2)
            raise RuntimeError(CLAIM)
        """,
        "crashed", "timeout",
    ),
    attack(
        "very-deep-folders",
        """
        import os
        def attack():
            for _ in range(2_000):
                os.mkdir("deeper-and-deeper")
                os.chdir("deeper-and-deeper")
        """,
        "failed", "crashed",
    ),
)  # fmt: skip

ATTACKS = (*MEMORY, *PROCESSES, *DISK)
