"""Nothing is said twice: what a step told of is known when the next one is shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model.report import Cause, Diagnosis, Stage, Status, Verdict
from grader.model.text import clean
from grader.report.said import Said
from grader.words import all_of, say, speaking

RAISED = "ModuleNotFoundError: No module named 'helpers'"


def step(summary: str = "", *, notes: tuple[str, ...] = (), status: Status = Status.ERROR, line: int = 3) -> Verdict:
    return Verdict("ex01.query", "A title", status, 0.0, 1.0, summary=summary, file="ex01.py", line=line, notes=notes)


def after(*steps: Verdict) -> Said:
    said = Said()
    for each in steps:
        said.add(each)
    return said


def test_a_note_is_new_until_a_step_that_has_it_was_shown_and_once_for_all() -> None:
    noted = [step(notes=("a", "b")), step(notes=("b",))]

    assert Said().new_notes(noted) == ("a", "b")
    assert after(step(notes=("a",))).new_notes(noted) == ("b",)


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_substitutes_for_several_steps_are_told_of_once(language: str) -> None:
    with speaking(language):
        lent = [all_of(each) for each in (["ex10", "ex11"], ["ex10", "ex11", "ex12"])]
        one, other = (
            replace(step(notes=(say("judge.substitute", replaced=each),)), id=f"ex13.{each[-1]}") for each in lent
        )
        merged = say("report.substitutes", steps=all_of(["1", "2"]), replaced=all_of(["ex10", "ex11", "ex12"]))

        assert Said().new_notes([one, step(notes=("a",)), other]) == (merged, "a")
        assert Said().new_notes([one, one]) == one.notes
        assert after(one).new_notes([one, other]) == other.notes


def test_what_to_change_is_told_once_and_not_beside_a_mistake() -> None:
    told = replace(step(notes=("a", "b")), remark="b")
    said = Said()

    assert said.remark(told) == "b"
    said.note("b")
    assert (said.remark(told), said.new_notes([told])) == ("", ("a",))
    assert Said().remark(replace(told, diagnosis=(Diagnosis("mask-missing", "No mask."),))) == ""


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_that_a_right_call_writes_into_what_it_is_given_is_not_told_where_that_mistake_was_named(language: str) -> None:
    with speaking(language):
        note = say("check.writes-into", name="scores")
        found = (Diagnosis("input-mutated", "Your code writes into …", "ex08.py", 7),)

        assert after(replace(step(), diagnosis=found)).new_notes([step(notes=(note, "a"))]) == ("a",)
        assert after(step()).new_notes([step(notes=(note,))]) == (note,)


@pytest.mark.parametrize("language", ["en", "de", "es"])
@pytest.mark.parametrize("key", ["judge.passed-over", "judge.passed-over-at-the-end"])
def test_a_statement_that_was_passed_over_is_not_told_of_again_where_a_step_says_what_it_raised(
    key: str, language: str
) -> None:
    with speaking(language):
        note = say(key, code="from helpers import softmax", said=RAISED)
        told = say("judge.outside-functions", said=RAISED)
        others = (RAISED, f"{RAISED}: also {told}", say("judge.outside-functions", said=f"{RAISED[:-1]}_of_mine'"))

        for summary in (told, say("judge.with-more", said=told, more="is it a file of yours?")):
            assert after(step(summary)).new_notes([step(notes=(note,))]) == ()
        for summary in others:
            assert after(step(summary)).new_notes([step(notes=(note,))]) == (note,)


def test_nor_where_the_step_says_more_of_a_long_message() -> None:
    message = f"ValueError: {', '.join(f'row {number}' for number in range(30))}"
    note = say("judge.passed-over", code="check(rows)", said=clean(message, 100))

    assert after(step(say("judge.outside-functions", said=clean(message, 200)))).new_notes([step(notes=(note,))]) == ()
    short = say("judge.passed-over", code="check(rows)", said="ValueError: row…")
    assert after(step(say("judge.outside-functions", said=message))).new_notes([step(notes=(short,))]) == (short,)
    for other in (clean(message, 200), say("judge.outside-functions", said=message.replace("row 1,", "row one,"))):
        assert after(step(other)).new_notes([step(notes=(note,))]) == (note,)


def test_an_exception_is_the_same_at_the_same_line_whatever_its_numbers() -> None:
    said = after(step("ValueError: 3 rows; 3 is T"))

    assert said.sentence(step("ValueError: 5 rows; 5 is T"))
    assert not said.sentence(step("ValueError: 5 rows; 5 is T", line=4))
    assert not said.sentence(step("3 of 3 values are off", status=Status.FAILED))


def test_what_stands_further_up_is_referred_to_by_its_step() -> None:
    raised, other = step("An error."), replace(step("Something else.", line=4), id="ex01.other")

    assert after().above(raised) == ""
    assert after(raised).above(raised) == "As above."
    assert after(raised, replace(raised, id="ex01.again")).above(raised) == "As above."
    assert after(raised, other).above(raised) == "As above, at query."
    assert after(raised, other, replace(raised, id="ex01.again")).above(raised) == "As above."
    assert after(raised, other, replace(raised, id="ex01.again")).above(other) == "As above, at other."


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_weights_that_have_no_place_are_told_once_whatever_their_shapes(language: str) -> None:
    def lacking(*names: str, width: int = 4, line: int = 3) -> Verdict:
        why = say("judge.no-place", weights=", ".join(names), found=f"heads.*.W_query.weight ({width}, 7)")
        return step(say("judge.weights", why=why), status=Status.FAILED, line=line)

    with speaking(language):
        said = after(lacking("W_query.weight", "W_key.weight"))

        assert said.sentence(lacking("W_query.weight", "W_key.weight", width=14))
        assert said.sentence(lacking("W_query.weight", "W_query.bias", "W_key.weight", "W_key.bias"))
        # A list that is cut before it comes to all that was told.
        assert said.sentence(lacking("W_query.weight", say("judge.and-more", names="W_query.bias")))
        assert not said.sentence(lacking("W_query.weight", "W_key.weight", width=14, line=30)), "another class"
        assert not said.sentence(lacking("W_query.weight", "W_query.bias", "W_value.bias")), "another mistake"
        diagnosed = replace(lacking("W_query.weight", width=14), diagnosis=(Diagnosis("bias-ignored", "…"),))
        assert not said.sentence(diagnosed)
        assert not said.sentence(lacking("W_query.bias", "W_key.bias"))
        assert not said.sentence(step(say("judge.weights", why="out_proj has shape (4, 4)"), status=Status.FAILED))


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_what_is_as_above_is_not_said_to_come_of_that_very_step(language: str) -> None:
    with speaking(language):
        told = replace(step("None came back."), status=Status.FAILED, diagnosis=(Diagnosis("returns-none", "…"),))
        cause = Cause("ex01.query", say("judge.cause-earlier", step="ex01.query"))
        named, alike = replace(told, cause=cause, summary="No row."), replace(told, cause=cause, diagnosis=())

        assert after(told).comes_of_above(named)
        assert after(told).comes_of_above(alike)
        assert not after(told).comes_of_above(told)
        assert not after(told).comes_of_above(replace(alike, summary="No row."))
        assert not after(told).comes_of_above(replace(named, cause=replace(cause, step="ex01.all")))
        assert not after(told).comes_of_above(replace(named, cause=replace(cause, message="`f` calls `g`.")))


def test_a_mistake_a_line_a_stage_and_a_cause_are_known_once_they_were_told() -> None:
    stage = Stage("scores", "weights", "ex01.py", 9)
    told = Verdict(
        "ex01.query", "A title", Status.FAILED, 0.0, 1.0, diagnosis=(Diagnosis("no-softmax", "…", "ex01.py", 7),),
        stage=stage,
    )  # fmt: skip
    because = Cause("ex01.all", "This may come from what is wrong in ex01.all: begin there.")
    said = after(told, replace(step(), cause=because))

    assert said.cause(because)
    assert not said.cause(replace(because, step="ex01.query"))
    assert (said.mistake("no-softmax"), said.line("ex01.py", 7), said.stage(stage)) == (True, True, True)
    assert (said.mistake("mask-missing"), said.line("ex01.py", 8), said.stage(Stage("", "scores", "", 0))) == (
        False, False, False,
    )  # fmt: skip


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_a_weight_of_another_shape_is_told_once_whatever_sizes_other_steps_have(language: str) -> None:
    def asked(slot: str, shape: str) -> Verdict:
        parts = {"slot": slot, "shape": shape, "expected": "(4, 6)"}
        return step(say("judge.weights", why=say("judge.slot-shape", **parts)), status=Status.FAILED)

    with speaking(language):
        shaped = say("check.slot-shape", slot="W.weight", shape="(1, 6)", expected="(4, 6)")
        held = step(f"{shaped}.", status=Status.FAILED)

        assert after(held).sentence(asked("W.weight", "(0, 3)")) == "query"
        assert after(asked("W.weight", "(1, 6)")).sentence(asked("W.weight", "(0, 3)")) == "query"
        assert after(held).sentence(asked("V.weight", "(0, 3)")) == ""


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_too_few_heads_are_told_once_whatever_number_other_steps_have(language: str) -> None:
    def few(held: int, due: int, name: str = "heads") -> str:
        return say("judge.too-few", list=name, held=held, due=due)

    def asked(held: int, due: int, name: str = "heads") -> Verdict:
        why = say("judge.no-place-behind", weights=f"{name}.{held}.W_query.weight", why=few(held, due, name))
        return step(say("judge.weights", why=why), status=Status.FAILED)

    with speaking(language):
        counted = step(f"{few(2, 3)}.", status=Status.FAILED)

        assert after(counted).sentence(asked(1, 2)) == "query"
        assert after(asked(2, 3)).sentence(asked(4, 5)) == "query"
        assert after(counted).sentence(asked(1, 2, "layers")) == ""


SHAPED = "RuntimeError: shape '[{0}]' is invalid for input of size {0}; here `projected` is ({0},)"


def test_what_was_raised_is_told_once_also_where_a_mistake_or_what_is_wrong_stands_beside_it() -> None:
    first, again = (step(SHAPED.format(size)) for size in (3, 7))
    elsewhere = replace(again, line=9)
    named = replace(first, diagnosis=(Diagnosis("heads-not-transposed", "Not there."),))
    moved = replace(first, remark="All that is wrong is `d`; the rest is right as it stands", notes=("all",))

    assert after(named).sentence(again) == "query"
    assert after(named).sentence(replace(named, summary=again.summary)) == ""  # which has its mistake to tell
    assert after(moved).sentence(elsewhere) == "query"
    assert after(first).sentence(elsewhere) == ""  # of which it may be another


def test_that_a_file_defines_nothing_is_told_once_whatever_it_was_asked_for() -> None:
    told = [
        step(say("judge.nothing-defined", of=of, file=file), status=Status.FAILED, line=0)
        for of, file in (("first", "ex01.py"), ("second", "ex01.py"), ("second", "ex02.py"))
    ]

    assert [after(told[0]).sentence(each) for each in told] == ["query", "query", ""]
