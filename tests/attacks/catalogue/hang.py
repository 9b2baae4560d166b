"""Attacks that take time: whatever does not end is ended."""

from __future__ import annotations

from tests.attacks.attack import attack
from tests.attacks.kernel import by_call

ATTACKS = (
    by_call("pause-in-c-that-holds-the-interpreter", "ctypes.PyDLL(None).pause()", "timeout", hangs=True),
    attack(
        "loop-that-catches-everything",
        """
        import signal
        def attack():
            for number in {*signal.valid_signals()} - {signal.SIGKILL, signal.SIGSTOP}:
                signal.signal(number, signal.SIG_IGN)
            while True:
                try:
                    while True:
                        pass
                except BaseException:
                    pass
        """,
        "timeout",
        hangs=True,
    ),
    attack("sleep", "import time\ndef attack(): time.sleep(60)\n", "timeout", hangs=True),
    attack("sleep-at-import", "import time\ntime.sleep(60)\ndef attack(): pass\n", "timeout", hangs=True),
    attack(
        "sum-of-a-trillion",
        """
        import torch
        def attack():
            return torch.ones(1).expand(1 << 40).sum()
        """,
        "timeout",
        hangs=True,
    ),
    attack(
        "pattern-that-goes-back",
        """
        import re
        def attack():
            re.match("(a+)+b", "a" * 60)
        """,
        "timeout",
        hangs=True,
    ),
    attack(
        "pipe-held-open",
        """
        import os
        def attack():
            os.read(os.pipe()[0], 1)
        """,
        "timeout",
        hangs=True,
    ),
    attack(
        "lock-never-released",
        """
        import threading
        lock = threading.Lock()
        def attack():
            with lock, lock:
                pass
        """,
        "timeout",
        hangs=True,
    ),
    attack(
        "finaliser-that-never-returns",
        """
        import time
        class Late:
            def __del__(self):
                time.sleep(60)
        def attack():
            late = Late()
        """,
        "timeout",
        hangs=True,
    ),
    attack(
        "exit-that-never-comes",
        """
        import atexit, sys, time
        atexit.register(time.sleep, 20)
        def attack():
            sys.exit(0)
        """,
        "error",
    ),
    attack(
        "thread-that-goes-on",
        """
        import threading, time
        def attack():
            threading.Thread(target=time.sleep, args=(20,)).start()
        """,
        "failed",
    ),
    attack(
        "channel-held-open",
        """
        import os, time
        def attack():
            if os.fork() == 0:
                time.sleep(5)
            os._exit(0)
        """,
        "error",
    ),
    attack(
        "stopped",
        """
        import os, signal
        def attack():
            os.kill(os.getpid(), signal.SIGSTOP)
        """,
        "error",
    ),
    # Its alarm ends the process itself: the kernel sends it, no call of ours.
    attack(
        "alarm",
        """
        import signal, time
        def attack():
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            time.sleep(5)
        """,
        "crashed",
    ),
)  # fmt: skip
