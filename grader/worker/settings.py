"""What a module's own code can set for the whole process, put back: it is meant for that module's demo alone."""

from __future__ import annotations

import sys
import warnings

import torch
from torch import get_default_device, get_default_dtype, is_grad_enabled

CPU = torch.device("cpu")
DTYPE = torch.float32
FILTERS = (*warnings.filters,)


def as_a_program(file: str) -> None:
    """Let code find the arguments that it has where nobody gives it any."""
    sys.argv = [file]


def put_back() -> None:
    """Gradients, the default type and device of new tensors, and what becomes of warnings, as they are at the start."""
    if not is_grad_enabled():
        torch.set_grad_enabled(True)
    if get_default_dtype() is not DTYPE:
        torch.set_default_dtype(DTYPE)
    if get_default_device() != CPU:
        torch.set_default_device(None)
    if (*warnings.filters,) != FILTERS:
        warnings.resetwarnings()
        warnings.filters += FILTERS  # type: ignore[operator]
