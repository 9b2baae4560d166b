"""Attacks that leave the sandbox, or reach out of it."""

from __future__ import annotations

from tests.attacks.attack import attack

ATTACKS = (
    attack(
        "udp-packet",
        """
        import socket
        def attack():
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
                out.sendto(b"hello", ("127.0.0.1", UDP))
        """,
        "error",
    ),
    attack(
        "daemon",
        """
        import os, time
        def attack():
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    time.sleep(20)
                os._exit(0)
        """,
        "error",
    ),
    attack(
        "kill-the-victim",
        """
        import os, signal
        def attack():
            os.kill(VICTIM, signal.SIGKILL)
        """,
        "error",
    ),
)  # fmt: skip
