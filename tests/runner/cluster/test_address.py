"""Nobody comes to a cluster unasked, and nobody listens in, unless somebody says that it does not matter."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.model.errors import UsageError
from grader.plugins.executor import Site
from grader.runner.cluster.address import check

FILE = Path("some.pem")


@pytest.mark.parametrize(
    "place",
    [
        Site("tls://grading-1:8786"),
        Site("tls://grading-1:8786", tls_ca=FILE, tls_cert=FILE),
        Site("tls://[2001:db8::1]:8786", tls_ca=FILE, tls_cert=FILE, tls_key=FILE),
        Site("tcp://127.0.0.1:8786"),
        Site("tcp://[::1]:8786"),
        Site("tcp://localhost:8786"),
        Site("tcp://10.0.0.7:8786", is_insecure=True),
    ],
    ids=str,
)
def test_what_is_encrypted_or_does_not_leave_the_machine_is_taken(place: Site) -> None:
    check(place)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (Site("tcp://10.0.0.7:8786"), "neither encrypted nor does it ask who comes"),
        (Site("tcp://localhost.example.org:8786"), "neither encrypted"),
        (Site("tcp://127.0.0.1.example.org:8786"), "neither encrypted"),
        (Site("tcp://127.0.0.1:8786", tls_ca=FILE, tls_cert=FILE), "have no use"),
        (Site("tls://a:8786", tls_ca=FILE), "--tls-ca and --tls-cert are needed both"),
        (Site("tls://a:8786", tls_key=FILE), "--tls-ca and --tls-cert are needed both"),
        (Site("tls://a"), "give it as tls://HOST:PORT"),
        (Site("tls://:8786"), "give it as tls://HOST:PORT"),
        (Site("tls://a:port"), "give it as tls://HOST:PORT"),
        (Site("tls://a:99999"), "give it as tls://HOST:PORT"),
        (Site("tls://[a:1"), "give it as tls://HOST:PORT"),
        (Site("tls://ada:secret@a:1"), "give it as tls://HOST:PORT"),
        (Site("tls://a:1/path"), "give it as tls://HOST:PORT"),
    ],
    ids=str,
)
def test_what_is_not_is_refused_in_a_sentence(place: Site, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        check(place)

    assert said in str(raised.value)
