"""What a batch remembers of what it graded, and that nobody else writes there meanwhile."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.errors import UsageError
from grader.model.handed import Identity
from grader.report.changes import Previous
from grader.runner.batch.lock import locked
from grader.runner.batch.store import NAME, Basis, Result, Store, left_over_in

BASIS = Basis("1" * 64, "2" * 64, "0.2.0", "3" * 64)
ADA = Result(
    "ada", Identity("Ada L.", "7", "ada@example.org", late=True), ("ada-1.zip", "ada-2.zip"), BASIS, "ada.json",
    "4" * 64, "partial", 61.5, 100.0, 1, Previous("failed", 0.0, 100.0, {"ex01.query": "failed"}),
)  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path)
    store.begin()
    yield store
    store.close()


def test_a_result_comes_back_as_it_was_put(store: Store) -> None:
    store.put(ADA)

    assert store.find("ada") == ADA
    assert store.find("bob") is None


def test_a_result_is_there_for_others_before_the_store_is_closed(store: Store, tmp_path: Path) -> None:
    store.put(ADA)

    other = sqlite3.connect(tmp_path / NAME)
    assert other.execute("SELECT id, name, late, score FROM results").fetchall() == [("ada", "Ada L.", 1, 61.5)]
    other.close()


class Watched:
    """A connection that notes how many threads speak with it at once."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database, self.inside, self.most = database, 0, 0

    def execute(self, *asked: object) -> sqlite3.Cursor:
        self.inside += 1
        for _ in range(20):
            os.sched_yield()
        self.most = max(self.most, self.inside)
        try:
            return self.database.execute(*asked)
        finally:
            self.inside -= 1

    def close(self) -> None:
        self.database.close()


def test_each_of_many_threads_gets_its_own_answer(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(store._database)
    monkeypatch.setattr(store, "_database", watched)
    names = [f"student-{number}" for number in range(60)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def look(name: str) -> tuple[str, bool]:
        store.put(replace(ADA, id=name))
        found = store.find(name)
        assert found is not None
        return found.id, store.is_closed(found)

    try:
        with ThreadPoolExecutor(4) as threads:
            found = list(threads.map(look, names))
    finally:
        sys.setswitchinterval(interval)

    assert found == [(name, False) for name in names]
    assert watched.most == 1


def test_a_second_result_of_one_submission_replaces_the_first(store: Store) -> None:
    store.put(ADA)
    store.put(replace(ADA, score=100.0, outcome="full"))

    assert [result.score for result in store.results()] == [100.0]


def test_results_of_another_pack_grader_or_options_are_counted_whatever_was_handed_in(store: Store) -> None:
    store.put(ADA)
    store.put(replace(ADA, id="bob", basis=replace(ADA.basis, submission="other")))
    for name in ("pack", "grader", "options"):
        store.put(replace(ADA, id=name, basis=replace(ADA.basis, **{name: "other"})))

    assert store.graded_otherwise(ADA.basis) == 3


def test_only_what_was_handed_in_this_time_is_listed(store: Store) -> None:
    store.put(ADA)
    store.put(replace(ADA, id="bob"))
    store.begin()
    store.put(replace(ADA, id="eve"))
    store.put(ADA)

    assert [result.id for result in store.results()] == ["ada", "eve"]
    assert store.left_over() == ["bob"]


def test_news_is_what_came_after_the_grading_before_the_last(store: Store) -> None:
    store.put(replace(ADA, graded=0))
    assert store.compared_with() == 0
    store.end()
    first = store.compared_with()
    store.begin()
    store.put(replace(ADA, graded=0))
    store.end()
    second = store.compared_with()
    store.begin()
    store.end()  # nothing was graded: that is no grading

    assert (first, second, store.compared_with()) == (0, 1, 1)
    found = store.find("ada")
    assert found is not None
    assert found.graded == 2


def test_settings_outlive_the_process(store: Store, tmp_path: Path) -> None:
    store.set("seed", "5")
    store.close()

    again = Store(tmp_path)

    assert (again.get("seed"), again.get("other")) == ("5", "")
    again.close()


def test_a_file_of_another_kind_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"no database at all" * 100)

    with pytest.raises(UsageError, match="is no results of ours"):
        Store(tmp_path)


POISON = {
    "a run that is no number": "UPDATE settings SET value = 'x' WHERE name = 'run'",
    "a run beyond all numbers": "UPDATE settings SET value = '99999999999999999999' WHERE name = 'run'",
    "a run of bytes": "UPDATE settings SET value = x'ff' WHERE name = 'run'",
    "no such outcome": "UPDATE results SET outcome = 'splendid\x1b[2J'",
    "an outcome of bytes": "UPDATE results SET outcome = x'ff'",
    "a score in words": "UPDATE results SET score = 'all of them'",
    "a run in words": "UPDATE results SET graded = 'today'",
    "a file of bytes": "UPDATE results SET file = x'ff'",
    "earlier work of bytes": "UPDATE results SET earlier = x'ff'",
    "a grading before that is half there": "UPDATE results SET previous = '{'",
    "a grading before that is a list": "UPDATE results SET previous = '[1]'",
    "a grading before with other parts": "UPDATE results SET previous = '{\"points\": 1}'",
    "a grading before without statuses": "UPDATE results SET previous = "
    """'{"outcome": "full", "score": 1, "max_score": 1, "statuses": [5]}'""",
    "a grading before of endless points": "UPDATE results SET previous = replace(previous, '100.0', '1e999')",
    "a grading before of huge points": f"UPDATE results SET previous = replace(previous, '100.0', '1{'0' * 400}')",
    "a deep grading before": f"UPDATE results SET previous = '{'[' * 100_000}'",
    "no settings": "DROP TABLE settings",
    "no results": "DROP TABLE results",
    "a column more": "ALTER TABLE results ADD COLUMN more",
    "a trigger": "CREATE TRIGGER better AFTER INSERT ON settings BEGIN UPDATE results SET outcome = 'full'; END",
    "endless results": "ALTER TABLE results RENAME TO other; CREATE VIEW results AS WITH RECURSIVE "
    "endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless) SELECT n AS id, n AS run, n AS file FROM endless",
    "a table with a command in its name": "PRAGMA writable_schema = ON; "
    "UPDATE sqlite_master SET name = '\x1b[2J', sql = 'CREATE TABLE' WHERE name = 'results'",
}


@pytest.mark.parametrize("poison", POISON)
def test_results_that_somebody_spoilt_are_a_sentence_before_any_is_kept(
    poison: str, store: Store, tmp_path: Path
) -> None:
    store.put(ADA)
    store.end()
    store.close()
    other = sqlite3.connect(tmp_path / NAME)
    other.executescript(POISON[poison])
    other.close()

    with pytest.raises(UsageError, match=r"is no results of ours .*; name another folder") as told:
        read(Store(tmp_path))
    assert str(told.value).isprintable()


def test_results_beside_which_somebody_keeps_tables_of_their_own_are_ours(store: Store, tmp_path: Path) -> None:
    store.put(ADA)
    store.end()
    store.close()
    other = sqlite3.connect(tmp_path / NAME)
    other.executescript(
        "CREATE TABLE tutorials (id TEXT, room TEXT); CREATE INDEX by_name ON results (name);"
        "CREATE VIEW best AS SELECT id FROM results ORDER BY score DESC;"
        "UPDATE results SET name = CAST(x'41ff' AS TEXT)"
    )
    other.close()

    assert read(Store(tmp_path)) == replace(ADA, identity=replace(ADA.identity, name="A\ufffd"))


def read(store: Store) -> Result | None:
    """Ada's result, as a batch that goes on looks at it."""
    with closing(store):
        store.begin()
        found = store.find("ada")
        if found is not None and store.is_closed(found):
            store.put(found)
        store.end()
        assert [*store.results()] == [found]
        return found


@pytest.mark.parametrize("made", ["PRAGMA user_version = 99", "CREATE TABLE settings (name TEXT)"])
def test_a_file_of_another_version_is_a_sentence(made: str, tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / NAME)
    database.execute(made)
    database.close()

    with pytest.raises(UsageError, match="of another version"):
        Store(tmp_path)


def test_what_is_left_over_is_read_of_a_folder_that_a_batch_is_at_work_on(store: Store, tmp_path: Path) -> None:
    store.put(ADA)
    assert left_over_in(tmp_path) == frozenset()

    store.begin()

    assert left_over_in(tmp_path) == {"ada.json"}
    assert left_over_in(tmp_path / "nowhere") == frozenset()


def test_what_is_left_over_in_a_folder_that_is_held_is_not_told_but_that_it_is_held(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.runner.batch.store.PATIENCE", 0.1)
    store.put(ADA)
    store.close()
    other = sqlite3.connect(tmp_path / NAME, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")

    with pytest.raises(UsageError, match="is held by another program; try again when that has ended"):
        left_over_in(tmp_path)
    other.close()
    assert left_over_in(tmp_path) == frozenset()


@pytest.mark.parametrize("damage", ["no database", "torn", "empty", "without tables", "endless"])
def test_what_is_left_over_in_a_folder_whose_results_are_broken_is_not_told_but_that_they_are(
    damage: str, store: Store, tmp_path: Path
) -> None:
    store.put(ADA)
    store.close()
    file = tmp_path / NAME
    if damage in ("without tables", "endless"):
        other = sqlite3.connect(file, isolation_level=None)
        other.executescript(POISON["no results" if damage == "without tables" else "endless results"])
        other.close()
    else:
        whole = file.read_bytes()
        torn = whole[:100] + b"\xff" * (len(whole) - 100)
        file.write_bytes({"no database": b"nothing of ours" * 100, "torn": torn, "empty": b""}[damage])

    with pytest.raises(UsageError, match=rf"is no results of ours .*; .*{tmp_path}/results"):
        left_over_in(tmp_path)


def test_what_is_left_over_in_a_folder_of_another_version_is_not_told_but_how_to_compare_all(
    store: Store, tmp_path: Path
) -> None:
    store.close()
    other = sqlite3.connect(tmp_path / NAME)
    other.execute("PRAGMA user_version = 99")
    other.close()

    with pytest.raises(UsageError, match=rf"is of another version of the grader; .*{tmp_path}/results"):
        left_over_in(tmp_path)


def test_to_read_what_is_left_over_writes_nothing(store: Store, tmp_path: Path) -> None:
    store.put(ADA)
    store.close()
    before = (tmp_path / NAME).read_bytes()

    left_over_in(tmp_path)

    assert (tmp_path / NAME).read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [NAME]


def test_what_is_left_over_in_a_file_that_cannot_be_opened_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / NAME).mkdir()
    monkeypatch.setattr(Path, "is_file", lambda _: True)  # who tests may be root, whom no file is closed to

    with pytest.raises(UsageError, match="cannot be read: "):
        left_over_in(tmp_path)


def test_a_lock_that_is_a_link_makes_nothing_elsewhere(tmp_path: Path) -> None:
    (tmp_path / ".lock").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(UsageError, match="cannot be written: Too many levels of symbolic links"), locked(tmp_path):
        pass

    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_is_held_once_and_free_again_afterwards(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(UsageError, match="Another"), locked(tmp_path):
        pass

    with locked(tmp_path):
        pass
