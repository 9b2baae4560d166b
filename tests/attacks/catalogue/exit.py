"""Attacks that end the process, or part of it, at a time of their choosing."""

from __future__ import annotations

from tests.attacks.attack import attack

ATTACKS = (
    attack(
        "sys-exit",
        """
        import sys
        def attack():
            sys.exit(0)
        """,
        "error",
    ),
    attack("sys-exit-at-import", "raise SystemExit(0)", "error"),
    attack(
        "os-exit",
        """
        import os
        def attack():
            os._exit(0)
        """,
        "crashed",
    ),
    attack("os-exit-at-import", "import os; os._exit(0)", "crashed"),
    attack(
        "exit-by-system-call",
        """
        import ctypes
        def attack():
            ctypes.CDLL(None).syscall(231, 0)
        """,
        "crashed",
    ),
    attack(
        "abort",
        """
        import os
        def attack():
            os.abort()
        """,
        "crashed",
    ),
    attack(
        "segmentation-fault",
        """
        import ctypes
        def attack():
            ctypes.string_at(0)
        """,
        "crashed",
    ),
    attack(
        "kill-oneself",
        """
        import os, signal
        def attack():
            os.kill(os.getpid(), signal.SIGKILL)
        """,
        "error",
    ),
    attack(
        "alarm-clock",
        """
        import signal
        def attack():
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            while True:
                pass
        """,
        "crashed",
    ),
    attack(
        "no-processor-time-left",
        """
        import resource
        def attack():
            resource.setrlimit(resource.RLIMIT_CPU, (0, 0))
            while True:
                pass
        """,
        "crashed",
    ),
    attack(
        "main-thread-alone-exits",
        """
        import ctypes
        def attack():
            ctypes.CDLL(None).pthread_exit(None)
        """,
        "crashed",
    ),
    attack(
        "exit-when-the-result-is-deleted",
        """
        import os
        class Result:
            def __del__(self):
                os._exit(0)
        def attack():
            return Result()
        """,
        "crashed",
    ),
    attack(
        "exit-when-the-exception-is-shown",
        """
        import os
        class Shown(Exception):
            def __str__(self):
                os._exit(0)
        def attack():
            raise Shown
        """,
        "crashed",
    ),
    attack(
        "exit-where-the-result-is-described",
        """
        import sys
        class Result:
            __class__ = property(lambda self: sys.exit(0))
        def attack():
            return Result()
        """,
        "error",
    ),
    attack(
        "exit-at-exit",
        """
        import atexit, contextlib, os
        @atexit.register
        def write():
            for descriptor in range(3, 64):  # which of them the channel is, each Python has otherwise
                with contextlib.suppress(OSError):
                    os.write(descriptor, b"5 of 5 points")
        def attack():
            atexit._run_exitfuncs()
            return None
        """,
        "crashed",
    ),
    attack(
        "late-thread",
        """
        import os, threading, time
        def attack():
            threading.Thread(target=lambda: (time.sleep(0.001), os._exit(0)), daemon=True).start()
        """,
        "failed", "crashed",
    ),
    attack(
        "generator-exit",
        """
        def attack():
            raise GeneratorExit
        """,
        "error",
    ),
    attack(
        "keyboard-interrupt-of-the-main-thread",
        """
        import _thread
        def attack():
            _thread.interrupt_main()
        """,
        "failed", "error",
    ),
    attack(
        "stub-that-says-it-was-not-begun",
        """
        def attack():
            raise NotImplementedError
        """,
        "unstarted",
    ),
)  # fmt: skip
