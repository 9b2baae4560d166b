"""The zygote: imports torch once, then forks a child for each submission. It never sees a submission itself. Linux.

It is exec'd by the parent, never forked from it, so nothing the parent knows is in its memory; and each child gets a
channel of its own to the parent, so nothing that one child reads is in the memory of the next. What it is taught is
what all submissions are asked: inputs, the same for everybody.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import socket
import time
from pathlib import Path
from typing import Any

from grader.wire.control import FORK, LEARN, NUMBER_BYTES, read_request

# After this long there is no end of processes that make others, and to end the zygote is all that is left.
SWEEP_SECONDS = 3.0


def main(control_fd: int) -> None:
    """Serve the parent until it closes the control socket."""
    control = socket.socket(fileno=control_fd)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle; it closes the socket
    scratch = Path.cwd()
    try:
        from grader.worker.confine import libc
        from grader.worker.prepare import prepare

        libc.prctl(libc.PR_SET_DUMPABLE, 0)  # nor can one child look into another
        libc.prctl(libc.PR_SET_CHILD_SUBREAPER, 1)
        hello = prepare()
    except BaseException as error:
        _say(control, {"error": f"{type(error).__name__}: {error}"})
        os._exit(1)
    _say(control, hello, os.open(scratch, os.O_RDONLY | os.O_DIRECTORY))  # the parent cannot look inside otherwise
    living: set[int] = set()
    while True:
        data, fds, _, _ = socket.recv_fds(control, 1 + NUMBER_BYTES, 1)
        if not data:  # the parent is gone, perhaps without a chance to tidy up
            _tidy_up(scratch, living)
            os._exit(0)
        letter, pid = read_request(data)
        if letter == FORK:
            before = time.process_time()
            pid = _fork(control, fds[0])
            living.add(pid)
            _say(control, {"pid": pid, "cpu": time.process_time() - before}, os.pidfd_open(pid))
        elif letter == LEARN:
            _say(control, {"known": _learn(fds[0])})
        else:
            status, cpu = _end(pid, living, scratch)
            _say(control, {"status": status, "cpu": cpu})


def _fork(control: socket.socket, channel_fd: int) -> int:
    pid = os.fork()
    if pid:
        os.close(channel_fd)
        return pid
    try:
        import torch

        from grader.worker import serve

        torch.set_num_threads(1)  # mends torch's pool after the fork, over which a child's own threads would fall
        gc.enable()
        control.close()
        serve.serve(socket.socket(fileno=channel_fd))
    finally:
        os._exit(0)


def _learn(file: int) -> int:
    """Read requests that every later child shall know; how many are known then."""
    from grader.worker import pages, requests

    with open(file, "rb") as frames:
        requests.learn(frames)
    gc.freeze()
    pages.join()  # now that there will be many children: it takes what some twenty of them save by it
    return len(requests.KNOWN)


def _end(pid: int, living: set[int], scratch: Path) -> tuple[int, float]:
    """End a child and whatever it started; its exit status and CPU seconds. Ends this process where there is no end of
    them."""
    from grader.wire.scratch import remove

    for end in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end(pid, signal.SIGKILL)
    _, status, used = os.wait4(pid, 0)
    living.discard(pid)
    _sweep(living)
    with contextlib.suppress(OSError):
        remove(scratch / str(pid))
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime


def _sweep(living: set[int]) -> None:
    """End what ended children left behind: as a subreaper this process inherits it, whatever session it is in."""
    deadline = time.monotonic() + SWEEP_SECONDS
    while orphans := _children() - living:
        if time.monotonic() > deadline:
            os._exit(1)
        for pid in orphans:
            os.kill(pid, signal.SIGKILL)
        for pid in orphans:
            os.waitpid(pid, 0)


def _children() -> set[int]:
    """https://man7.org/linux/man-pages/man5/proc_tid_children.5.html"""
    return {int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()}


def _tidy_up(scratch: Path, living: set[int]) -> None:
    from grader.wire.scratch import remove

    for pid in [*living]:
        _end(pid, living, scratch)
    with contextlib.suppress(OSError):
        remove(scratch)


def _say(control: socket.socket, message: dict[str, Any], descriptor: int = -1) -> None:
    """Answer the parent; a descriptor that goes with the answer is closed here."""
    data = json.dumps(message).encode()
    if descriptor < 0:
        control.sendall(data)
        return
    socket.send_fds(control, [data], [descriptor])
    os.close(descriptor)
