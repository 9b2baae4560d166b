"""Attacks by the files of a submission: what is read, followed, run or believed of them."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable
from itertools import islice, permutations
from pathlib import Path

from tests.attacks.attack import MODULE, Attack, attack

ROOT = Path(__file__).resolve().parents[3]
NEWLINE = "\n"
RIGHT = ROOT / "solutions/reference" / f"{MODULE}.py"
WRONG = """
def attack():
    return None
"""


def nothing_but(name: str, write: Callable[[Path], object], *statuses: str) -> Attack:
    """An attack whose module is no ordinary file. write: makes what stands at its path."""
    return attack(name, "", *(statuses or ("error",)), files=lambda folder: write(folder / f"{MODULE}.py") and None)


def beside(name: str, write: Callable[[Path], object], source: str = WRONG, *statuses: str) -> Attack:
    """An attack by what stands beside a wrong module. write: is given the folder."""
    return attack(name, source, *(statuses or ("failed",)), files=lambda folder: write(folder) and None)


def trap(*names: str) -> Callable[[Path], None]:
    """Writes files that, wherever they are run or imported, leave a trace outside or say so."""

    def write(folder: Path) -> None:
        for name in names:
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            trace = folder.parent / "bait" / path.stem
            path.write_text(f"try:\n    open({str(trace)!r}, 'w')\nexcept OSError:\n    pass\nTRAP = True\n", "utf-8")

    return write


def imported(*names: str) -> str:
    """A module that claims where one of these is the submission's rather than the installed one."""
    return f"""
        import sys, {", ".join(names)}
        def attack():
            if any(hasattr(sys.modules[name], "TRAP") for name in {names!r}):
                raise RuntimeError(CLAIM)
        """


def hints(name: str, text: str | bytes) -> Attack:
    """An attack by the file in which a student's hints are remembered."""
    data = text.encode() if isinstance(text, str) else text
    return beside(name, lambda folder: (folder / ".grade-hints").write_bytes(data))


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as named, contextlib.chdir(path.parent):  # its name may have a hundred bytes
        named.bind(path.name)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 34)


def _two_thousand(folder: Path) -> None:
    for number in range(2000):
        (folder / f"a{number:04}.py").write_text("TRAP = True\n", "utf-8")


def _by_case(folder: Path) -> None:
    for name in (MODULE.upper(), MODULE.title(), MODULE.replace("ex01", "EX01")):
        (folder / f"{name}.py").write_bytes(RIGHT.read_bytes())
    (folder / f"{MODULE}.PY").write_bytes(RIGHT.read_bytes())


def _by_form(folder: Path) -> None:
    for name in ("\uff45x01_dot_product_scores", "ex01_dot_product_\u017fcores", "ex01_dot_product_scores\u200b"):
        (folder / f"{name}.py").write_bytes(RIGHT.read_bytes())
    (folder / "ex01_dot_product_scores\udcff.py").write_bytes(RIGHT.read_bytes())  # a name that is not UTF-8


BOMB = "a: &a [lol]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


def _tags(folder: Path) -> None:
    trace = folder.parent / "bait" / "tag"
    (folder / ".grade-hints").write_text(
        f'ex01.query !!python/object/apply:os.system ["touch {trace}"]\n'
        "!!python/object/apply:os._exit [0]\n? !!python/name:os.abort 3\nex01.query 3\n",
        "utf-8",
    )


ATTACKS = (
    nothing_but("module-that-links-to-the-solution", lambda path: path.symlink_to(RIGHT)),
    nothing_but("module-that-links-to-itself", lambda path: path.symlink_to(path)),
    nothing_but("module-that-links-to-a-device", lambda path: path.symlink_to("/dev/zero")),
    nothing_but("module-that-is-a-pipe", os.mkfifo),
    nothing_but("module-that-is-a-folder", lambda path: path.mkdir()),
    nothing_but("module-that-is-a-socket", _socket),
    nothing_but("module-of-two-mebibytes", lambda path: path.write_bytes(RIGHT.read_bytes() + b"#" * (2 << 20))),
    nothing_but("module-of-sixteen-sparse-gibibytes", _sparse),
    nothing_but("module-with-nul", lambda path: path.write_bytes(b"x = 1\0\n" + RIGHT.read_bytes())),
    nothing_but("module-that-is-not-utf-8", lambda path: path.write_bytes(b"x = '\xff\xfe'\n" + RIGHT.read_bytes())),
    nothing_but(
        "module-in-utf-16-cut-short", lambda path: path.write_bytes(RIGHT.read_text("utf-8").encode("utf-16")[:-1])
    ),
    nothing_but(
        "module-in-a-made-up-encoding", lambda path: path.write_bytes(b"# coding: no-such\n" + RIGHT.read_bytes())
    ),
    nothing_but("module-nested-without-end", lambda path: path.write_text(f"x = {'(' * 400_000}", "utf-8")),
    nothing_but("module-of-a-million-minuses", lambda path: path.write_text(f"x = {'-' * 1_000_000}1", "utf-8"),
                "error"),
    attack(
        "line-that-patterns-are-slow-on",
        f"""
        def attack():
            raise RuntimeError("must match")  # {"W" * 100_000}
        """,
        "error",
    ),
    attack(
        "empty-lines-by-the-ten-thousand",
        f"""
        def attention_scores_for_query(query, inputs):
            return query
        def attention_scores(inputs):
            scores = attention_scores_for_query(inputs, inputs)
            {NEWLINE * 60_000}
            return scores
        """,
        "failed",
    ),
    attack(
        "statements-by-the-thousand",
        f"""
        def attention_scores_for_query(query, inputs):
            {"query, key = inputs, query; " * 2_000}
            return key
        def attention_scores(inputs):
            return attention_scores_for_query(inputs, inputs)
        """,
        "failed",
    ),
    attack(
        "names-nearly-alike-by-the-thousand",
        "\n".join(f"{''.join(name)} = 0" for name in islice(permutations("abcdefgh"), 30_000)) + """
def attack():
    raise NameError("name 'abcdefghi' is not defined")
""",
        "error",
    ),
    beside("folder-that-links-to-the-solutions", lambda folder: (folder / "exercises").symlink_to(RIGHT.parent)),
    beside(
        "helper-that-links-to-the-solution",
        lambda folder: (folder / "helper.py").symlink_to(RIGHT),
        "from helper import *",
        "error",
    ),
    beside(
        "package-that-links-to-the-solutions",
        lambda folder: (folder / "solutions").symlink_to(ROOT / "solutions"),
        f"from solutions.reference.{MODULE} import *",
        "error",
    ),
    beside("two-thousand-files", _two_thousand),
    beside("names-that-differ-by-case", _by_case),
    beside("names-that-look-alike", _by_form),
    beside(
        "files-that-tools-run",
        trap("conftest.py", "sitecustomize.py", "usercustomize.py", "__main__.py", "setup.py", "__init__.py",
             "exercises/__init__.py", "exercises/conftest.py"),
    ),
    beside("own-torch", trap("torch.py", "exercises/torch.py"), imported("torch")),
    beside("own-json", trap("json.py", "struct.py", "safetensors.py"), imported("json", "struct", "safetensors")),
    beside("own-grader", trap("grader.py", "grader/__init__.py", "grader/worker.py"), imported("grader", "os")),
    beside("own-stand-ins", trap("stand_ins.py", "exercises.py", "source.py"), imported("exercises")),
    hints("hints-that-are-a-bomb", BOMB),
    beside("hints-with-tags", _tags),
    hints("hints-that-overflow", "ex01.query 99\nex01.all -1\nex01.all \u00b2\nex01.all 1e9\nex01.all " + "9" * 5000),
    hints("hints-of-a-megabyte", "ex01.query 1\n" * 100_000),
    hints("hints-with-nul-and-worse", b"ex01.query\0 1\n\xff\xfe\n\x1b[2Jex01.all 1\n"),
    beside("hints-that-link", lambda folder: (folder / ".grade-hints").symlink_to(folder.parent / "secret")),
    beside("hints-that-are-a-pipe", lambda folder: os.mkfifo(folder / ".grade-hints")),
    beside("hints-that-are-a-folder", lambda folder: (folder / ".grade-hints").mkdir()),
)  # fmt: skip
