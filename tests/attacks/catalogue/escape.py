"""Attacks that leave the sandbox, or reach out of it."""

from __future__ import annotations

from tests.attacks.attack import attack

ATTACKS = (
    attack(
        "udp-packet",
        """
        import socket
        def attention_scores_for_query(query, inputs):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
                out.sendto(b"hello", ("127.0.0.1", UDP))
        """,
        "error", "unstarted",
    ),
    attack(
        "daemon",
        """
        import os, time
        def attention_scores_for_query(query, inputs):
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    time.sleep(20)
                os._exit(0)
            return query
        attention_scores = None
        """,
    ),
    attack(
        "kill-the-victim",
        """
        import os, signal
        def attention_scores_for_query(query, inputs):
            os.kill(VICTIM, signal.SIGKILL)
        """,
    ),
)  # fmt: skip
