"""A source's bytes, and the text that Python reads in them."""

from __future__ import annotations

import codecs
import contextlib
import io
import re
import tokenize

# What people's editors write. Python takes more, of which some take for ever to be decoded.
ENCODINGS = frozenset({"utf-8", "utf-8-sig", "ascii", "utf-7", "iso8859-1", "iso8859-15", "cp1252"})
# In the first line, or in the second below a blank one or a comment. `tokenize` finds none beside letters of Latin-1.
DECLARATION = re.compile(rb"\A((?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))??[ \t\f]*#[^\r\n]*?coding[:=][ \t]*)([-\w.]+)")
# How a text of more than one byte for each letter begins. A mark of two bytes is how one of four may begin.
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
# What is told of each, however its bytes are ordered.
FOREIGN = {"utf-32": "UTF-32", "utf-16": "UTF-16", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}
# How what is no text begins: documents of word processors, archives, and what is printed.
DOCUMENTS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"{\\rtf", b"%PDF", b"\x1f\x8b")
# So much of a program is letters of English: of two bytes each, one of which is zero.
MOSTLY = 0.8


def as_utf_8(source: bytes) -> bytes:
    """A source in another encoding as the same in UTF-8, which it declares then; what is in none as it is.

    Also one that Python does not read, since whoever wrote it saw nothing but its text.
    """
    if codec := _codec(source):
        return source.decode(codec).removeprefix("\ufeff").encode()
    encoding = _declared(source)
    if encoding not in ENCODINGS or encoding.startswith("utf-8"):
        return source
    try:
        return DECLARATION.sub(rb"\1utf-8", source.decode(encoding).encode())
    except UnicodeError:  # which Python refuses too
        return source


def text_of(source: bytes) -> str:
    """A source as Python reads it, or as an editor does; what cannot be read so, as far as it can."""
    declared = _declared(source)
    text = source.decode(_codec(source) or (declared if declared in ENCODINGS else "utf-8"), "replace")
    return text.encode("utf-8", "replace").decode()  # UTF-7 may spell half a character


def is_document(source: bytes) -> bool:
    """Whether these are a document or an archive, whatever it is called, and no text."""
    return source.startswith(DOCUMENTS)


def foreign(source: bytes) -> str:
    """The encoding of a text that has more than one byte for each letter, which Python does not read; "" for any other.

    Some editors and shells of Windows write it, marked or not.
    """
    return FOREIGN.get(_codec(source), "")


def is_utf_8(source: bytes) -> bool:
    """Whether a source that Python takes for UTF-8 is that; also of any that it takes for something else.

    Python imports one that is not where that stands in comments alone, and runs none that declares nothing.
    """
    return not _declared(source).startswith("utf-8") or bool(_codec(source)) or _is_in(source, "utf-8")


def _codec(source: bytes) -> str:
    """What decodes a text that has more than one byte for each letter; "" for any other."""
    for mark, codec in MARKS:
        if source.startswith(mark) and _is_in(source, codec):
            return codec
    for codec, high, low in (("utf-16-le", source[1::2], source[::2]), ("utf-16-be", source[::2], source[1::2])):
        if high.count(0) > MOSTLY * len(high) and 0 not in low and _is_in(source, codec):
            return codec
    return ""


def _declared(source: bytes) -> str:
    """The encoding that Python reads a source in; "" for one that there is not."""
    if source.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    named = DECLARATION.match(source)
    line = b"# coding: %s" % named[2] if named else b""
    with contextlib.suppress(SyntaxError, LookupError):
        return codecs.lookup(tokenize.detect_encoding(io.BytesIO(line).readline)[0]).name
    return ""


def _is_in(source: bytes, codec: str) -> bool:
    try:
        source.decode(codec)
    except UnicodeDecodeError:
        return False
    return True
