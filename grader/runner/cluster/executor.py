"""The executor `dask`: the machines of a Dask cluster."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from grader.model.commands import python_here
from grader.model.errors import UsageError
from grader.plugins.executor import Engine, Keep, Site

if TYPE_CHECKING:
    from grader.model.order import Order
    from grader.model.pack import Pack
    from grader.plugins.registry import Plugins


class Dask:
    """Grades on the workers of a scheduler at tls://HOST:PORT, or at tcp:// where nobody can listen in."""

    name = "dask"
    schemes = ("tls", "tcp")

    def engine(self, plugins: Plugins, pack: Pack, order: Order, site: Site, keep: Keep) -> Engine:
        from grader.runner.cluster.address import check
        from grader.runner.cluster.engine import Cluster

        check(site)
        if importlib.util.find_spec("distributed") is None:
            command = f"{python_here()} -m pip install dask distributed"
            raise UsageError(f"--cluster needs Dask, which is not installed here: {command}")
        return Cluster(plugins, pack, order, site, keep)
