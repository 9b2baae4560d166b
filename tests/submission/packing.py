"""Archives and notebooks made for tests: what a student hands in, and what somebody hostile makes of it."""

from __future__ import annotations

import io
import json
import stat
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = {path.name: path.read_bytes() for path in sorted((ROOT / "solutions/reference").glob("ex*.py"))}
EX01, EX02, EX10, EX11 = (
    "ex01_dot_product_scores", "ex02_softmax_weights", "ex10_causal_attention", "ex11_multi_head_wrapper",
)  # fmt: skip
SOURCE = {name.removesuffix(".py"): source.decode() for name, source in REFERENCE.items()}


def zipped(members: Mapping[str, bytes] | Iterable[tuple[str, bytes]], kinds: Mapping[str, int] | None = None) -> bytes:
    """A zip. kinds: what a member says it is, such as stat.S_IFLNK."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items() if isinstance(members, Mapping) else members:
            info = zipfile.ZipInfo("x")
            info.filename, info.compress_type = name, zipfile.ZIP_DEFLATED
            info.external_attr = ((kinds or {}).get(name, stat.S_IFREG) | 0o644) << 16
            archive.writestr(info, data)
    return packed.getvalue()


def tarred(
    members: Mapping[str, bytes] | Iterable[tuple[str, bytes]],
    kinds: Mapping[str, bytes] | None = None,
    *,
    gzipped: bool = False,
) -> bytes:
    """A tar or tar.gz. kinds: what a member is, such as tarfile.SYMTYPE."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz" if gzipped else "w") as archive:
        for name, data in members.items() if isinstance(members, Mapping) else members:
            info = tarfile.TarInfo(name)
            info.type = (kinds or {}).get(name, tarfile.REGTYPE)
            info.linkname = "secret.py" if info.type in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
            info.size = len(data) if info.type == tarfile.REGTYPE else 0
            archive.addfile(info, io.BytesIO(data))
    return packed.getvalue()


def record(key: str, value: str) -> bytes:
    """A record of an extended header."""
    said = f" {key}={value}\n".encode()
    length = len(said) + len(str(len(said) + len(str(len(said)))))
    return str(length).encode() + said


def many_records(count: int) -> bytes:
    """An extended header that says something else in each of so many records."""
    return b"".join(record(f"k{number}", "") for number in range(count))


def headed(kind: bytes, said: bytes) -> bytes:
    """An extended header as it stands before a member of a tar. kind: such as tarfile.XHDTYPE."""
    info = tarfile.TarInfo("PaxHeader")
    info.type, info.size = kind, len(said)
    return info.tobuf(tarfile.USTAR_FORMAT) + said + bytes(-len(said) % tarfile.BLOCKSIZE)


def code(source: str, *tags: str) -> dict[str, Any]:
    """A code cell."""
    return {
        "cell_type": "code", "execution_count": None, "metadata": {"tags": list(tags)}, "outputs": [],
        "source": source.splitlines(keepends=True),
    }  # fmt: skip


def words(text: str) -> dict[str, Any]:
    """A Markdown cell."""
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def notebook(*cells: dict[str, Any] | str) -> bytes:
    """A notebook of format 4; a string is a code cell."""
    made = [code(cell) if isinstance(cell, str) else cell for cell in cells]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made}).encode()


def lesson() -> bytes:
    """A notebook of somebody who followed the lesson from top to bottom: all thirteen exercises, and everything else.

    In one namespace, with the lesson's tensors as globals, first tries that are made better further down, helpers in
    cells of their own, plots, magics, shell lines, questions to IPython and cells that fail; for no grader's sake.
    """
    return (ROOT / "tests/submission/lesson.ipynb").read_bytes()
