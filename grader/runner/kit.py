"""What must be alike on two machines for their grades to be: the grader, the pack, the reference, torch."""

from __future__ import annotations

import importlib.metadata
from dataclasses import dataclass, fields

from grader import __version__
from grader.model.pack import Pack
from grader.plugins.registry import Plugins
from grader.submission.read import read_reference


@dataclass(frozen=True, slots=True)
class Kit:
    """What is installed. grader, torch: versions. pack, reference: sha256; "" for a copy without a reference."""

    grader: str
    torch: str
    pack: str
    reference: str

    def difference(self, other: Kit) -> str:
        """What is not alike, in words for whom this is `here` and the other `there`; empty where all is."""
        for field in fields(self):
            here, there = getattr(self, field.name), getattr(other, field.name)
            if here != there:
                own, others = (each[:12] or "none" for each in (here, there))
                return f"another {field.name} ({others}; here it is {own})"
        return ""


def kit_of(plugins: Plugins, pack: Pack) -> Kit:
    """What is installed here. torch's build (+cpu, +cu126) is left out: CPUs give alike in all of them."""
    return Kit(__version__, torch_version().partition("+")[0], pack.sha256, reference_digest(plugins, pack))


def torch_version() -> str:
    """By its installation, because importing it takes seconds; empty where there is none."""
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return ""


def reference_digest(plugins: Plugins, pack: Pack) -> str:
    """sha256 of the reference, which answers fresh cases and which the pack's own digest does not see."""
    reference = read_reference(plugins, pack)
    return reference.sha256 if reference else ""
