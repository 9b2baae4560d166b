"""What a verdict rests on is known, and so is where no event tells that a file was saved."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest

from grader.desk import saves
from grader.desk.events import Polling, Saved
from grader.desk.saves import Saves, file_system, folders, relevant, why_to_poll
from grader.model.pack import Pack
from grader.model.submission import Submission

MOUNTS = """\
22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 22 0:26 / /mnt/my\\040share rw,nosuid shared:7 - nfs4 server:/home rw,vers=4.2
31 22 0:27 / /mnt/box rw - ext4 /dev/vdb rw
32 31 0:28 / /mnt/box rw - fuse.sshfs box:/ rw
33 22 0:29 / /mnt/boxes rw - tmpfs tmpfs rw
broken
"""


@pytest.fixture
def mounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mountinfo").write_text(MOUNTS, "ascii")
    monkeypatch.setattr(saves, "MOUNTS", tmp_path / "mountinfo")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/ada", "ext4"),
        ("/mnt/my share/exercises", "nfs4"),
        ("/mnt/box", "fuse.sshfs"),
        ("/mnt/box/exercises", "fuse.sshfs"),
        ("/mnt/boxes/exercises", "tmpfs"),
    ],
)
def test_the_innermost_and_latest_mount_counts(mounts: None, path: str, kind: str) -> None:
    assert file_system(Path(path)) == kind


def test_network_folders_are_polled_and_others_are_not(mounts: None) -> None:
    assert why_to_poll(Path("/mnt/my share/exercises")) == "/mnt/my share/exercises is on nfs4"
    assert why_to_poll(Path("/mnt/box")) == "/mnt/box is on fuse.sshfs"
    assert why_to_poll(Path("/mnt/boxes")) == why_to_poll(Path("/home")) == ""


def test_where_mounts_are_not_known_nothing_is_polled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saves, "MOUNTS", Path("/nowhere/mountinfo"))

    assert why_to_poll(Path("/home")) == ""


def test_an_exercise_rests_on_those_that_it_is_graded_with_and_on_what_is_none(pack: Pack) -> None:
    modules = {exercise.id: b"" for exercise in pack.exercises} | {"helper": b""}
    submission = Submission("ada", Path("ada"), "0" * 64, modules, {"ex10_causal_attention": "ex10 is too large."})

    found = {each.short: set(relevant(pack, each, submission)) for each in pack.exercises}

    assert found["ex01"] == {"ex01_dot_product_scores", "helper"}
    assert found["ex11"] == {"ex11_multi_head_wrapper", "ex10_causal_attention", "helper"}
    assert found["ex07"] == {"ex07_self_attention_v2", "ex06_self_attention_v1", "helper"}


def test_what_cannot_be_read_any_more_is_a_change(pack: Pack) -> None:
    first = pack.exercises[0]
    readable = Submission("ada", Path("ada"), "0" * 64, {first.id: b"x = 1\n"})
    not_readable = replace(readable, modules={}, unreadable={first.id: "It is a link."})

    assert relevant(pack, first, readable) != relevant(pack, first, not_readable)


def test_a_save_of_one_module_is_seen_in_its_folder(tmp_path: Path) -> None:
    module = tmp_path / "ex01_dot_product_scores.py"
    module.touch()
    (tmp_path / "exercises").mkdir()

    assert folders(module) == [tmp_path]
    assert folders(tmp_path) == [tmp_path, tmp_path / "exercises"]


def test_a_save_is_told_by_its_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saves, "LOOK_MILLISECONDS", 600_000)  # so that nothing but an event can tell
    told: SimpleQueue[Saved | Polling] = SimpleQueue()
    watched = Saves(tmp_path, "", told.put)
    try:
        with pytest.raises(Empty):
            told.get(timeout=0.3)

        assert _told_of(tmp_path / "ex01_dot_product_scores.py", told) == Saved()
    finally:
        watched.close()


def _told_of(file: Path, told: SimpleQueue[Saved | Polling]) -> Saved | Polling | None:
    """Save until it is seen: the first may come before there is anybody to see it."""
    for number in range(40):
        file.write_text(f"x = {number}\n", "utf-8")
        with suppress(Empty):
            return told.get(timeout=0.5)
    return None


def test_where_there_are_no_events_it_is_looked_for_again_and_again(tmp_path: Path) -> None:
    told: SimpleQueue[Saved | Polling] = SimpleQueue()
    watched = Saves(tmp_path, "--poll", told.put)
    try:
        assert [told.get(timeout=20) for _ in range(3)] == [Polling("--poll"), Saved(), Saved()]
    finally:
        watched.close()
