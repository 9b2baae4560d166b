"""The zygote: imports torch once, then forks a child for each submission. It never sees a submission itself.

It is exec'd by the parent, never forked from it, so nothing the parent knows is in its memory; and each child gets a
channel of its own to the parent, so nothing that one child reads is in the memory of the next.
"""

from __future__ import annotations

import gc
import json
import os
import platform
import shutil
import signal
import socket
import sys
import sysconfig
from pathlib import Path
from typing import Any

FORK = b"f"
REAP = b"r"
PID_BYTES = 8


def main(control_fd: int) -> None:
    """Serve the parent until it closes the control socket."""
    gc.disable()  # importing torch makes a million objects and no garbage; looking for some costs a sixth of the time
    control = socket.socket(fileno=control_fd)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle; it closes the socket
    try:
        hello = _prepare()
    except BaseException as error:
        _say(control, {"error": f"{type(error).__name__}: {error}"})
        os._exit(1)
    _say(control, hello)
    while True:
        data, fds, _, _ = socket.recv_fds(control, 1 + PID_BYTES, 1)
        if not data:  # the parent is gone, perhaps without a chance to tidy up: the scratch folder is ours
            shutil.rmtree(Path.cwd(), ignore_errors=True)
            os._exit(0)
        pid = int.from_bytes(data[1:], "little")
        if data[:1] == FORK:
            _say(control, {"pid": _fork(control, fds[0])})
        else:
            _, status = os.waitpid(pid, 0)
            _say(control, {"status": os.waitstatus_to_exitcode(status)})


def _prepare() -> dict[str, Any]:
    """Import what students import, touch the kernels they use, and leave nothing on the path that leads to answers."""
    import torch

    torch.set_num_threads(1)  # a process that once used two threads leaves its children hanging in OpenMP
    from grader.worker import serve

    serve.warm_up()
    _keep_only_installed_packages()
    gc.freeze()  # what is here now is never looked at again, so children need no copies of its pages
    return {
        "torch": str(torch.__version__),
        "python": platform.python_version(),
        "cuda": torch.cuda.is_available(),
    }


def _keep_only_installed_packages() -> None:
    """Drop every import path but the standard library and site-packages: a checkout's root holds `solutions`."""
    paths = sysconfig.get_paths()
    installed = {os.path.realpath(paths[key]) for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    installed |= {f"{path}/lib-dynload" for path in installed}
    sys.path[:] = [path for path in sys.path if os.path.realpath(path) in installed or path.endswith(".zip")]
    sys.path_importer_cache.clear()


def _fork(control: socket.socket, channel_fd: int) -> int:
    pid = os.fork()
    if pid:
        os.close(channel_fd)
        return pid
    try:
        from grader.worker import serve

        gc.enable()
        control.close()
        serve.serve(socket.socket(fileno=channel_fd))
    finally:
        os._exit(0)


def _say(control: socket.socket, message: dict[str, Any]) -> None:
    control.sendall(json.dumps(message).encode() + b"\n")
