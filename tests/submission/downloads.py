"""Downloads of a class as each platform makes them, and what must be found in them.

Canvas: lib/content_zipper.rb of canvas-lms; Moodle: mod/assign of moodle; Gradescope: its export; GitHub Classroom: its
`gh classroom clone`. Each holds work that is late, handed in again, nested, packed by a Mac, empty and broken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .packing import EX01, EX02, notebook, tarred, zipped


@dataclass(frozen=True)
class Found:
    """What must be found of a student. word: what the work says that is graded; refused: why nothing is."""

    id: str
    name: str
    word: str = ""
    user_id: str = ""
    email: str = ""
    late: bool = False
    earlier: tuple[str, ...] = ()
    refused: str = ""


@dataclass(frozen=True)
class Download:
    """layout: how it is recognised. members: the files that it holds. students: in the order of their ids."""

    layout: str
    members: Mapping[str, bytes]
    students: tuple[Found, ...]


NOTHING = "Nothing was handed in."
WORDS = (
    "No exercise is in onlinetext.html; the modules are called ex01_dot_product_scores.py to ex13_wrapper_vs_split.py."
)
NOISE = {"__MACOSX/._work.ipynb": b"\0\5\x16\7", ".DS_Store": b"\0\0\0\1Bud1"}
EMPTY_ZIP = zipped({})
BROKEN = b"PK\x03\x04 and no more"
OTHER = b"def softmax(scores):\n    return scores\n"


def work(word: str) -> bytes:
    """A module of the first exercise that says whose it is."""
    return f"def attention_scores_for_query(query, inputs):\n    raise RuntimeError({word!r})\n".encode()


def book(word: str) -> bytes:
    """The same as a notebook."""
    return notebook("# %%\nprint('hello')", work(word).decode())


def mac(word: str) -> bytes:
    """The same in a folder that a Mac has packed, as deep as people nest them."""
    inner = "Lab 1/attention kit/exercises"
    return zipped(
        {f"{inner}/{EX01}.py": work(word), f"__MACOSX/{inner}/._{EX01}.py": b"\0\5\x16\7", "Lab 1/.DS_Store": b""}
    )


def canvas() -> Download:
    """`{name}[_LATE]_{user}_{file}_{original}`, `[LATE_]anon_{id}_{file}_{original}`; a text or a link has no file."""
    members = {
        f"lovelaceada_12_30_{EX01}.py": work("ada"),
        f"lovelaceada_12_31_{EX02}.py": OTHER,
        "lovelaceada_13_32_2026_05_lab.ipynb": book("her namesake"),
        "hoppergrace_LATE_14_33_work_1_2.zip": mac("grace"),
        f"turingalan_15_34_{EX01}-3.py": work("alan's fourth"),
        "noetheremmy_16_36_lab-1.ipynb": book("emmy's second"),
        "noetheremmy_16_35_lab.ipynb": book("emmy's first"),
        "noetheremmy_16_37_lab-10.ipynb": book("emmy's eleventh"),
        "fouriermarie_17_38_part-1.ipynb": book("first of two parts"),
        "fouriermarie_17_39_part-2.ipynb": notebook(OTHER.decode()),
        "pascalblaise_27_48_part-1.py": work("first of two scripts"),
        "pascalblaise_27_49_part-2.py": OTHER,
        f"galoisevariste_26_9_{EX01}.py": work("evariste's first of one name"),
        f"galoisevariste_26_10_{EX01}.py": work("evariste's second of one name"),
        "núñezjosé_18_40_work.tar.gz": tarred({f"work/{EX01}.py": work("josé")}, gzipped=True),
        f"lateisha_19_41_{EX01}.py": work("lateisha"),
        f"anon_Ab12c_42_{EX01}.py": work("somebody"),
        "LATE_anon_zz9_43_lab.ipynb": book("somebody late"),
        "LATE_anon_qq1_text.html": b"<p>I had no time</p>",
        "germainsophie_20_text.html": b"<script>alert(1)</script>",
        "weylhermann_LATE_21_link.html": b"<a href='https://example.org'>here</a>",
        "emptyzip_22_44_work.zip": EMPTY_ZIP,
        "broken_23_45_work.zip": BROKEN,
        "brokenbook_24_46_lab.ipynb": b"{",
        "_25_47_work.zip": mac("nameless"),
        **NOISE,
    }
    return Download("canvas", members, (
        Found("25", "", "nameless", "25"),
        Found("anon_Ab12c", "", "somebody"),
        Found("anon_qq1", "", late=True, refused="No exercise is in text.html"),
        Found("anon_zz9", "", "somebody late", late=True),
        Found("broken_23", "broken", user_id="23", refused="work.zip cannot be opened"),
        Found("brokenbook_24", "brokenbook", user_id="24", refused="lab.ipynb is no notebook"),
        Found("emptyzip_22", "emptyzip", user_id="22", refused="No exercise is in work.zip"),
        Found("fouriermarie_17", "fouriermarie", "first of two parts", "17"),
        Found(
            "galoisevariste_26", "galoisevariste", "evariste's second of one name", "26", earlier=(f"{EX01}.py",)
        ),
        Found("germainsophie_20", "germainsophie", user_id="20", refused="No exercise is in text.html"),
        Found("hoppergrace_14", "hoppergrace", "grace", "14", late=True),
        Found("lateisha_19", "lateisha", "lateisha", "19"),
        Found("lovelaceada_12", "lovelaceada", "ada", "12"),
        Found("lovelaceada_13", "lovelaceada", "her namesake", "13"),
        Found("noetheremmy_16", "noetheremmy", "emmy's eleventh", "16", earlier=("lab-1.ipynb", "lab.ipynb")),
        Found("nunezjose_18", "núñezjosé", "josé", "18"),
        Found("turingalan_15", "turingalan", "alan's fourth", "15"),
        Found("pascalblaise_27", "pascalblaise", "first of two scripts", "27"),
        Found("weylhermann_21", "weylhermann", user_id="21", late=True, refused="No exercise is in link.html"),
    ))  # fmt: skip


def moodle() -> Download:
    """`{name}_{id}_assignsubmission_{type}/…`, the folder since 4.1 with no `_` at its end, before with one."""
    file, text = "assignsubmission_file", "assignsubmission_onlinetext"
    members = {
        f"Ada Lovelace_101_{file}/{EX01}.py": work("ada"),
        f"Ada Lovelace_101_{text}/onlinetext.html": b"<p>see my file</p>",
        f"Ada Lovelace_102_{file}_/my work/sub/lab.ipynb": book("her namesake"),
        f"José Núñez_103_{file}_/work.zip": mac("josé"),
        f"=Eve Formula_104_{file}_/exercises/{EX01}.py": work("eve"),
        f"O'Neil-Smith, Zoë (A 1)_105_{file}_/{EX01}.py": work("zoë"),
        f"Teilnehmer 7_106_{file}_/lab.ipynb": book("a blind one"),
        f"Participant_107_{text}_/onlinetext.html": b"<p>only words</p>",
        f"Broken Book_108_{file}_/lab.ipynb": b"not json",
        f"Broken Zip_109_{file}_/work.zip": BROKEN,
        f"Em Pty_110_{file}_/": b"",
        f"__MACOSX/Ada Lovelace_101_{file}/._{EX01}.py": b"\0\5\x16\7",
        **NOISE,
    }
    return Download("moodle", members, (
        Found("Ada_Lovelace_101", "Ada Lovelace", "ada", "101"),
        Found("Ada_Lovelace_102", "Ada Lovelace", "her namesake", "102"),
        Found("Broken_Book_108", "Broken Book", user_id="108", refused="lab.ipynb is no notebook"),
        Found("Broken_Zip_109", "Broken Zip", user_id="109", refused="work.zip cannot be opened"),
        Found("Em_Pty_110", "Em Pty", user_id="110", refused=NOTHING),
        Found("Eve_Formula_104", "=Eve Formula", "eve", "104"),
        Found("Jose_Nunez_103", "José Núñez", "josé", "103"),
        Found("O_Neil-Smith_Zoe_A_1__105", "O'Neil-Smith, Zoë (A 1)", "zoë", "105"),
        Found("Participant_107", "Participant", user_id="107", refused=WORDS),
        Found("Teilnehmer_7_106", "Teilnehmer 7", "a blind one", "106"),
    ))  # fmt: skip


def moodle_flat() -> Download:
    """`{name}_{id}_assignsubmission_{type}_{original}`, where folders were switched off."""
    file = "assignsubmission_file"
    members = {
        f"Ada Lovelace_101_{file}_{EX01}.py": work("ada"),
        f"Ada Lovelace_102_{file}_my_lab_1.ipynb": book("her namesake"),
        f"José Núñez_103_{file}_work_2.zip": mac("josé"),
        "Participant_107_assignsubmission_onlinetext_onlinetext.html": b"<p>only words</p>",
        **NOISE,
    }
    return Download("moodle", members, (
        Found("Ada_Lovelace_101", "Ada Lovelace", "ada", "101"),
        Found("Ada_Lovelace_102", "Ada Lovelace", "her namesake", "102"),
        Found("Jose_Nunez_103", "José Núñez", "josé", "103"),
        Found("Participant_107", "Participant", user_id="107", refused=WORDS),
    ))  # fmt: skip


METADATA = """---
submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: '007'
    :email: ada@example.org
  :created_at: 2026-05-01 14:22:32.365935000 -07:00
  :score: 0.0
  :history:
  - :id: 9
    :submitters:
    - :name: Somebody Else
submission_2:
  :submitters:
  - :name: "=José Núñez"
    :sid:
    :email: jose@example.org
  - :name: Zoë
    :sid: '9'
    :email: zoe@example.org
submission_3:
  :submitters: []
submission_4:
  :submitters:
  - :name: Em Pty
    :email: em@example.org
submission_5:
  :submitters:
  - :name: Bro Ken
"""


def gradescope() -> Download:
    """`assignment_N_export/submission_N/…` and `submission_metadata.yml`, keyed by folder."""
    files = {
        "submission_metadata.yml": METADATA.encode(),
        f"submission_1/{EX01}.py": work("ada"),
        "submission_2/notebooks/lab.ipynb": book("two together"),
        "submission_2/README.md": b"by both of us",
        "submission_3/work.zip": mac("anonymous"),
        "submission_4/": b"",
        "submission_5/lab.ipynb": b"{",
        "submission_6/exercises/ex01_dot_product_scores.py": work("not in the list"),
    }
    members = {**{f"assignment_4711_export/{name}": content for name, content in files.items()}, **NOISE}
    return Download("gradescope", members, (
        Found("submission_1", "Ada Lovelace", "ada", "007", "ada@example.org"),
        Found("submission_2", "=José Núñez, Zoë", "two together", "9", "jose@example.org, zoe@example.org"),
        Found("submission_3", "", "anonymous"),
        Found("submission_4", "Em Pty", email="em@example.org", refused=NOTHING),
        Found("submission_5", "Bro Ken", refused="lab.ipynb is no notebook"),
        Found("submission_6", "", "not in the list"),
    ))  # fmt: skip


def github() -> Download:
    """`{slug}-submissions/{slug}-{user}/`; hyphens in both, a user like the slug, and git's own folder."""
    slug = "attn-lab-1"
    files = {
        f"{slug}-ada-l/exercises/{EX01}.py": work("ada"),
        f"{slug}-ada-l/exercises/{EX02}.py": OTHER,
        f"{slug}-ada-l/.git/config": b"[core]",
        f"{slug}-ada-l/.github/workflows/grade.yml": b"on: push",
        f"{slug}-{slug}/{EX01}.py": work("like the slug"),
        f"{slug}-bob/deep/er/lab.ipynb": book("bob"),
        f"{slug}-bob/deep/er/.ipynb_checkpoints/lab-checkpoint.ipynb": book("bob as it was"),
        f"{slug}-con/README.md": b"# nothing yet",
        f"{slug}-eve/": b"",
        f"{slug}-joe/lab.ipynb": b"\x80",
    }
    members = {**{f"{slug}-submissions/{name}": content for name, content in files.items()}, **NOISE}
    return Download("github", members, (
        Found("ada-l", "ada-l", "ada", "ada-l"),
        Found("attn-lab-1", "attn-lab-1", "like the slug", "attn-lab-1"),
        Found("bob", "bob", "bob", "bob"),
        Found("eve", "eve", user_id="eve", refused=NOTHING),
        Found("joe", "joe", user_id="joe", refused="lab.ipynb is no notebook"),
        Found("student-con", "con", user_id="con", refused="No exercise is in README.md"),
    ))  # fmt: skip


def folder() -> Download:
    """What somebody put together by hand: folders, archives, notebooks and modules of one beginning, all at once."""
    members = {
        f"ada/{EX01}.py": work("ada"),
        f"ada/__pycache__/{EX01}.cpython-311.pyc": b"\0",
        "bob.zip": mac("bob"),
        "eve.ipynb": book("eve"),
        f"joe-{EX01}.py": work("joe"),
        "old.rar": b"Rar!",
        "broken.tar.gz": b"\x1f\x8b no",
        "empty.zip": EMPTY_ZIP,
        "nobody/": b"",
        "marks.csv": b"name,points",
        **NOISE,
    }
    return Download("folder", members, (
        Found("ada", "ada", "ada"),
        Found("bob", "bob", "bob"),
        Found("broken", "broken", refused="broken.tar.gz cannot be opened"),
        Found("empty", "empty", refused="No exercise is in empty.zip"),
        Found("eve", "eve", "eve"),
        Found("joe", "joe", "joe"),
        Found("nobody", "nobody", refused=NOTHING),
        Found("old", "old", refused="old.rar is an archive of a kind that is not taken"),
    ))  # fmt: skip


EVERY: Mapping[str, Callable[[], Download]] = {
    "canvas": canvas,
    "moodle": moodle,
    "moodle_flat": moodle_flat,
    "gradescope": gradescope,
    "github": github,
    "folder": folder,
}
