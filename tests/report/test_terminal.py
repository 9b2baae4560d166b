"""The report as text for people: every line as it is meant, and nothing in it that a student's code slipped in."""

from __future__ import annotations

import io
import re
import unicodedata
from contextvars import copy_context
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.isolation import LAYERS
from grader.model.pack import Exercise, Pack, Step, Visibility
from grader.model.report import Cause, Diagnosis, ExerciseResult, Report, Stage, Status, Verdict
from grader.model.submission import Submission
from grader.report.formats.told import sentences
from grader.report.terminal import Live, Terminal, encodable
from grader.words import say

from .awkward import AWKWARD, SECRET
from .hand_made import BROKEN, FAILED, MIXED, PASSED, REPORT, UNSTARTED, saying, verdict

GOLDEN = """\
ada
✓ ex01  Scores                                                             5 / 5
· ex02  Softmax · not started                                              0 / 4
  ex10  Causal mask                                                       2 / 11
    ✓ params         All of params                                             1
    ✗ output         Context vectors of a batch                            0 / 5
        mask-discarded: masked_fill returns a new tensor; yours is dropped.
        12 of 24 values are off; the worst at [0, 1, 2]: got 0.1, expected 0.4
        (case random).
        ex10_mask.py:5
          4  def masked(scores, mask):
        › 5      scores.masked_fill(mask, -torch.inf)  # and dropped
        hint: Which tokens may token 0 look at?
    – causality      Waits for ex10.output (context vectors of a batch)    0 / 2
    ◐ dropout        All of dropout                                        1 / 2
        On cuda: 3 of 6 values are off.
    ✗ speed          All of speed                                          0 / 1
        `f` was still running after 10 s and was stopped.
    – gpu            All of gpu · no such device here                      0 / 0
    params: W_q for W_query; accepted.
  ex11  Heads                                                              0 / 4
        Python cannot read line 1: invalid syntax.
        ex11_heads.py:1
        › 1  import = 3
                   ^
  score                                                                   7 / 24
  next hint: grade hint ex10.output --in /tmp/ada
  torch 2.13.0 · cpu · seed 7 · sandbox partial · 1.9 s
  No cuda on this machine; every step counts whole without it.
"""
EVIL = [
    pytest.param("\x1b[2J\x1b[31mred\x1b[0m", id="ansi"),
    pytest.param("\x1b]0;title\x07\x1b]8;;http://evil\x1b\\here\x1b]8;;\x1b\\", id="osc"),
    pytest.param("\x9b31mred\x9d0;title\x9c", id="c1"),
    pytest.param("back\x08\x08\x08\rover", id="backspace"),
    pytest.param("\u202egnirts\u202c \u2066x\u2069", id="bidi"),
    pytest.param("nul\x00bell\x07", id="nul"),
    pytest.param("half \ud800 pair", id="surrogate"),
    pytest.param("line\nbreak\r\nand\u2028more\x85", id="lines"),
]


def rendered(report: Report) -> str:
    return Terminal().render(report)


def is_harmless(text: str) -> bool:
    """Whether text holds neither controls, directions, halves of characters nor line breaks but its own."""
    return not {unicodedata.category(c) for c in text if c != "\n"} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def unicode_terminal() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="replace", newline="\n")


def shown(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def live(report: Report, stream: Any) -> None:
    """Tell the live reporter of a report, step by step, as it is graded."""
    reporter = Live(stream)
    exercises = []
    for result in report.exercises:
        steps = [Step(s.id, result.id, s.title, 1, "f", "output") for s in result.steps]
        exercises.append(Exercise(result.id, result.title, "Do.", tuple(steps), {}, {}, {}))
    submission = Submission(report.submission["id"], report.submission["path"], "", dict(report.sources))  # type: ignore[arg-type]
    reporter.grader_submission_started(None, submission, tuple(exercises))  # type: ignore[arg-type]
    for exercise, result in zip(exercises, report.exercises, strict=True):
        for step, decided in zip(exercise.steps, result.steps, strict=True):
            reporter.grader_step_graded(exercise, step, decided)
    reporter.grader_submission_graded(report)


def test_a_report_is_written_as_it_always_was() -> None:
    assert rendered(REPORT) == GOLDEN


def test_no_line_is_wider_than_eighty_columns() -> None:
    long = replace(FAILED, title="A title " * 20, summary="A sentence " * 40, hints=("A hint " * 40,))
    report = replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Exercise " * 20, (long,)),), notes=("note " * 60,))

    assert max(len(line) for line in rendered(report).splitlines()) <= 80


def test_one_exercise_alone_is_shown_with_its_first_picture() -> None:
    alone = rendered(replace(REPORT, exercises=(REPORT.exercises[2],)))

    assert "    0 1.00 0.00    0[0.50]0.50\n" in alone
    assert "[0.50]" not in rendered(REPORT)


def test_what_a_step_waits_for_is_told_whole_also_where_a_line_has_no_room_for_it() -> None:
    waiting = replace(MIXED.steps[2], summary="Waits for ex10.output (context vectors of a batch, and of all it has).")
    alone = ExerciseResult("ex10_mask", "Mask", (MIXED.steps[1], waiting))

    text = rendered(replace(REPORT, exercises=(alone,)))

    assert "…" not in text
    assert "Waits for ex10.output (context vectors of a batch, and of all it" in text


def test_a_full_score_has_no_next_hint() -> None:
    text = rendered(replace(REPORT, exercises=(PASSED,)))

    assert "next hint" not in text
    assert "5 / 5" in text


def test_the_next_hint_is_for_the_first_step_that_can_be_worked_on() -> None:
    blocked_first = ExerciseResult("ex10_mask", "Mask", (MIXED.steps[2], MIXED.steps[3]))

    assert "grade hint ex10.dropout" in rendered(replace(REPORT, exercises=(PASSED, blocked_first)))


def test_the_next_hint_of_ones_own_exercises_needs_no_path() -> None:
    own = replace(REPORT, submission={**REPORT.submission, "path": "exercises"})

    assert "grade hint ex10.output\n" in rendered(own)


@pytest.mark.parametrize(
    ("layers", "said"), [(LAYERS, "sandbox complete"), (LAYERS[1:], "sandbox partial"), ((), "sandbox none")]
)
def test_a_report_says_how_much_of_the_sandbox_there_was(layers: tuple[str, ...], said: str) -> None:
    environment = {**REPORT.environment, "isolation": list(layers)}

    assert f" · {said} · " in rendered(replace(REPORT, environment=environment))


def test_an_exercise_that_is_partly_right_in_every_step_says_what_is_missing() -> None:
    partial = verdict("ex10.output", Status.PARTIAL, 1, 2, summary="On cuda: 3 of 6 values are off.")

    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (partial,)),)))

    assert "On cuda: 3 of 6 values are off." in text


def test_a_line_that_two_steps_point_at_is_shown_once() -> None:
    twice = ExerciseResult("ex10_mask", "Mask", (FAILED, replace(FAILED, id="ex10.again"), MIXED.steps[0]))

    assert rendered(replace(REPORT, exercises=(twice,))).count("scores.masked_fill(mask") == 1


def test_a_line_of_two_mistakes_is_shown_once() -> None:
    (known,) = FAILED.diagnosis
    both = replace(FAILED, diagnosis=(known, replace(known, id="scale-missing")), line=4)

    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (both,)),)))

    assert text.index("mask-discarded: ") < text.index("scale-missing: ") < text.index("› 5 ")
    assert text.count("› 5 ") == 1


def test_a_mistake_that_was_told_of_is_shown_once_more_where_it_is_made_in_another_line() -> None:
    (known,) = FAILED.diagnosis
    elsewhere, there = (
        replace(FAILED, id=f"ex10.{name}", summary=f"{name}.", diagnosis=(replace(known, line=line),), line=line)
        for name, line in (("elsewhere", 4), ("there", 5))
    )
    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (FAILED, elsewhere, there)),)))

    assert text.count("As above: mask-discarded.") == 2
    assert text.count("› 4  def masked(scores, mask):") == 1
    assert text.count("› 5 ") == 1


def test_a_mistake_in_several_lines_is_referred_to_once() -> None:
    (known,) = FAILED.diagnosis
    twice = replace(FAILED, diagnosis=(known, replace(known, line=4)))
    again = replace(twice, id="ex10.again", summary="Again.")
    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (twice, again)),)))

    assert "As above: mask-discarded." in text


def test_a_mistake_that_was_told_of_is_named_beside_a_new_one() -> None:
    (known,) = FAILED.diagnosis
    new = replace(known, id="scale-missing", message="Not scaled.", line=4)
    both = replace(FAILED, id="ex10.both", summary="Both.", diagnosis=(new, replace(known, line=4)), line=4)
    third = replace(both, id="ex10.third", summary="Third.", diagnosis=(replace(new, id="softmax-missing"), known))

    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (FAILED, both, third)),)))

    assert text.count("As above: mask-discarded.") == 2
    assert text.index("scale-missing: Not scaled.") < text.index("As above: mask-discarded.") < text.index("Both.")
    assert text.count("› 4  def masked(scores, mask):") == 1
    assert text.count("› 5 ") == 1


def test_an_exception_stands_with_the_new_mistake_that_it_shows_and_not_with_one_that_was_told_of() -> None:
    (known,) = FAILED.diagnosis
    new = replace(known, id="mask-not-sliced", message="Too wide.", line=4)
    both = replace(FAILED, id="ex10.both", status=Status.ERROR, summary="Raised.", diagnosis=(new, known), line=4)

    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (FAILED, both)),)))

    assert text.index("mask-not-sliced: ") < text.index("Raised.") < text.index("As above: mask-discarded.")


def test_a_mistake_behind_an_exception_that_was_told_of_is_told_with_its_line() -> None:
    (known,) = FAILED.diagnosis
    raised = replace(FAILED, id="ex10.raises", status=Status.ERROR, summary="Raised.")
    new = replace(known, id="scale-missing", message="Not scaled.", line=4)
    both = replace(raised, id="ex10.both", diagnosis=(new, known))

    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (raised, both)),)))

    assert text.index("scale-missing: Not scaled.") < text.index("› 4 ")
    assert "As above: mask-discarded." in text


def test_an_exception_that_a_mistake_above_names_is_not_shown_again_beside_another_one() -> None:
    (known,) = FAILED.diagnosis
    raised = replace(FAILED, status=Status.ERROR, summary="Raised.")
    new = replace(known, id="scale-missing", message="Not scaled.", line=4)
    again = replace(raised, id="ex10.again", diagnosis=(new, known))
    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (raised, again)),)))

    assert (text.count("› 4 "), text.count("› 5 ")) == (1, 1)
    assert "As above: mask-discarded." in text


def test_an_exception_that_was_not_told_is_shown_beside_mistakes_that_were() -> None:
    raised = replace(FAILED, id="ex10.raises", status=Status.ERROR, summary="IndexError: no.", line=4)
    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (FAILED, raised)),)))

    assert text.index("IndexError: no.") < text.index("As above: mask-discarded.") < text.index("› 4 ")
    again = (FAILED, raised, replace(raised, id="ex10.again"))
    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", again),)))
    assert text.count("IndexError: no.") == 1


def test_an_exception_is_shown_with_its_line_though_another_step_has_shown_it() -> None:
    raised = replace(FAILED, id="ex10.raises", status=Status.ERROR, diagnosis=(), summary="RuntimeError.")
    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (FAILED, raised)),)))

    assert text.count("› 5 ") == 2
    assert text.index("RuntimeError.") < text.rindex("› 5 ")

    behind = replace(raised, cause=Cause("ex10.output", "Begin with ex10.output."))
    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (FAILED, behind)),)))
    assert text.count("› 5 ") == 1


def test_a_sentence_that_stands_above_with_its_mistake_is_referred_to_by_the_mistake() -> None:
    again = replace(FAILED, id="ex10.again")

    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (FAILED, again)),)))

    assert "As above: mask-discarded." in text


def test_an_exception_of_one_line_is_told_once_though_its_sizes_differ() -> None:
    raised, again, other = (
        replace(FAILED, id=f"ex10.{name}", status=Status.ERROR, diagnosis=(), summary=said, line=4)
        for name, said in (
            ("one", "RuntimeError: 5 and 3."),
            ("two", "RuntimeError: 7 and 2."),
            ("three", "KeyError: 3."),
        )
    )

    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (raised, again, other)),)))

    assert "RuntimeError: 5 and 3." in text
    assert "7 and 2" not in text
    assert text.count("As above.") == 1
    assert "KeyError: 3." in text


def test_a_step_that_may_come_of_another_says_so_and_shows_no_line_of_its_own() -> None:
    cause = Cause("ex10.output", "This may come of what is wrong in ex10.output: begin there.")
    follows = replace(FAILED, id="ex10.follows", diagnosis=(), picture=None, line=4, cause=cause)
    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (FAILED, follows)),)))

    assert text.count(cause.message) == 1
    assert "› 4 " not in text


def test_what_is_as_above_does_not_come_of_that_as_well() -> None:
    cause = Cause("ex10.output", say("judge.cause-earlier", step="ex10.output"))
    first = replace(FAILED, id="ex10.output")
    follows = replace(first, id="ex10.follows", picture=None, cause=cause)
    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (first, follows)),)))

    assert "As above: " in text
    assert cause.message not in text


def test_an_exception_that_may_come_of_another_step_is_shown_where_it_was_raised() -> None:
    cause = Cause("ex10.output", "This may come of what is wrong in ex10.output: begin there.")
    raised = replace(FAILED, id="ex10.raises", status=Status.ERROR, diagnosis=(), picture=None, line=4, cause=cause)
    raised = replace(raised, summary="IndexError: too many indices.")
    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (FAILED, raised)),)))

    assert text.count(cause.message) == 1
    assert "› 4 " in text


def test_hints_that_were_asked_for_are_shown_even_where_the_sentence_is_the_same() -> None:
    again = replace(FAILED, id="ex10.again", hints=("Look at the mask.",))

    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (FAILED, again, MIXED.steps[0])),)))

    assert "hint: Look at the mask." in text


def test_several_steps_in_a_row_that_say_what_stands_above_share_a_line() -> None:
    names = ("ex10.output", "ex10.bias", "ex10.state", "ex10.dropout")
    raised = (verdict(name, Status.ERROR, 0, 1, summary="ValueError: no.", file="ex10_mask.py") for name in names)
    other = verdict("ex10.other", Status.FAILED, 0, 1, summary="It is off.")
    last = verdict("ex10.last", Status.ERROR, 0, 1, summary="ValueError: no.", file="ex10_mask.py")

    text = Terminal().render(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (*raised, other, last)),)))

    said = [line.strip() for line in text.splitlines() if "above" in line]
    assert said == ["bias, state, dropout: as above.", "As above, at output."]


def test_of_two_mistakes_each_is_told_with_its_line_also_where_one_is_the_steps_own() -> None:
    both = (
        Diagnosis("mask-inverted", "One.", "ex10_mask.py", 5),
        Diagnosis("mask-discarded", "Two.", "ex10_mask.py", 4),
    )
    told = replace(FAILED, diagnosis=both, hints=())

    text = Terminal().render(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (told,)),)))

    said = [line.strip() for line in text.splitlines()[3:]]
    assert [said.index(each) for each in ("ex10_mask.py:5", "mask-discarded: Two.", "ex10_mask.py:4")] == [1, 4, 5]


def test_what_to_change_is_told_first_with_its_line_and_what_was_seen_below_it() -> None:
    notes = ("W_q for W_query; accepted", "call `masked_fill_` instead")
    stage = Stage("scores", "masked", "ex10_mask.py", 5)
    told = replace(FAILED, diagnosis=(), notes=notes, remark=notes[1], stage=stage, hints=())

    text = Terminal().render(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (told,)),)))

    assert text.splitlines()[3:10] == [
        "        Call `masked_fill_` instead.",
        "        ex10_mask.py:5",
        "          4  def masked(scores, mask):",
        "        › 5      scores.masked_fill(mask, -torch.inf)  # and dropped",
        "        12 of 24 values are off; the worst at [0, 1, 2]: got 0.1, expected 0.4",
        "        (case random).",
        "        W_q for W_query; accepted.",
    ]
    assert [*sentences(told)] == ["Call `masked_fill_` instead.", FAILED.summary, f"{notes[0]}."]


def test_a_stage_that_is_wrong_is_told_in_words_where_it_has_any() -> None:
    lost = replace(FAILED, diagnosis=(), stage=Stage("scores", "shifted", "ex10_mask.py", 6, "the largest taken off"))

    text = rendered(replace(REPORT, exercises=(replace(MIXED, steps=(lost, MIXED.steps[0])),)))

    assert "it goes wrong where `shifted` (the largest taken off) should be:" in " ".join(text.split())


def test_what_keeps_everything_from_being_graded_is_said_once() -> None:
    lost = [verdict(f"ex{n:02}.one", Status.ERROR, 0, 2, summary="The file is empty.") for n in range(1, 4)]
    results = tuple(ExerciseResult(f"{each.id[:4]}_x", "Some", (each,)) for each in lost)
    once = "  ex01  Some                                                               0 / 2\n  ex02  Some"

    for notes in ((), ("The file is empty.",)):
        text = rendered(replace(REPORT, exercises=results, notes=notes))
        assert once in text
        assert text.count("The file is empty.") == 1


def test_the_next_hint_is_of_a_step_of_which_something_of_its_own_was_said() -> None:
    first = replace(FAILED, hints_left=0)
    again = replace(FAILED, id="ex10.again")
    other = replace(FAILED, id="ex10.other", diagnosis=(), summary="Another thing.")

    def hinted(*steps: Verdict) -> str:
        return rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", steps),)))

    assert "next hint: grade hint ex10.other" in hinted(first, again, other)
    assert "next hint: grade hint ex10.again" in hinted(first, again)
    assert "next hint: grade hint ex10.output" in hinted(FAILED, again, other)


@pytest.mark.parametrize("near", [(True, False), (False, True), (True, True)])
def test_of_mistakes_at_one_line_one_that_is_certain_of_it_makes_the_line_certain(near: tuple[bool, bool]) -> None:
    found = tuple(
        Diagnosis(name, "It is off.", "ex10_mask.py", 5, near=each)
        for name, each in zip(("mask-missing", "mask-discarded"), near, strict=True)
    )
    first = replace(FAILED, diagnosis=found, line=0, hints=())
    # Beside one that is new, both are told of again; their line was not shown then.
    elsewhere = tuple(replace(each, line=6) for each in found)
    new = Diagnosis("scale-missing", "Nothing is scaled.", "ex10_mask.py", 4)
    again = replace(first, id="ex10.again", diagnosis=(new, *elsewhere))

    lines = rendered(replace(REPORT, exercises=(replace(MIXED, steps=(first, again)),))).splitlines()

    said = [line.strip() for line in lines if "ex10_mask.py:" in line]
    place = "near ex10_mask.py:{}" if all(near) else "ex10_mask.py:{}"
    assert said == [place.format(5), "ex10_mask.py:4", place.format(6)]


def test_no_hint_is_offered_on_a_step_that_only_follows_from_another() -> None:
    first = replace(FAILED, hints_left=0)
    cause = Cause("ex10.output", "This may come from what is wrong in ex10.output.")
    follows = replace(FAILED, id="ex10.causality", diagnosis=(), summary="Row 0 sees token 1.", cause=cause)
    by_itself = verdict("ex10.dropout", Status.FAILED, 0, 2, summary="Nothing is dropped.")

    def hinted(*steps: Verdict) -> str:
        return rendered(replace(REPORT, exercises=(replace(MIXED, steps=steps),)))

    assert "next hint" not in hinted(first, follows)
    assert "next hint: grade hint ex10.dropout" in hinted(first, follows, by_itself)
    named = replace(follows, diagnosis=(Diagnosis("mask-missing", "Nothing is hidden."),))
    assert "next hint: grade hint ex10.causality" in hinted(first, named)  # which is a mistake of its own


def test_no_hint_leads_past_a_module_that_does_not_load_to_what_is_not_begun() -> None:
    assert "next hint" not in rendered(replace(REPORT, exercises=(PASSED, BROKEN, UNSTARTED)))
    assert "next hint: grade hint ex02.rows" in rendered(replace(REPORT, exercises=(PASSED, UNSTARTED, BROKEN)))


def test_no_hint_is_offered_on_a_module_that_does_not_load() -> None:
    other = ExerciseResult("ex11_more", "More", (replace(FAILED, id="ex11.output"),))

    assert "next hint" not in rendered(replace(REPORT, exercises=(BROKEN,)))
    assert "next hint: grade hint ex11.output" in rendered(replace(REPORT, exercises=(BROKEN, other)))


def test_no_hint_on_its_steps_stands_below_why_a_module_does_not_load() -> None:
    asked = replace(BROKEN, steps=tuple(replace(step, hints=("Look at the mask.",)) for step in BROKEN.steps))

    assert "Look at the mask." not in rendered(replace(REPORT, exercises=(asked,)))


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_the_line_shown_is_the_line_that_python_counts(newline: str) -> None:
    source = newline.join(["# a form feed \f, a separator \u2028 and \x1c", "wrong = 1", "right = 2"])
    step = replace(FAILED, line=3)

    text = rendered(
        replace(
            REPORT,
            exercises=(ExerciseResult("ex10_mask", "Mask", (step, MIXED.steps[0])),),
            sources={"ex10_mask": source.encode()},
        )
    )

    assert "ex10_mask.py:3\n          2  wrong = 1\n        › 3  right = 2\n" in text


@pytest.mark.parametrize(("file", "line"), [("ex10_mask.py", 99), ("ex10_mask.py", 0), ("", 3), ("../secret.py", 1)])
def test_a_place_that_is_not_there_shows_no_line(file: str, line: int) -> None:
    step = replace(FAILED, file=file, line=line, summary="Off.", diagnosis=(), hints=())

    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (step, MIXED.steps[0])),)))

    assert "Off.\n    ✓ params" in text


@pytest.mark.parametrize("evil", EVIL)
def test_controls_in_a_students_words_do_not_survive(evil: str) -> None:
    assert is_harmless(rendered(saying(evil)))


@pytest.mark.parametrize("evil", EVIL)
def test_controls_in_a_students_words_do_not_survive_on_a_terminal(evil: str) -> None:
    stream = unicode_terminal()

    live(saying(evil), stream)

    assert is_harmless(shown(stream))


@given(st.text(st.characters(exclude_categories=()), min_size=1, max_size=200))
def test_nothing_that_a_student_can_write_survives_unprintable(text: str) -> None:
    assert is_harmless(rendered(saying(text)))


def test_markup_in_a_students_words_is_only_text() -> None:
    stream = io.StringIO()

    live(saying("[bold red]x[/bold red] [/x] :smile: [link=http://evil]y[/link]"), stream)

    assert "[bold red]x[/bold red] [/x] :smile: [link=http://evil]y[/link]" in stream.getvalue()


def test_a_live_report_says_the_same_as_a_written_one() -> None:
    stream = unicode_terminal()

    live(REPORT, stream)

    assert "".join(f"{line.rstrip()}\n" for line in shown(stream).splitlines()) == GOLDEN


@pytest.mark.parametrize("columns", [40, 60])
def test_a_live_report_keeps_within_a_terminal_that_is_narrower_and_a_written_one_within_eighty_columns(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    stream = unicode_terminal()

    both = copy_context().run(lambda: (live(REPORT, stream), rendered(REPORT)))

    assert both[1] == GOLDEN
    lines = [line.rstrip() for line in shown(stream).splitlines() if "grade hint" not in line]
    assert max(map(len, lines)) <= columns
    assert re.search(r"^    ✗ output         Cont.* 0 / 5$", "\n".join(lines), re.M)


def test_a_live_report_can_be_stopped_before_it_began() -> None:
    Live(io.StringIO()).stop()


def test_a_terminal_without_unicode_gets_other_marks() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")

    text = encodable(GOLDEN, stream)

    assert text.isascii()
    marks = [line[:6].strip()[:1] for line in text.splitlines() if re.match(r"( {4})?[+x.~-] ", line)]
    assert marks == ["+", ".", "+", "x", "-", "~", "x", "-"]
    assert len(text) == len(GOLDEN)


def test_a_sign_that_the_encoding_has_not_is_a_question_mark() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")

    assert encodable("√d_k ≥ ü ✓", stream) == "?d_k ? ü +"


@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "utf-16"])
def test_a_terminal_with_unicode_gets_the_text_as_it_is(encoding: str) -> None:
    assert encodable(GOLDEN, io.TextIOWrapper(io.BytesIO(), encoding=encoding)) == GOLDEN


def test_a_stream_without_an_encoding_gets_ascii() -> None:
    assert encodable("✓", io.StringIO()) == "+"


def test_one_exercise_that_does_not_load_is_told_once() -> None:
    text = rendered(replace(REPORT, exercises=(BROKEN, UNSTARTED)))

    assert text.count("Python cannot read line 1") == 1


def test_a_hidden_step_is_marked_where_a_stored_report_is_shown() -> None:
    hidden = replace(FAILED, visibility=Visibility.HIDDEN)

    shown = Terminal().render(replace(REPORT, exercises=(replace(MIXED, steps=(PASSED.steps[0], hidden)),)))

    assert "✗ output         (hidden) Context vectors of a batch" in shown


def test_the_live_terminal_tells_of_no_hidden_step(pack: Pack) -> None:
    exercise = pack.exercises[0]
    stream = io.StringIO()
    live = Live(stream)

    live.grader_submission_started(pack, Submission("ada", Path("ada"), "0" * 64), (exercise,))
    for step, one in zip(exercise.steps, (PASSED.steps[0], replace(FAILED, visibility=Visibility.HIDDEN)), strict=True):
        live.grader_step_graded(exercise, step, one)
    live.grader_submission_graded(AWKWARD)

    assert "Context vectors of a batch" not in stream.getvalue()
    assert str(SECRET) not in stream.getvalue()
    assert "3.5 / 18" in stream.getvalue()


def test_a_note_stands_with_the_step_that_is_wrong_and_once() -> None:
    noted = replace(FAILED, picture=None, notes=("Nothing was drawn.",))
    again = verdict("ex10.again", Status.FAILED, 0, 1, summary="No.", notes=("Nothing was drawn.", "Here neither."))
    steps = (noted, replace(MIXED.steps[0], id="ex10.after"), again)
    shown = rendered(replace(REPORT, exercises=(replace(MIXED, steps=steps),)))

    said = [line.strip() for line in shown.splitlines()]
    assert said.count("Nothing was drawn.") == 1
    assert said[said.index("Nothing was drawn.") + 1] == "hint: Which tokens may token 0 look at?"
    assert said[said.index("No.") :][:3] == ["No.", "Here neither.", "after: W_q for W_query; accepted."]


def test_a_note_below_other_steps_says_which_one_it_is_on_unless_it_is_on_several() -> None:
    right = replace(MIXED.steps[0], notes=("accepted", "of this one"))
    others = [
        replace(right, id=f"ex10.{name}", notes=notes) for name, notes in (("b", ("accepted",)), ("c", ("at last",)))
    ]
    steps = (right, *others, replace(FAILED, picture=None, notes=()), replace(right, id="ex10.e", notes=("here",)))

    shown = rendered(replace(REPORT, exercises=(replace(MIXED, steps=steps),)))

    lines = shown.splitlines()
    said = [line.strip() for line in lines]
    at = said.index("Accepted.")
    assert said[at : at + 4] == ["Accepted.", f"{right.name}: of this one.", "c: at last.", "Here."]
    own, others_own = "        ", "    "  # what is on other steps does not stand under the last one
    assert [line.removesuffix(line.lstrip()) for line in lines[at : at + 4]] == [*[others_own] * 3, own]


def test_that_a_module_defines_nothing_is_told_once() -> None:
    file = "ex10_mask.py"
    steps = [
        verdict(f"ex10.{of}", Status.FAILED, 0, 1, summary=say("judge.nothing-defined", of=of, file=file), file=file)
        for of in ("first", "second", "third")
    ]
    waiting = verdict("ex10.last", Status.BLOCKED, 0, 2, summary="Waits for ex10.first (first).")

    text = rendered(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (*steps, waiting)),)))

    assert text.count("neither") == 1
    assert "next hint: grade hint ex10.first" in text
