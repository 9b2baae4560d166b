"""What went wrong before anything could be compared is one sentence, in the student's own words and lines."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from grader.diagnosis import sentences
from grader.model.case import FRESH, PUBLIC, Case
from grader.model.observation import Ending, Fault, Frame, Observation
from grader.model.pack import CaseTemplate, Draw
from grader.model.report import Status

from ..judge.hand_made import CLASS, EXERCISE, FUNCTION, exercise, step

OWN = Frame(f"{EXERCISE}.py", 7, FUNCTION)
OTHER = Frame("ex01_dot_product_scores.py", 3, "attention_scores")
EMPTY = ast.Module([], [])
ASKED = Case(CaseTemplate("example"), PUBLIC)


def told(fault: Fault, of: str = FUNCTION) -> str:
    return sentences.sentence(exercise(), step(of=of), Observation(fault=fault), 10.0, ASKED, EMPTY)


def raised(type_: str, message: str = "", *frames: Frame) -> Fault:
    return Fault("exception", type_, message, frames)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (raised("ValueError", "too many\nvalues to unpack"), "ValueError: too many values to unpack"),
        (raised("KeyError"), "KeyError"),
        # advice that would cost the gradients is not passed on
        (
            raised("RuntimeError", "Can't call numpy() on it. Use tensor.detach().numpy() instead."),
            "RuntimeError: Can't call numpy() on it.",
        ),
        (raised("Evil\x1b[31m", "\x1b]0;title\x07[/x]"), "Evil[31m: ]0;title[/x]"),
        (raised("NotImplementedError", "", OTHER), "NotImplementedError"),
        (raised("NotImplementedError", "", OWN), "Not started yet."),
        (Fault("exit", "SystemExit"), "Your code ends the program (SystemExit); leave out the call of exit."),
        (
            Fault("syntax", "SyntaxError", "invalid syntax", (OWN,), 7, 3),
            "Python cannot read line 7: invalid syntax.",
        ),
        (
            Fault("syntax", "SyntaxError", "unknown encoding: x", (replace(OWN, line=0),)),
            f"Python cannot read {EXERCISE}.py: unknown encoding: x.",
        ),
        (
            Fault("syntax", "SyntaxError", "unknown encoding: x", (replace(OTHER, line=0),)),
            "Python cannot read ex01_dot_product_scores.py: unknown encoding: x.",
        ),
        (
            Fault("missing", names=("atend", "other")),
            f"There is no `attend` in {EXERCISE}.py (it has `atend`, `other`); did you mean to call `atend` that?",
        ),
        (
            Fault("missing"),
            f"There is no `attend` in {EXERCISE}.py: it defines neither functions nor classes.",
        ),
        (
            Fault("missing", "int"),
            "`attend` must be a function or a class; attend is an int.",
        ),
        (
            Fault("signature", "TypeError", "missing a required argument: 'y'", signature="(x, y)"),
            "Your signature is `(x, y)`; expected `attend(x, p=0.5)` (missing a required argument: 'y').",
        ),
        (
            Fault("weights", message="no place for W_key; your module has no parameters at all"),
            "The weights cannot be put in: no place for W_key; your module has no parameters at all.",
        ),
    ],
)
def test_a_fault_is_told_in_one_sentence(fault: Fault, sentence: str) -> None:
    assert told(fault) == sentence


@pytest.mark.parametrize(
    ("type_", "message", "meant"),
    [
        ("AttributeError", "'Tensor' object has no attribute 'mask_fill'", "masked_fill"),
        ("AttributeError", "module 'torch.nn' has no attribute 'linear'", "Linear"),
        ("AttributeError", "'super' object has no attribute '__intit__'", "__init__"),
        ("AttributeError", "'CausalAttention' object has no attribute 'registry_buffer'", "register_buffer"),
        ("NameError", "name 'torhc' is not defined", "torch"),
        ("ModuleNotFoundError", "No module named 'torhc'", "torch"),
        ("ModuleNotFoundError", "No module named 'previous_modules'", ""),
        ("AttributeError", "'CausalAttention' object has no attribute 'dropout'", ""),
        ("AttributeError", "'NoneType' object has no attribute 'masked_fill'", ""),
        ("AttributeError", f"'Tensor' object has no attribute '{'softmax' * 20}'", ""),
        ("NameError", "name 'dropout' is not defined", ""),
        ("NameError", "name 'W_query' is not defined", ""),
        ("ValueError", "name 'torhc' is not defined", ""),
    ],
)
def test_a_misspelt_name_of_torchs_is_set_right(type_: str, message: str, meant: str) -> None:
    assert told(raised(type_, message)).endswith(f"; did you mean `{meant}`?" if meant else message[-20:])


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("torch", "; write `import torch` at the top of the file"),
        ("nn", "; write `from torch import nn` at the top of the file"),
        ("F", "; write `import torch.nn.functional as F` at the top of the file"),
        ("CausalAttention", "; it is neither defined nor imported in this file"),
        ("softmax", "; did you mean `torch.softmax`?"),
        ("W_query", ""),
        ("Q", ""),
        ("np", ""),  # which is told not to be needed
    ],
)
def test_what_was_not_imported_is_said_to_be_that(name: str, more: str) -> None:
    said = told(raised("NameError", f"name '{name}' is not defined"))

    assert said.partition(" is not defined")[2] == more


def test_an_error_about_shapes_is_told_in_the_lessons_terms() -> None:
    case = Case(CaseTemplate("random", {"d_in": 3, "d_out": 2}, {"x": Draw("normal", (12, 3))}), PUBLIC)
    asked = exercise(step(), cases={"random": case.template}, axes={"x": ("T", "d_in")})
    message = "mat1 and mat2 shapes cannot be multiplied (12x3 and 2x3)."

    sentence = sentences.sentence(asked, step(), Observation(fault=raised("RuntimeError", message)), 10.0, case, EMPTY)

    assert sentence == f"RuntimeError: {message[:-1]}; in this case 12 = T, 3 = d_in, 2 = d_out"


def test_an_error_about_shapes_tells_those_of_the_line_that_is_shown() -> None:
    shapes = (("x", (6, 4)), ("self.W\x1b.weight", (3,)))
    own = Fault("exception", "RuntimeError", "shapes differ", (OTHER, OWN), shapes=shapes)

    assert told(own) == "RuntimeError: shapes differ; here `x` is (6, 4), `self.W.weight` is (3,)"
    assert told(replace(own, frames=(OWN, OTHER))) == "RuntimeError: shapes differ"
    assert told(replace(own, message="no idea")) == "RuntimeError: no idea"
    assert told(replace(own, type="KeyError")) == "KeyError: shapes differ"


@pytest.mark.parametrize(
    ("fault", "wants"),
    [
        (raised("TypeError", "'float' object cannot be interpreted as an integer"), True),
        (raised("TypeError", "list indices must be integers or slices, not float"), True),
        (raised("TypeError", "view(): argument 'size': type must be tuple of ints,but got float"), True),
        (raised("TypeError", "object of type 'float' has no len()"), False),
        (raised("ValueError", "float for int"), False),
    ],
)
def test_a_float_where_a_whole_number_is_due_is_known_by_its_error(fault: Fault, wants: bool) -> None:
    assert sentences.wants_whole_number(fault) is wants


@pytest.mark.parametrize("kind", ["exception", "weights", "exit", "signature", "kind", "missing", "invented"])
def test_of_a_fresh_case_no_text_is_told_whatever_kind_of_fault_it_is_said_to_be(kind: str) -> None:
    secret = "0.1734"
    fault = Fault(kind, secret, secret, (OWN,), names=(secret,), signature=secret, shapes=((secret, (1734,)),))

    sentence = sentences.sentence(
        exercise(), step(), Observation(fault=fault), 10.0, Case(CaseTemplate("random"), FRESH), EMPTY
    )

    assert "1734" not in sentence
    assert "drawn afresh" in sentence


@pytest.mark.parametrize(("type_", "named"), [("ValueError", "ValueError"), ("E0_1734", "An exception")])
def test_an_exception_shows_nothing_of_a_fresh_cases_inputs(type_: str, named: str) -> None:
    seen = Observation(fault=raised(type_, "tensor([0.1734])", OWN))

    sentence = sentences.sentence(exercise(), step(), seen, 10.0, Case(CaseTemplate("random"), FRESH), EMPTY)

    assert sentence == f"{named}, on inputs drawn afresh; its message is left out, as it could show them."


def test_something_that_is_no_module_is_told() -> None:
    fault = Fault("kind", "dict", names=("Attention",))

    assert told(fault, CLASS) == "Attention(…) is a dict, not an nn.Module; derive the class from torch.nn.Module."


@pytest.mark.parametrize("kind", ["exception", "exit", "missing", "signature", "kind", "weights", "answer", "forged"])
def test_a_long_and_evil_message_stays_one_printable_line(kind: str) -> None:
    evil = "\x1b[2J\u202e[red]\n" * 5000

    sentence = told(Fault(kind, evil, evil, names=(evil,) * 20, signature=evil))

    assert sentence.isprintable()
    assert len(sentence) < 1000


def test_a_run_that_took_too_long_is_told() -> None:
    seen = Observation(ending=Ending.TIMEOUT)

    sentence = sentences.sentence(exercise(), step(), seen, 0.5, ASKED, EMPTY)

    assert sentence == "`attend` was still running after 0.5 s and was stopped. Is there a loop without an end?"


def test_a_process_that_died_is_told() -> None:
    seen = Observation(ending=Ending.CRASHED, detail="the process was ended by SIGSEGV")

    sentence = sentences.sentence(exercise(), step(), seen, 10.0, ASKED, EMPTY)

    assert sentence == "`attend` ended the whole process: the process was ended by SIGSEGV."


def test_a_run_without_a_fault_has_nothing_to_tell() -> None:
    assert sentences.sentence(exercise(), step(), Observation(), 10.0, ASKED, EMPTY) == ""


@pytest.mark.parametrize(
    ("seen", "status"),
    [
        (Observation(), None),
        (Observation(ending=Ending.TIMEOUT), Status.TIMEOUT),
        (Observation(ending=Ending.CRASHED), Status.CRASHED),
        (Observation(fault=raised("ValueError", "", OWN)), Status.ERROR),
        (Observation(fault=Fault("exit", "SystemExit")), Status.ERROR),
        (Observation(fault=Fault("syntax", "SyntaxError")), Status.ERROR),
        (Observation(fault=raised("NotImplementedError", "", OWN)), Status.UNSTARTED),
        (Observation(fault=raised("NotImplementedError", "", OWN, OTHER)), Status.ERROR),
        (
            Observation(fault=raised("NotImplementedError", "FlexAttention does not support backward on CPU", OWN)),
            Status.ERROR,
        ),
        (Observation(fault=raised("NotImplementedError")), Status.ERROR),
        (Observation(fault=Fault("missing")), Status.FAILED),
        (Observation(fault=Fault("signature")), Status.FAILED),
        (Observation(fault=Fault("kind")), Status.FAILED),
        (Observation(fault=Fault("weights")), Status.FAILED),
    ],
)
def test_a_run_that_was_not_answered_has_a_status(seen: Observation, status: Status | None) -> None:
    assert sentences.status(exercise(), seen) is status


def test_a_fault_is_placed_at_the_innermost_line_of_this_exercise() -> None:
    fault = Fault("exception", frames=(Frame(f"{EXERCISE}.py", 2, "outer"), OWN, OTHER), column=4)

    assert sentences.place(exercise(), fault) == (f"{EXERCISE}.py", 7, 4)


def test_a_fault_elsewhere_is_placed_where_it_is() -> None:
    assert sentences.place(exercise(), Fault("exception", frames=(OTHER,)))[:2] == (OTHER.file, 3)


def test_a_fault_without_lines_has_no_place() -> None:
    assert sentences.place(exercise(), Fault("exception")) == ("", 0, 0)
    assert sentences.place(exercise(), None) == ("", 0, 0)


def test_a_place_in_a_file_of_an_evil_name_is_cleaned() -> None:
    fault = raised("ValueError", "", Frame("\x9b31m\u202e::x\n.py", 7, ""))

    assert sentences.place(exercise(), fault) == ("31m::x .py", 7, 0)


@pytest.mark.parametrize(("frame", "place"), [(OTHER, " (ex01_dot_product_scores.py:3)"), (OWN, "")])
def test_code_that_cannot_be_read_of_another_module_has_its_place(frame: Frame, place: str) -> None:
    fault = Fault("syntax", "SyntaxError", "'(' was never closed", (frame,), frame.line, 3)

    said = sentences.stumbled(exercise(), fault, "from ex01_dot_product_scores import attention_scores\n")

    assert said == f"code outside your functions ends in SyntaxError: '(' was never closed{place}"
