"""Writes `docs/diagnosis.md`: what a student reads for twelve mistakes of the suite, as the terminal shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.submission import Submission
from grader.pack.load import load_pack
from grader.plugins.registry import Plugins
from grader.report.exercise import in_lines
from grader.report.lines import text
from grader.runner.grade import grade_submission
from grader.runner.processes.spawner import Spawner
from grader.runner.processes.start import start_worker
from grader.runner.session import Session

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "diagnosis.md"
REFERENCE = {path.stem: path.read_bytes() for path in (ROOT / "solutions" / "reference").glob("ex*.py")}
# How the suite marks what is wrong: students mark nothing.
MARKS = re.compile(r"^# mistakes: .*|  # <- [a-z-]+\s*$", re.MULTILINE)

INTRODUCTION = """\
# What a student is told

Twelve mistakes from `tests/suite/wrong`, and what `grade run --exercise ...` prints of each, with `--seed 1`. Written
by `python docs/diagnosis.py`; a test holds it to what the grader says today.

How to read it:

- **The first line** is the exercise with its points; below stand its steps. `✓` passed, `✗` did not, `◐` earned a part:
  what comes before the mistake is right, or one device of two. `–` waits for another step, `·` is not begun.
- **`mask-discarded: ...`** is an id of the list of known mistakes, and what to do about it. It stands there only if it
  is certain: a right solution is never told one, and of two mistakes that look alike none is named.
- **`ex10_causal_attention.py:24`** is the student's own statement that is to blame, marked `›` below the line before
  it. `near` says that it is a guess.
- **`All that is wrong is ...`** stands where no mistake is known and a change of that piece of the source alone, or of
  two, was seen to make every case right. What to write instead is not told.
- **`Right up to ...`** stands where no mistake is named: how far the student's own intermediate results are the
  reference's, and near which line they no longer are. Where nothing can be followed, the line is where the class
  begins or the function returns its result, or where an exception was raised.
- **The sentence** says what was seen and what was expected, on which case. Public cases are told with numbers, fresh
  ones without: their values would be a table to copy from.
- **`here x is (6, 3)`**, after an error about shapes, are those of the tensors that the line names, as they were then.
- **`As above.`** keeps a step from saying the same again; `As above, at softmax.`, where another stands between.
- **`hint: ...`** stands there for each hint the student has asked for, with `grade hint STEP`; for nobody else.
- **Below the steps** stands what was accepted although it is not the lesson's own way.
"""


@dataclass(frozen=True)
class Sample:
    """A wrong solution of the suite, and what the student did. hints: how many were asked for, by step."""

    path: str
    did: str
    hints: tuple[tuple[str, int], ...] = ()


SAMPLES = (
    Sample(
        "ex10_causal_attention/masked_fill_without_underscore.py",
        "The mask is applied, and the result is dropped. The student has asked for one hint",
        (("ex10.output", 1),),
    ),
    Sample("ex05_scaled_scores/divided_by_the_width.py", "The scores are divided by d_k, not by its square root"),
    Sample("ex04_qkv_projections/keys_of_the_notebook.py", "A function reads a variable of the notebook's"),
    Sample("ex10_causal_attention/mask_of_context_length.py", "The mask is as long as the context, the tokens fewer"),
    Sample("ex10_causal_attention/dropout_before_softmax.py", "Dropout acts on the scores"),
    Sample("ex10_causal_attention/registry_buffer.py", "A method's name is misspelt, so that nothing can be made"),
    Sample("ex12_multi_head_attention/view_alone.py", "The heads are cut out by a view alone"),
    Sample("ex12_multi_head_attention/no_fill_and_full_width.py", "Two mistakes in one definition"),
    Sample("ex05_scaled_scores/three_at_once.py", "Three mistakes in one definition"),
    Sample("ex12_multi_head_attention/misspelt_and_full_width.py", "Two mistakes around one that raises"),
    Sample("ex13_wrapper_vs_split/temperature.py", "Wrong in a way that no list knows: one piece is all that is wrong"),
    Sample("ex10_causal_attention/cosine_similarity.py", "Wrong in another such way: nothing is named"),
)


def main() -> None:
    """Write the page."""
    with closing(start_worker()) as worker:
        PAGE.write_text(page(worker), "utf-8")


def page(worker: Spawner) -> str:
    """The whole page, each sample graded anew."""
    plugins = Plugins()
    pack = load_pack(plugins.pack(), plugins.checks)
    return "\n".join([INTRODUCTION, *(_section(sample, plugins, pack, worker) for sample in SAMPLES)])


def _section(sample: Sample, plugins: Plugins, pack: Pack, worker: Spawner) -> str:
    told = "\n".join(_told(sample, plugins, pack, worker))
    return f"## {sample.did}\n\n[`{sample.path}`](../tests/suite/wrong/{sample.path})\n\n```text\n{told}\n```\n"


def _told(sample: Sample, plugins: Plugins, pack: Pack, worker: Spawner) -> Iterator[str]:
    """What the terminal shows of the sample's exercise."""
    path = ROOT / "tests" / "suite" / "wrong" / sample.path
    exercise = path.parent.name
    source = MARKS.sub("", path.read_text("utf-8")).encode()
    submission = Submission("sample", Path(exercise), "", {**REFERENCE, exercise: source}, hints=dict(sample.hints))
    session = Session(plugins, pack, Order((exercise,), "cpu", seed=1, tries=True), worker)
    with closing(session.reference):
        report = grade_submission(session, submission)
    for result in report.exercises:
        yield from map(text, in_lines(result, report.sources))


if __name__ == "__main__":
    main()
