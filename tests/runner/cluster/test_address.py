"""Nobody comes to a cluster unasked, and nobody listens in, unless somebody says that it does not matter."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.model.errors import UsageError
from grader.plugins.executor import Place
from grader.runner.cluster.address import check

FILE = Path("some.pem")


@pytest.mark.parametrize(
    "place",
    [
        Place("tls://grading-1:8786"),
        Place("tls://grading-1:8786", tls_ca=FILE, tls_cert=FILE),
        Place("tls://[2001:db8::1]:8786", tls_ca=FILE, tls_cert=FILE, tls_key=FILE),
        Place("tcp://127.0.0.1:8786"),
        Place("tcp://[::1]:8786"),
        Place("tcp://localhost:8786"),
        Place("tcp://10.0.0.7:8786", is_insecure=True),
    ],
    ids=str,
)
def test_what_is_encrypted_or_does_not_leave_the_machine_is_taken(place: Place) -> None:
    check(place)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (Place("tcp://10.0.0.7:8786"), "neither encrypted nor does it ask who comes"),
        (Place("tcp://localhost.example.org:8786"), "neither encrypted"),
        (Place("tcp://127.0.0.1.example.org:8786"), "neither encrypted"),
        (Place("tcp://127.0.0.1:8786", tls_ca=FILE, tls_cert=FILE), "have no use"),
        (Place("tls://a:8786", tls_ca=FILE), "--tls-ca and --tls-cert are needed both"),
        (Place("tls://a:8786", tls_key=FILE), "--tls-ca and --tls-cert are needed both"),
        (Place("tls://a"), "give it as tls://HOST:PORT"),
        (Place("tls://:8786"), "give it as tls://HOST:PORT"),
        (Place("tls://a:port"), "give it as tls://HOST:PORT"),
        (Place("tls://a:99999"), "give it as tls://HOST:PORT"),
        (Place("tls://[a:1"), "give it as tls://HOST:PORT"),
        (Place("tls://ada:secret@a:1"), "give it as tls://HOST:PORT"),
        (Place("tls://a:1/path"), "give it as tls://HOST:PORT"),
    ],
    ids=str,
)
def test_what_is_not_is_refused_in_a_sentence(place: Place, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        check(place)

    assert said in str(raised.value)
