"""What a batch has graded so far, in one SQLite file: what each result rests on, and what came of it.

A row stands for a report that is on disk whole: it is written after the file, so that a process which is killed
between the two grades that submission once more, and none other.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from grader.model.errors import NotWritten, UsageError
from grader.model.handed import Identity
from grader.model.text import clean
from grader.report.changes import Previous
from grader.report.outcome import Outcome
from grader.runner.batch import tables
from grader.runner.batch.tables import TABLES, VERSION, NotOurs

NAME = "results.sqlite"
# So many results are read from it at once: a class may have 50,000.
AT_ONCE = 100
# For so many seconds whoever only reads waits for another program that holds the file.
PATIENCE = 5.0
# What SQLite says of a file that others hold, and of one that cannot be opened; more bits say more of it.
HELD = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
CLOSED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)
PRIMARY = 0xFF
# Of a setting that counts runs; SQLite's own integers end at twice as much.
MOST_RUNS = 2**62
WHOLE = re.compile(r"[0-9]{0,39}")


@dataclass(frozen=True, slots=True)
class Basis:
    """What a result rests on: with all of it unchanged, grading again would change nothing."""

    submission: str
    pack: str
    grader: str
    options: str


@dataclass(frozen=True, slots=True)
class Result:
    """A report on disk. file: its name below results/. report: sha256 of its bytes. earlier: of earlier hand-ins.

    graded: the run in which it was graded, 0 for the one under way. previous: what it was in the grading before.
    """

    id: str
    identity: Identity
    earlier: tuple[str, ...]
    basis: Basis
    file: str
    report: str
    outcome: str
    score: float
    max_score: float
    graded: int = 0
    previous: Previous | None = None


class Store:
    """The file of one output folder. Every method may be called from any thread; each raises NotWritten."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / NAME
        self._lock = threading.RLock()
        with self._spoken():
            self._database = tables.readable(sqlite3.connect(self._file, check_same_thread=False, isolation_level=None))
            self._database.row_factory = sqlite3.Row
            try:
                self._open()
            except BaseException:
                self._database.close()
                raise

    def close(self) -> None:
        """Bring all of it into the one file."""
        with self._spoken():
            self._database.close()

    def begin(self) -> None:
        """Begin a run: what is put or kept from now on was handed in this time."""
        with self._spoken():
            self._run = self.number("run") + 1
            self.set("run", str(self._run))

    def get(self, name: str) -> str:
        """A setting of the folder's; empty where it was never set."""
        with self._spoken():
            row = self._database.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def number(self, name: str, largest: int = MOST_RUNS) -> int:
        """A setting that is a whole number; 0 where it was never set."""
        value = self.get(name)
        with self._spoken():
            if not WHOLE.fullmatch(value) or int(value or 0) > largest:
                raise NotOurs(f"its {name} is {value!r:.40}")
        return int(value or 0)

    def set(self, name: str, value: str) -> None:
        """Remember a setting for the next run."""
        with self._spoken():
            self._database.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))

    def find(self, identifier: str) -> Result | None:
        """The result of a submission, whenever it was graded."""
        with self._spoken():
            row = self._database.execute("SELECT * FROM results WHERE id = ?", (identifier,)).fetchone()
            return _result(row) if row else None

    def graded_otherwise(self, basis: Basis) -> int:
        """How many results are of another pack, grader or options than that, whatever was handed in."""
        asked = "SELECT count(*) FROM results WHERE (pack, grader, options) != (?, ?, ?)"
        with self._spoken():
            (count,) = self._database.execute(asked, (basis.pack, basis.grader, basis.options)).fetchone()
        return int(count)

    def put(self, result: Result) -> None:
        """Store a result; it is on disk when this returns."""
        basis, identity = result.basis, result.identity
        row = (
            result.id, *map(_text, (identity.name, identity.user_id, identity.email)), identity.late,
            _text("\n".join(result.earlier)),
            basis.submission, basis.pack, basis.grader, basis.options,
            result.file, result.report, result.outcome, result.score, result.max_score, self._run,
            result.graded or self._run, json.dumps(asdict(result.previous)) if result.previous else "",
        )  # fmt: skip
        with self._spoken():
            self._database.execute(f"INSERT OR REPLACE INTO results VALUES ({', '.join('?' * len(row))})", row)

    def results(self) -> Iterator[Result]:
        """Those that were handed in this time, in the order of their ids."""
        with self._spoken():
            rows = self._database.execute("SELECT * FROM results WHERE run = ? ORDER BY id", (self._run,))
        while some := self._next(rows):
            yield from some

    def is_closed(self, result: Result) -> bool:
        """Whether a result is of a grading that came to its end, and so what a later one is compared with."""
        return result.graded <= self.number("closed")

    def end(self) -> None:
        """Note that the run has come to its end, and what it graded is the last grading.

        A run that kept everything is no grading: what the last one brought can still be told.
        """
        with self._spoken():
            (latest,) = self._database.execute("SELECT max(graded) FROM results").fetchone()
            closed = self.number("closed")
            if (latest or 0) > closed:
                self.set("compared with", str(closed))
                self.set("closed", str(self._run))

    def compared_with(self) -> int:
        """The run after which results are news: the end of the grading before the last, 0 where there was none."""
        return self.number("compared with")

    def left_over(self) -> list[str]:
        """The submissions that have results and were not handed in this time."""
        with self._spoken():
            rows = self._database.execute("SELECT id FROM results WHERE run != ? ORDER BY id", (self._run,)).fetchall()
        return [name for (name,) in rows]

    def _open(self) -> None:
        # Write-ahead logging: whoever reads meanwhile, such as a second terminal, holds up nobody.
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        if version == 0 and not self._database.execute("SELECT 1 FROM sqlite_master").fetchone():
            self._database.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
        elif version != VERSION:
            raise UsageError(f"{self._file} is of another version of the grader; name another folder with --out.")
        else:
            tables.check(self._database)

    def _next(self, rows: sqlite3.Cursor) -> list[Result]:
        with self._spoken():
            return [*map(_result, rows.fetchmany(AT_ONCE))]

    @contextmanager
    def _spoken(self) -> Iterator[None]:
        """One thread at a time, and what SQLite raises as a sentence.

        Python keeps a statement for the next who asks the same: of two at once one gets the other's answer, or none.
        """
        try:
            with self._lock:
                yield
        except sqlite3.OperationalError as error:
            raise NotWritten(f"{self._file} cannot be written: {clean(str(error))}.") from None
        except sqlite3.DatabaseError as error:
            why = clean(str(error))
            raise UsageError(f"{self._file} is no results of ours ({why}); name another folder with --out.") from None


def left_over_in(folder: Path) -> frozenset[str]:
    """The files of the reports in an output folder whose submissions were not handed in the last time.

    None where no batch has written. Raises UsageError where another program holds what one wrote, where that is broken,
    and where it is another version's.
    """
    file = folder / NAME
    if not file.is_file():
        return frozenset()
    every = f"to have all of its reports, name {folder / 'results'}"
    asked = "SELECT file FROM results WHERE run != (SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'run')"
    try:
        with closing(_to_read(file)) as database:
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version not in (0, VERSION):
                raise UsageError(f"{file} is of another version of the grader; {every}.")
            tables.check(database)
            return frozenset(name for (name,) in database.execute(asked))
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & PRIMARY
        if code in HELD:
            raise UsageError(f"{file} is held by another program; try again when that has ended.") from None
        if code in CLOSED:
            raise UsageError(f"{file} cannot be read: {clean(str(error))}.") from None
        raise UsageError(f"{file} is no results of ours ({clean(str(error))}); {every}.") from None


def _to_read(file: Path) -> sqlite3.Connection:
    """A database that is only read, where nobody has begun to write as it lies there.

    Beside one that may change SQLite writes files of its own, also for who reads, and leaves them.
    """
    mode = "mode=ro" if Path(f"{file}-wal").exists() else "mode=ro&immutable=1"
    return tables.readable(sqlite3.connect(f"{file.absolute().as_uri()}?{mode}", uri=True, timeout=PATIENCE))


def _text(value: str) -> str:
    """What SQLite takes: a file name that is no text has characters that stand for nothing."""
    return value.encode("utf-8", "replace").decode()


def _result(row: sqlite3.Row) -> Result:
    """The result in a row. Raises NotOurs."""
    try:
        previous = _previous(json.loads(row["previous"])) if row["previous"] else None
        Outcome(row["outcome"])
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        raise NotOurs(f"its row {row['id']!r:.40} is not as we write one") from None
    return Result(
        row["id"],
        Identity(row["name"], row["user_id"], row["email"], bool(row["late"])),
        tuple(row["earlier"].split("\n")) if row["earlier"] else (),
        Basis(row["submission"], row["pack"], row["grader"], row["options"]),
        **{name: row[name] for name in ("file", "report", "outcome", "score", "max_score", "graded")},
        previous=previous,
    )


def _previous(value: Mapping[str, Any]) -> Previous:
    """What a row says of the grading before. Raises whatever else there is instead."""
    found = Previous(**value)
    Outcome(found.outcome)
    if not all(isinstance(name, str) for name in found.statuses.values()):
        raise TypeError("statuses")
    if not (math.isfinite(found.score) and math.isfinite(found.max_score)):
        raise ValueError("score")
    return found
