"""Writes a file whole or not at all, so that nobody ever reads half of one."""

from __future__ import annotations

import os
import re
import stat
import threading
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from grader.model.errors import NotWritten
from grader.words import say

# What a shell calls the streams that it gives a command.
OWN_STREAM = re.compile(r"/dev/(stdout|stderr|fd/(\d+))")

# The oldest that a zip can say: what is packed at another time is the same, byte for byte.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


def pack(packed: zipfile.ZipFile, name: str, content: bytes, mode: int = 0o644) -> None:
    """Add a file to a zip."""
    info = zipfile.ZipInfo(name, ZIP_EPOCH)
    info.external_attr = (stat.S_IFREG | mode) << 16
    packed.writestr(info, content, zipfile.ZIP_DEFLATED)


def write_whole(file: Path, text: str | Iterable[str]) -> None:
    """Write a file, or leave the one that is there as it was. On disk when this returns. Raises NotWritten.

    text: all of it, or its pieces one after the other.
    """
    with whole(file) as written:
        for piece in [text] if isinstance(text, str) else text:
            written.write(piece.encode("utf-8", "replace"))


def check_writable(file: Path) -> None:
    """Raises NotWritten where a file cannot be made, before anybody waits for what would be written there."""
    half = _half(file)
    try:
        with telling(file):
            half.open("w+b").close()
    finally:
        _remove(half)


def remove(file: Path) -> None:
    """Remove a file if it is there. Raises NotWritten."""
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise NotWritten(say("error.cannot-replace", file=file, why=error.strerror)) from None


def add_whole(file: Path, text: str) -> None:
    """Add lines to a file that others write to as well, or leave it as it was. Raises NotWritten."""
    with telling(file), file.open("a+b") as written:
        before = written.seek(0, os.SEEK_END)
        if before:
            written.seek(before - 1)
            text = text if written.read(1) == b"\n" else f"\n{text}"
        try:
            written.write(text.encode("utf-8", "replace"))
            written.flush()
            os.fsync(written.fileno())
        except OSError:
            written.truncate(before)
            raise


@contextmanager
def telling(file: Path) -> Iterator[None]:
    """What keeps a file from being written, as NotWritten."""
    try:
        yield
    except OSError as error:
        raise NotWritten(say("error.cannot-write", file=file, why=error.strerror)) from None


@contextmanager
def whole(file: Path) -> Iterator[IO[bytes]]:
    """A file to write bytes to that takes its name, and is on disk, when this ends without an error.

    Raises NotWritten; the file that is there stays as it was.
    """
    if _is_passed_on(file):
        with _passing_on(file) as written:
            yield written
        return
    half = _half(file)
    try:
        with telling(file):
            with half.open("w+b") as written:
                yield written
                written.flush()
                os.fsync(written.fileno())
            half.replace(file)
            _sync(file.parent)
    except BaseException:
        _remove(half)
        raise


def _is_passed_on(file: Path) -> bool:
    """Whether what is written there goes to somebody else: a pipe, a device, or a stream of this process's."""
    if OWN_STREAM.fullmatch(str(file)):
        return True
    with suppress(OSError):
        mode = file.stat().st_mode
        return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
    return False


@contextmanager
def _passing_on(file: Path) -> Iterator[IO[bytes]]:
    """Such a place to write bytes to. Raises NotWritten, also where nobody reads from a pipe."""
    with telling(file), os.fdopen(_opened(file), "wb") as written:
        yield written


def _opened(file: Path) -> int:
    """A descriptor of such a place; of a stream of this process's one that goes on where that is."""
    if own := OWN_STREAM.fullmatch(str(file)):
        return os.dup(int(own[2] or {"stdout": 1, "stderr": 2}[own[1]]))
    descriptor = os.open(file, os.O_WRONLY | os.O_NONBLOCK)  # nobody may read from a pipe
    os.set_blocking(descriptor, True)
    return descriptor


def _half(file: Path) -> Path:
    """What a file is called while it is written; short, so that it fits wherever the name itself does."""
    return file.with_name(f".{file.name[:40]}.{os.getpid()}.{threading.get_ident()}.half")


def remove_halves(folder: Path) -> None:
    """Remove what a process that was killed while it wrote has left there."""
    for half in folder.glob(".*.half"):
        _remove(half)


def _remove(half: Path) -> None:
    """Remove half a file where it can be: why it was not written is the error that counts."""
    with suppress(OSError):
        half.unlink()


def _sync(folder: Path) -> None:
    """Have a new name in a folder on disk too. Windows has no such thing."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
