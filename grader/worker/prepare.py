"""What a worker does before it sees a submission: imports what students import, and forgets the way to the answers."""

from __future__ import annotations

import gc
import os
import platform
import sys
import sysconfig
from typing import Any


def prepare() -> dict[str, Any]:
    """Import torch, rehearse, and say what this worker is.

    Leaves nothing on the import path that leads to solutions. The garbage collector stays off until `gc.enable()`.
    """
    gc.disable()  # importing torch makes a million objects and no garbage; looking for some costs a sixth of the time
    import torch

    torch.set_num_threads(1)  # a process that once used two threads leaves its children hanging in OpenMP
    from grader.worker import confine, serve, sweep  # noqa: F401  (no source finds the way to it afterwards)
    from grader.worker.operations import make_ready
    from grader.worker.rehearsal import rehearse
    from grader.worker.uncompiled import leave_out_the_compiler

    leave_out_the_compiler()
    make_ready()
    has_cuda = torch.cuda.is_available()
    rehearse(with_gradients=not has_cuda)  # the engine would start CUDA, which no fork survives
    _keep_only_installed_packages()
    gc.freeze()  # what is here now is never looked at again, so children need no copies of its pages
    return {
        "torch": str(torch.__version__),
        "python": platform.python_version(),
        "cuda": has_cuda,
        "missing": confine.missing(),
    }


def _keep_only_installed_packages() -> None:
    """Drop every import path but the standard library and site-packages: a checkout's root holds `solutions`."""
    paths = sysconfig.get_paths()
    installed = {os.path.realpath(paths[key]) for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    installed |= {f"{path}/lib-dynload" for path in installed}
    sys.path[:] = [path for path in sys.path if os.path.realpath(path) in installed or path.endswith(".zip")]
    sys.path_importer_cache.clear()
