"""The client's connection to a scheduler, and what it says of its workers. Whatever goes wrong is one sentence."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from grader.model.errors import ClusterFailed, UsageError
from grader.model.text import clean, plural
from grader.plugins.executor import Site

if TYPE_CHECKING:
    from distributed import Client

    from grader.runner.kit import Kit

# A scheduler that is there answers at once; and a worker that is being started is there within this time.
CONNECT_SECONDS = 8.0
WORKER_SECONDS = 10.0
# A worker reads the pack for the first time, on a slow disk.
LOOK_SECONDS = 20.0
CALL_SECONDS = 15.0
# To these Dask gives a level of their own.
LOGGERS = ("distributed", "distributed.client", "tornado", "tornado.application")
# More than any submission is.
LARGE = "1 GiB"
# What a worker is called that may have one submission at a time on its graphics card.
GPU = "GPU"


def connect(site: Site) -> Client:
    """A client of the scheduler at an address. Raises ClusterFailed, and UsageError for certificates that are none."""
    import dask
    from distributed import Client

    # Everything that Dask would log is said here in a sentence, or becomes a result; and a submission may be large.
    for name in LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    dask.config.set({"distributed.admin.large-graph-warning-threshold": LARGE})

    security = _security(site)
    try:
        return Client(site.address, security=security, timeout=CONNECT_SECONDS, set_as_default=False, name="grade")
    except OSError as error:  # a time limit's too, and all of ssl's
        raise ClusterFailed(_said(site, error)) from None


def leave(client: Client) -> None:
    """Close a connection, also one whose scheduler has gone: of that, Dask raises whatever its last try to come back
    ended in, here and once more when the client is collected."""
    try:
        client.close(timeout=CALL_SECONDS)
    except Exception:
        client.status = "closed"


def workers(client: Client) -> Mapping[str, Mapping[str, Any]]:
    """What the scheduler says of its workers, by their addresses: `nthreads`, `resources`. Raises ClusterFailed."""
    with spoken():
        asked = client.sync(client.scheduler.identity, n_workers=-1, callback_timeout=CALL_SECONDS)
    found: Mapping[str, Mapping[str, Any]] = asked["workers"]
    return found


def wait_for_worker(client: Client, site: Site) -> Mapping[str, Mapping[str, Any]]:
    """The workers, as soon as there is one. Raises ClusterFailed where there is none in a while."""
    with suppress(OSError):  # TimeoutError is one, and what it means is said below
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    found = workers(client)
    if not found:
        raise ClusterFailed(f"The cluster at {site.address} has no worker. Start some: dask worker {site.address} …")
    return found


def check_alike(client: Client, addresses: list[str], kit: Kit) -> None:
    """Raises ClusterFailed where a worker would grade by something else than this machine."""
    from grader.runner.cluster import remote

    looked: dict[str, object] = {}
    with suppress(OSError):  # one that does not answer, or is lost, says the same when it is to grade
        asked = {"workers": addresses, "on_error": "return", "callback_timeout": LOOK_SECONDS}
        looked = client.run(remote.look, kit, **asked)
    wrong = {address: said for address, said in looked.items() if said and not isinstance(said, OSError)}
    if wrong:
        address, found = next(iter(wrong.items()))
        said = f"no such kit ({found})" if isinstance(found, Exception) else str(found)
        raise ClusterFailed(
            f"{plural(len(wrong), 'worker')} of {len(addresses)} would grade otherwise than this machine: {address} "
            f"has {clean(said)}. Install the same kit there and start the worker again."
        )


@contextmanager
def spoken() -> Iterator[None]:
    """What Dask raises of a scheduler that has gone as ClusterFailed."""
    try:
        yield
    except OSError:  # a time limit's too
        raise ClusterFailed("The cluster's scheduler has gone, or does not answer any more.") from None


def _security(site: Site) -> Any:
    """Who belongs to the cluster: by the options, else by Dask's own configuration. Raises UsageError."""
    from distributed.security import Security

    if not site.address.startswith("tls://"):
        return Security()
    files = {"tls_ca_file": site.tls_ca, "tls_client_cert": site.tls_cert, "tls_client_key": site.tls_key}
    given = {name: str(file) for name, file in files.items() if file is not None}
    security = Security(require_encryption=True, **given)
    if not (security.tls_ca_file and security.tls_client_cert):
        raise UsageError(f"{site.address} asks who comes: give --tls-ca, --tls-cert and --tls-key.")
    try:
        security.get_connection_args("client")
    except (OSError, ValueError) as error:  # of ssl's own too
        named = ", ".join(filter(None, (security.tls_ca_file, security.tls_client_cert, security.tls_client_key)))
        raise UsageError(f"These are no certificates with their key ({clean(str(error))}): {clean(named)}.") from None
    return security


def _said(site: Site, error: BaseException) -> str:
    """Why a scheduler cannot be reached."""
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in chain:
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
    # Where the other side turns ours down, all that is left of it may be Dask's text, or that a connection by TLS was
    # closed: that side looks at our certificate when we are through, and ends it before what it says of that is read.
    words = " ".join(map(str, chain))
    is_refused = any(isinstance(each, ssl.SSLError) for each in chain)
    is_refused = is_refused or any(said in words for said in ("SSL", "TLS certificate", "<TLS (closed)"))
    if is_refused and "WRONG_VERSION_NUMBER" not in words:  # that is no TLS at all
        return (
            f"{site.address} and this machine do not take each other's certificates: one is signed by an authority "
            "that the other does not know, or has expired."
        )
    return f"No scheduler answers at {site.address}: is it running, and are scheme and port right?"
