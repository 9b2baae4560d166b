"""A source is the text that Python reads in its bytes; what Python does not read is known for what it is, and read."""

from __future__ import annotations

import pytest

from grader.submission.encodings import as_utf_8, foreign, is_utf_8, text_of

TEXT = "größe = 'é'\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("above", ["", "\n", " \t\n", "# für alle\n", "#!/usr/bin/env python3\n"])
@pytest.mark.parametrize(
    ("named", "codec"),
    [
        ("latin-1", "latin-1"),
        ("ISO-8859-1", "latin-1"),
        ("iso_8859_15", "iso8859-15"),
        ("latin-1-unix", "latin-1"),
        ("cp1252", "cp1252"),
        ("utf-7", "utf-7"),
    ],
)
def test_a_source_that_declares_its_encoding_is_the_same_in_utf_8(named: str, codec: str, above: str, end: str) -> None:
    text = f"{above}# vim: set fileencoding={named} : für mich\n{TEXT}".replace("\n", end)

    plain = as_utf_8(text.encode(codec))

    assert plain == text.replace(named, "utf-8").encode()
    assert _run(plain) == _run(text.encode(codec)) == {"größe": "é"}


@pytest.mark.parametrize(
    "source",
    [
        TEXT.encode(), b"\xef\xbb\xbf" + TEXT.encode(), b"# coding: utf-8\n" + TEXT.encode(), b"", b"x = '\xe9'\n",
        b"# coding: no-such\nx = 1\n", b"# coding: idna\nx = 1\n", b"# coding: cp1252\nx = '\x81'\n",
        b"# coding: utf-7\nx = '+2AA-'\n", b"x = 1\n# coding: latin-1\ny = '\xe9'\n",
        b"\n\n# coding: latin-1\ny = '\xe9'\n", b"\xef\xbb\xbf# coding: latin-1\nx = 1\n",
        b"'# coding: latin-1'\n'\xe9'\n",
    ],
)  # fmt: skip
def test_any_other_source_stays_as_it_is(source: bytes) -> None:
    assert as_utf_8(source) == source


def test_half_a_character_is_no_text_that_could_not_be_written() -> None:
    assert text_of(b"# coding: utf-7\nx = '+2AA-'\n") == "# coding: utf-7\nx = '?'\n"


def test_of_two_declarations_the_first_counts() -> None:
    source = b"# coding: latin-1\n# coding: utf-8\nx = '\xe9'\n"

    assert as_utf_8(source) == "# coding: utf-8\n# coding: utf-8\nx = 'é'\n".encode()


@pytest.mark.parametrize(
    ("source", "encoding"),
    [
        (TEXT.encode("utf-16"), "UTF-16"),
        (f"\ufeff{TEXT}".encode("utf-16-be"), "UTF-16"),
        (TEXT.encode("utf-16-le"), "UTF-16"),
        (TEXT.encode("utf-16-be"), "UTF-16"),
        (TEXT.encode("utf-32"), "UTF-32"),
        (f"\ufeff{TEXT}".encode("utf-32-be"), "UTF-32"),
        (TEXT.encode("utf-16")[:-1], ""),
        (TEXT.encode(), ""),
        (b"x = 1\0\n", ""),
        (b"\xff\xfe\x00", ""),
        (b"", ""),
    ],
)
def test_what_python_does_not_read_is_known(source: bytes, encoding: str) -> None:
    assert foreign(source) == encoding
    if encoding:
        assert text_of(source).removeprefix("\ufeff") == TEXT
        assert as_utf_8(source) == TEXT.encode()
        with pytest.raises((SyntaxError, ValueError)):
            compile(source, "ex01.py", "exec")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# schön\n".encode("latin-1"), False),
        ("x = 'schön'\n".encode("cp1252"), False),
        (b"# coding: utf-8\n# \xe9\n", False),
        (b"\xef\xbb\xbf# \xe9\n", False),
        (b"# coding: latin-1\n# \xe9\n", True),
        (b"# coding: no-such\n# \xe9\n", True),  # which says more of what is wrong
        (TEXT.encode(), True),
        (TEXT.encode("utf-16"), True),  # which is told by its name
        (b"", True),
    ],
)
def test_what_is_taken_for_utf_8_and_is_not_is_known(source: bytes, expected: bool) -> None:
    assert is_utf_8(source) is expected


def _run(source: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    exec(compile(source, "ex01.py", "exec"), {}, found)
    return found
