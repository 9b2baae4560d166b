"""Attacks by archives and notebooks: what is unpacked, followed, counted, parsed or run of them."""

from __future__ import annotations

import gzip
import io
import json
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from tests.attacks.attack import MODULE, Attack, attack
from tests.submission import packing

from .intake import RIGHT

NAME = f"{MODULE}.py"
WRONG = b"""
def attention_scores(inputs):
    return None


def attention_scores_for_query(query, inputs):
    return None
"""
BIG = 256 << 20


def zipped(name: str, write: Callable[[zipfile.ZipFile], object], *statuses: str) -> Attack:
    """An attack by a zip. write: puts what it likes into it."""

    def files(folder: Path) -> None:
        with zipfile.ZipFile(folder / "work.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            write(archive)

    return attack(name, "", *(statuses or ("failed",)), files=files, hands="work.zip")


def tarred(name: str, write: Callable[[tarfile.TarFile], object], *statuses: str) -> Attack:
    """An attack by a tar.gz."""

    def files(folder: Path) -> None:
        with tarfile.open(folder / "work.tar.gz", "w:gz") as archive:
            write(archive)

    return attack(name, "", *(statuses or ("failed",)), files=files, hands="work.tar.gz")


def noted(name: str, cells: Callable[[Path], list[str]], *statuses: str, file: str = "work.ipynb") -> Attack:
    """An attack by a notebook. cells: the sources of its cells, for a folder in which nothing may appear."""

    def files(folder: Path) -> None:
        made = [{"cell_type": "code", "metadata": {}, "source": source} for source in cells(folder.parent / "bait")]
        (folder / file).write_text(json.dumps({"nbformat": 4, "metadata": {}, "cells": made}), "utf-8")

    return attack(name, "", *(statuses or ("failed",)), files=files)


def beside(name: str, file: str, data: Callable[[], bytes]) -> Attack:
    """An attack by a notebook that is none, beside a module that is wrong."""

    def files(folder: Path) -> None:
        (folder / NAME).write_bytes(WRONG)
        (folder / file).write_bytes(data())

    return attack(name, "", "failed", files=files)


def add(archive: tarfile.TarFile, name: str, data: bytes = b"", **facts: object) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for fact, value in facts.items():
        setattr(info, fact, value)
    archive.addfile(info, io.BytesIO(data))


def _climbing(archive: zipfile.ZipFile) -> None:
    for name in ("../bait/up", "a/../../bait/round", "..\\bait\\back", "/tmp/kit-absolute", f"../../solutions/{NAME}"):
        archive.writestr(name, WRONG)
    archive.writestr(NAME, WRONG)


def _linking(archive: zipfile.ZipFile) -> None:
    info = zipfile.ZipInfo(NAME)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    archive.writestr(info, str(RIGHT))


def _folder_linking(archive: tarfile.TarFile) -> None:
    add(archive, "exercises", type=tarfile.SYMTYPE, linkname=str(RIGHT.parent))
    add(archive, "exercises/extra.py", b"TRAP = True\n")
    add(archive, NAME, WRONG)


def _crowd(archive: zipfile.ZipFile) -> None:
    archive.writestr(NAME, WRONG)
    for number in range(20_000):
        archive.writestr(f"d/{number}.py", b"")


def _of_archives(archive: zipfile.ZipFile) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("zeros.py", bytes(16 << 20))
    for number in range(50):
        archive.writestr(f"{number}.zip", inner.getvalue())
    archive.writestr(NAME, WRONG)


def _lying(folder: Path) -> None:
    """A zip whose table says that a module of a gigabyte is a small one."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(NAME, b"#" * (64 << 20))
    data = bytearray(packed.getvalue())
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 1000)
    (folder / "work.zip").write_bytes(data)


def _backwards(folder: Path) -> None:
    """A tar whose header sends its reader back to itself."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        add(archive, NAME, WRONG)
        add(archive, "back.py", b"", pax_headers={"size": "-1536"})
        add(archive, "after.py", b"x")
    (folder / "work.tar").write_bytes(packed.getvalue())


def _heading(folder: Path) -> None:
    """A tar.gz with a header that unpacks to a quarter of a gigabyte."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="w") as unpacked, tarfile.open(fileobj=unpacked, mode="w|") as archive:
        add(archive, NAME, WRONG)
        info = tarfile.TarInfo("././@PaxHeader")
        info.type, info.size = tarfile.XHDTYPE, BIG
        archive.addfile(info, io.BytesIO(bytes(BIG)))
    (folder / "work.tgz").write_bytes(packed.getvalue())


def _under(kind: bytes, said: Callable[[], bytes]) -> Callable[[Path], None]:
    """A tar whose first member has a header in front of it, made only where it is handed in."""

    def files(folder: Path) -> None:
        members = {"first.py": b"", **{f"{number}.txt": b"" for number in range(1000)}, NAME: WRONG}
        (folder / "work.tar").write_bytes(packing.headed(kind, said()) + packing.tarred(members))

    return files


def _shell(bait: Path) -> list[str]:
    return [
        f"!touch {bait}/shell\n%sx touch {bait}/magic\nfiles = !touch {bait}/assigned\n!!touch {bait}/twice",
        f"%%bash\ntouch {bait}/cell",
        f"%%writefile {bait}/written\nx = 1",
        f"get_ipython().system('touch {bait}/called')\nimport os\nos.system('touch {bait}/top')",
        f"%run {RIGHT}\n%load {RIGHT}",
        WRONG.decode(),
    ]


def _opening(bait: Path) -> list[str]:
    """Expressions where constants and definitions stand."""
    trace = f"open('{bait}/ran', 'w')"
    return [
        f"x = [{trace} for _ in [0]]\ny = {{'a': {trace}}}\nz: {trace} = 1\nd = f'{{{trace}}}'",
        f"import os\n@{trace}.write\ndef attention_scores(inputs):\n    return None",
    ]


SLOW = [" " * 30_000 + "!", "a" * 30_000 + "?", "def " * 8_000, "a, " * 10_000 + "!"]
NESTED = [
    f"x = {'(' * 30_000}", f"x = {'-' * 30_000}1", f"x = {'1+' * 15_000}1", f"x = {'lambda:' * 4_500}1",
    "if x: pass\n" + "elif x: pass\n" * 2_300,
]  # fmt: skip
IMPORTING = f"from solutions.reference.{MODULE} import *" + WRONG.decode().replace("None", "project")
NO_TEXT = b'{"cells": [{"cell_type": "code", "source": "\\ud800\\u0000"}]}'
ATTACKS = (
    zipped("zip-that-climbs-out", _climbing),
    zipped("zip-with-a-link-to-the-solution", _linking, "error"),
    zipped("zip-with-one-name-twice", lambda archive: [archive.writestr(name, WRONG) for name in (NAME, NAME.upper())],
           "error"),
    zipped("zip-of-a-huge-module", lambda archive: archive.writestr(NAME, bytes(BIG)), "error"),
    zipped("zip-of-a-huge-notebook",
           lambda archive: [archive.writestr("a.ipynb", bytes(BIG)), archive.writestr(NAME, WRONG)]),
    zipped("zip-of-twenty-thousand-files", _crowd),
    zipped("zip-of-zips", _of_archives),
    attack("zip-that-lies-about-a-size", "", "error", files=_lying, hands="work.zip"),
    tarred("tar-with-a-link-to-the-solution",
           lambda archive: add(archive, NAME, type=tarfile.SYMTYPE, linkname=str(RIGHT)), "error"),
    tarred("tar-with-a-hard-link-to-the-solution",
           lambda archive: add(archive, NAME, type=tarfile.LNKTYPE, linkname=str(RIGHT)), "error"),
    tarred("tar-with-a-folder-that-links-to-the-solutions", _folder_linking),
    tarred("tar-with-a-device",
           lambda archive: add(archive, NAME, type=tarfile.CHRTYPE, devmajor=1, devminor=5), "error"),
    tarred("tar-that-climbs-out",
           lambda archive: [add(archive, "../bait/up", WRONG), add(archive, "/tmp/kit-absolute", WRONG),
                            add(archive, NAME, WRONG)]),
    tarred("tar-of-a-quarter-of-a-gigabyte",
           lambda archive: [add(archive, NAME, WRONG), add(archive, "zeros.ipynb", bytes(BIG))]),
    attack("tar-that-leads-its-reader-back", "", "failed", files=_backwards, hands="work.tar"),
    attack("tar-with-a-huge-header", "", "failed", files=_heading, hands="work.tgz"),
    attack("tar-that-patterns-are-slow-on", "", "failed", files=_under(tarfile.XHDTYPE, lambda: b"1" * 2_000_000),
           hands="work.tar"),
    attack("tar-that-says-much-of-every-member", "", "failed", hands="work.tar",
           files=_under(tarfile.XGLTYPE, lambda: packing.many_records(200_000))),
    attack("tar-with-a-name-of-marks-alone", "", "failed", hands="work.tar",
           files=_under(tarfile.XHDTYPE, lambda: packing.record("path", "\u302e\u0315\u0300" * 200_000))),
    noted("notebook-of-defaults-that-are-nowhere",
          lambda _: [WRONG.decode(), *[f"%%grade ex01\ndef f({', '.join(f'a{n}=b{n}' for n in range(2300))}): 0"] * 9]),
    noted("notebook-with-commands", _shell),
    noted("notebook-that-hides-calls-in-constants", _opening, "error", "failed"),
    noted("notebook-of-a-huge-cell", lambda _: ["x = '" + "#" * (8 << 20) + "'", WRONG.decode()]),
    noted("notebook-that-parses-slowly", lambda _: [WRONG.decode(), *[f"f'{'{x}' * 10_000}'"] * 10]),
    noted("notebook-that-patterns-are-slow-on", lambda _: [WRONG.decode(), *SLOW]),
    noted("notebook-of-cells-nested-without-end", lambda _: [WRONG.decode(), *NESTED]),
    noted("notebook-whose-name-is-a-command", lambda _: [WRONG.decode()], file="::error::\x1b[31m##[x].ipynb"),
    noted("notebook-that-imports-the-solution", lambda _: [IMPORTING], "error"),
    beside("notebook-nested-without-end", "a.ipynb", lambda: b'{"cells": ' + b"[" * 1_000_000),
    beside("notebook-of-ten-million-parts", "a.ipynb", lambda: b'{"cells": [' + b"{}," * 5_000_000 + b"{}]}"),
    beside("notebook-of-seventeen-mebibytes", "a.ipynb", lambda: b" " * (17 << 20)),
    beside("notebook-that-is-no-text", "a.ipynb", lambda: NO_TEXT),
)  # fmt: skip
