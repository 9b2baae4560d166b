"""A worker that serves one submission and ends: for systems without fork."""

from __future__ import annotations

import gc
import socket
import sys


def main(channel_fd: str) -> None:
    """Prepare, say so on the channel, then serve. channel_fd: its descriptor; "-" where standard input shares it."""
    channel = _shared() if sys.platform == "win32" else socket.socket(fileno=int(channel_fd))
    from grader.worker.prepare import prepare

    hello = prepare()
    from grader.worker import serve

    gc.enable()
    serve.send(channel, hello, {})
    serve.serve(channel)


def _shared() -> socket.socket:
    """The socket that the parent shares with this process. Windows."""
    if sys.platform == "win32":
        return socket.fromshare(sys.stdin.buffer.read())
    raise NotImplementedError("elsewhere a socket is inherited")
