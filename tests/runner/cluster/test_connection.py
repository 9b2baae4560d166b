"""The way to a scheduler: whose certificates are shown, and what is said where there is none to be reached."""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread

import dask
import pytest
from distributed.security import Security

from grader.model.errors import ClusterFailed, ExitCode, UsageError
from grader.plugins.executor import Site
from grader.runner.cluster import connection
from grader.runner.cluster.connection import connect, leave

from .members import Members, free_port, make_certificates


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificates(tmp_path_factory.mktemp("certificates"))


def place(folder: Path, *, cert: str = "client.pem", key: str = "client.key") -> Site:
    return Site("tls://127.0.0.1:1", tls_ca=folder / "ca.pem", tls_cert=folder / cert, tls_key=folder / key)


def test_without_options_dask_s_own_configuration_says_the_certificates(certificates: Path) -> None:
    own = {
        "distributed.comm.tls.ca-file": str(certificates / "ca.pem"),
        "distributed.comm.tls.client.cert": str(certificates / "client.pem"),
        "distributed.comm.tls.client.key": str(certificates / "client.key"),
    }
    with dask.config.set(own):
        security = connection._security(Site("tls://127.0.0.1:1"))

    assert isinstance(security, Security)
    assert security.tls_client_cert == own["distributed.comm.tls.client.cert"]
    assert security.require_encryption


def test_without_any_certificate_it_is_said_which_options_give_them() -> None:
    with pytest.raises(UsageError, match="give --tls-ca, --tls-cert and --tls-key"):
        connect(Site("tls://127.0.0.1:1"))


@pytest.mark.parametrize(
    "wrong", [{"cert": "client.key"}, {"key": "worker.key"}, {"key": "ca.pem"}], ids=["no certificate", "other", "none"]
)
def test_what_is_no_certificate_with_its_key_is_named(wrong: dict[str, str], certificates: Path) -> None:
    with pytest.raises(UsageError, match=r"These are no certificates with their key .*client"):
        connect(place(certificates, **wrong))


@pytest.mark.parametrize("scheme", ["tls", "tcp"])
def test_where_nobody_answers_is_a_sentence(scheme: str, certificates: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 0.2)
    address = f"{scheme}://127.0.0.1:{free_port()}"
    own = place(certificates)
    nowhere = Site(address, 0, own.tls_ca, own.tls_cert, own.tls_key) if scheme == "tls" else Site(address)

    with pytest.raises(ClusterFailed, match=f"No scheduler answers at {address}") as raised:
        connect(nowhere)

    assert raised.value.exit_code is ExitCode.INTERNAL


def test_who_is_cut_off_as_soon_as_the_connection_stands_is_told_of_certificates(certificates: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "scheduler.pem", certificates / "scheduler.key")

    def cut_off() -> None:
        with suppress(OSError):  # as the test ends
            while True:
                connected, _ = listening.accept()
                with suppress(OSError), context.wrap_socket(connected, server_side=True) as secured:
                    secured.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Thread(target=cut_off)
        server.start()
        try:
            there = replace(place(certificates), address=f"tls://127.0.0.1:{listening.getsockname()[1]}")
            with pytest.raises(ClusterFailed, match="do not take each other's certificates"):
                connect(there)
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            server.join()


@pytest.mark.lasting  # with what else needs this cluster, which takes seconds to start
def test_a_connection_that_was_lost_is_left_without_a_word_then_and_when_it_is_collected(cluster: Members) -> None:
    client = connect(cluster.place)  # brought by hand, in Dask's own parts, to where a lost scheduler may bring it
    coming_back = client._handle_report_task

    async def lose() -> None:
        client.status = "connecting"
        coming_back.cancel()

    async def fail() -> None:
        raise ValueError("IOStream is not idle; cannot convert to SSL")

    async def have_failed() -> None:
        client._handle_report_task = asyncio.ensure_future(fail())
        await asyncio.wait([client._handle_report_task])

    client.sync(lose)
    client.sync(have_failed)

    leave(client)

    client.__del__()
    assert client.status == "closed"
