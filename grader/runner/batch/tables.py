"""The tables that a batch remembers its results in, and whether a file holds them: it may be somebody else's."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache, partial

# Raised with every change of the tables.
VERSION = 2
TABLES = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE results (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL, user_id TEXT NOT NULL, email TEXT NOT NULL, late INTEGER NOT NULL,
    earlier TEXT NOT NULL,           -- what the student handed in before, one a line
    submission TEXT NOT NULL,        -- sha256 of all that was handed in
    pack TEXT NOT NULL,              -- sha256 of the pack
    grader TEXT NOT NULL,            -- version of the grader
    options TEXT NOT NULL,           -- sha256 of the options
    file TEXT NOT NULL,              -- the report, below results/
    report TEXT NOT NULL,            -- sha256 of that file
    outcome TEXT NOT NULL, score REAL NOT NULL, max_score REAL NOT NULL,
    run INTEGER NOT NULL,            -- the last run in which it was handed in
    graded INTEGER NOT NULL,         -- the run in which it was graded
    previous TEXT NOT NULL           -- what it was in the grading before, as JSON; empty where it was not there
) WITHOUT ROWID;
"""
# Somebody's own tables, views and indices beside ours change nothing of these; a trigger can.
COLUMNS = """
SELECT kept.type, kept.name, has.name, has.type, has.pk
FROM sqlite_master AS kept LEFT JOIN pragma_table_info(kept.name) AS has
WHERE kept.name IN ('settings', 'results') OR kept.type = 'trigger' ORDER BY kept.name, has.cid
"""


class NotOurs(sqlite3.DatabaseError):
    """A database that no batch has written."""


def readable(database: sqlite3.Connection) -> sqlite3.Connection:
    """The same, in which no text keeps others from being read."""
    database.text_factory = partial(str, encoding="utf-8", errors="replace")
    return database


def check(database: sqlite3.Connection) -> None:
    """Raises NotOurs where the tables are not ours, or hold what is not of its column's type: SQLite takes anything."""
    columns = database.execute(COLUMNS).fetchall()
    if [*map(tuple, columns)] != _columns():
        raise NotOurs("it has other tables")
    for table in ("settings", "results"):
        other = " OR ".join(f"typeof({name}) != '{kind.lower()}'" for _, of, name, kind, _ in _columns() if of == table)
        if database.execute(f"SELECT 1 FROM {table} WHERE {other} LIMIT 1").fetchone():
            raise NotOurs(f"something in its table {table} is of another type")


@cache
def _columns() -> list[tuple[str, str, str, str, int]]:
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(TABLES)
        return database.execute(COLUMNS).fetchall()
