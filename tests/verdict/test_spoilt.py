"""What comes of another step says where to begin, and nothing that is said there or only follows from it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model.report import Cause, Diagnosis, Status, Verdict
from grader.model.text import as_sentence
from grader.verdict.spoilt import behind
from grader.words import say, speaking

from .test_causes import verdict


@pytest.mark.parametrize(
    ("summary", "code", "is_said"),
    [
        ("One of 7 values is off.", "dropout_weights(w, …)", False),
        ("One of 7 values is off.", "q @ k", True),
        ("Python cannot read line 1 of ex09.py, which it imports: invalid syntax.", "self.drop(w)", False),
    ],
)
def test_a_call_of_what_is_wrong_elsewhere_is_no_piece_that_is_wrong(summary: str, code: str, *, is_said: bool) -> None:
    piece = say("judge.all-that-is-wrong", pieces=say("judge.piece", code=code))
    remark = say("judge.right-here", what=piece)
    decided = replace(verdict("ex10.output"), summary=summary, remark=remark, notes=("a note", remark))
    message = say("judge.cause-called", of="CausalAttention", called="dropout_weights", step="ex09.law")

    told = behind(decided, Cause("ex09.law", message), "CausalAttention", verdict("ex09.law"))

    assert (told.remark, told.notes) == ((remark, ("a note", remark)) if is_said else (None, ("a note",)))


@pytest.mark.parametrize(
    ("code", "called", "is_called"),
    [
        ("softmax(s, dim=0)", "softmax", True),
        ("torch.softmax(s, dim=0)", "softmax", False),
        ("s.softmax(0)", "softmax", False),
        ("causal_attention(x)", "attention", False),
        ("w * softmax(s)", "softmax", True),
        ("w.sum(0)", "sum", False),
    ],
)
def test_a_piece_calls_what_is_wrong_elsewhere_by_its_whole_name_alone(
    code: str, called: str, *, is_called: bool
) -> None:
    piece = say("judge.all-that-is-wrong", pieces=say("judge.piece", code=code))
    message = say("judge.cause-called", of="CausalAttention", called=called, step="ex09.law")

    for remark in (say("judge.right-here", what=piece), say("judge.right-within-here", of="A", what=piece)):
        decided = replace(verdict("ex10.output"), remark=remark)
        told = behind(decided, Cause("ex09.law", message), "CausalAttention", verdict("ex09.law"))

        assert (told.remark is None) is is_called


@pytest.mark.parametrize("key", ["check.state-not-finite", "check.lifeless-causality", "check.nothing-to-drop"])
def test_what_only_follows_from_a_result_that_is_spoilt_says_no_more_than_where_to_begin(key: str) -> None:
    known, cause_of_it = ("one row sees nothing", "another note"), Cause("ex10.output", "")
    spoilt = replace(verdict("ex10.state"), summary=as_sentence(say(key)), notes=known, remark=known[0])
    output = verdict("ex10.output", Status.FAILED, Diagnosis("mask-diagonal", "One row sees nothing."))

    told = behind(spoilt, cause_of_it, "CausalAttention", output)
    assert (told.summary, told.notes, told.remark) == ("Nothing can be said of this yet.", ("another note",), None)
    apart = behind(spoilt, cause_of_it, "CausalAttention", verdict("ex10.output"))
    assert (apart.notes, apart.remark) == (known, known[0])


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_what_only_says_that_none_came_back_is_named_by_the_mistake_that_was_told(language: str) -> None:
    with speaking(language):
        none = say("check.no-vector-each", got="None")
        gradients = say("judge.detached-no-tensor", of="CausalAttention", type="NoneType")
        other = say("check.no-vector-each", got="(2, 6)")
        output = verdict("ex10.output", Status.FAILED, Diagnosis("returns-none", "It gives None.", "ex10.py", 9))
        both = replace(output, diagnosis=(*output.diagnosis, Diagnosis("mask-missing", "No mask.")))

        def found(summary: str, its: Verdict) -> list[str]:
            spoilt = replace(verdict("ex10.causality"), summary=as_sentence(summary))
            told = behind(spoilt, Cause("ex10.output", ""), "CausalAttention", its)
            return [each.id for each in told.diagnosis]

        assert found(none, output) == found(gradients, output) == ["returns-none"]
        assert found(other, output) == found(none, both) == found(none, verdict("ex10.output")) == []
