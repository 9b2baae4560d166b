"""The executor `local`: this machine's own job slots."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from grader.plugins.executor import MOST_JOBS, Engine, Keep, Site

if TYPE_CHECKING:
    from grader.model.order import Order
    from grader.model.pack import Pack
    from grader.plugins.registry import Plugins


class Local:
    """Grades where the command runs, by default as many at once as there are cores."""

    name = "local"
    schemes = ("",)

    def engine(self, plugins: Plugins, pack: Pack, order: Order, site: Site, keep: Keep) -> Engine:
        from grader.runner.batch.slots import Slots

        return Slots(plugins, pack, order, site.jobs or _cores(), keep)


def _cores() -> int:
    """The processors that this process may use, which a container or a scheduler may have made fewer."""
    usable = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    return min(len(usable), MOST_JOBS)
