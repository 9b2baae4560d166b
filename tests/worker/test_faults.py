"""Exceptions of student code are data: their type, their message, and the student's own lines."""

from __future__ import annotations

import sys
import types
from typing import Any

import pytest

from grader.model.observation import Fault, Frame
from grader.worker.faults import FRAME_LIMIT, MESSAGE_LIMIT, Refused, beginning, find, of_exception, unfit

FILE = "ex01_dot_product_scores.py"
HELPER = "extra.py"


def module(source: str, file: str = FILE) -> types.ModuleType:
    """A student's module, executed here."""
    made = types.ModuleType("exercises.ex01_dot_product_scores")
    exec(compile(source, file, "exec", dont_inherit=True), made.__dict__)
    return made


def fault(source: str, files: tuple[str, ...] = (FILE, HELPER), **given: Any) -> Fault:
    """What is said of the exception that calling `f` raises."""
    made = module(source)
    made.__dict__.update(given)
    with pytest.raises(BaseException) as caught:
        made.f()
    return of_exception(caught.value, files, action=2)


def test_an_exception_is_told_with_the_students_lines_alone() -> None:
    found = fault("def f():\n    return g()\n\ndef g():\n    raise ValueError('no')\n")

    assert found == Fault("exception", "ValueError", "no", (Frame(FILE, 2, "f"), Frame(FILE, 5, "g")), action=2)


def test_an_exception_of_the_students_own_says_which_of_pythons_it_is() -> None:
    assert fault("class Width(ValueError): pass\n\ndef f():\n    raise Width\n").bases == ("ValueError", "Exception")
    assert fault("class Key(KeyError): pass\n\ndef f():\n    raise Key\n").bases == (
        "KeyError",
        "LookupError",
        "Exception",
    )
    assert fault("def f():\n    raise KeyError\n").bases == ()


def test_lines_of_other_files_are_left_out() -> None:
    helper = module("def g():\n    import json\n    json.loads('{')\n", HELPER)

    found = fault("def f():\n    g()\n", g=helper.g)

    assert found.type == "JSONDecodeError"
    assert found.frames == (Frame(FILE, 2, "f"), Frame(HELPER, 3, "g"))


def test_an_unknown_argument_is_told_alike_by_every_python() -> None:
    found = fault("def f():\n    g(dimm=-1)\n\ndef g(dim=0): pass\n")

    assert found.message == "g() got an unexpected keyword argument 'dimm'"


@pytest.mark.parametrize("raised", ["SystemExit", "SystemExit(3)", "KeyboardInterrupt"])
def test_the_end_of_the_program_is_told_as_one(raised: str) -> None:
    found = fault(f"def f():\n    raise {raised}\n")

    assert (found.kind, found.type) == ("exit", raised.split("(")[0])


def test_a_message_that_cannot_be_shown_is_told() -> None:
    source = "class E(Exception):\n    def __str__(self): raise KeyError\ndef f():\n    raise E\n"

    found = fault(source)

    assert (found.type, found.message) == ("E", "(its message cannot be shown: __str__ raised KeyError)")


@pytest.mark.parametrize("product", ["", "mm: ", "addmm: "])
def test_shapes_that_do_not_fit_are_told_alike_whichever_torch_it_is(product: str) -> None:
    said = "mat1 and mat2 shapes cannot be multiplied (30x4 and 12x12)"

    assert fault(f"def f():\n    raise RuntimeError({product + said!r})\n").message == said


def test_a_message_of_ten_megabytes_is_cut() -> None:
    assert fault("def f():\n    raise ValueError('x' * 10_000_000)\n").message == "x" * MESSAGE_LIMIT


def test_a_recursion_without_end_is_told_by_its_last_lines() -> None:
    found = fault("def f():\n    return f()\n")

    assert found.type == "RecursionError"
    assert found.frames == (Frame(FILE, 2, "f"),) * FRAME_LIMIT


def test_a_syntax_error_is_told_with_line_and_column() -> None:
    with pytest.raises(SyntaxError) as caught:
        compile("x = 1\ny = = 2\n", FILE, "exec")

    assert of_exception(caught.value, (FILE,), 0) == Fault(
        "syntax", "SyntaxError", "invalid syntax", (Frame(FILE, 2, ""),), 2, 5
    )


def test_a_file_with_zero_bytes_cannot_be_read_whichever_it_is() -> None:
    with pytest.raises((SyntaxError, ValueError), match="null bytes") as caught:
        compile("x = 1\0", FILE, "exec")

    found = of_exception(SyntaxError(*caught.value.args).with_traceback(None), {FILE}, 0)

    assert (found.kind, found.frames, found.line) == ("syntax", (), 0)


def test_a_syntax_error_of_another_file_is_an_exception() -> None:
    found = fault("def f():\n    eval('1 +')\n")

    assert (found.kind, found.type, found.frames) == ("exception", "SyntaxError", (Frame(FILE, 2, "f"),))


def test_an_exception_from_elsewhere_has_no_lines() -> None:
    assert of_exception(ValueError("ours"), (FILE,), 0).frames == ()


def test_a_definition_is_found_by_its_name() -> None:
    made = module("def f(): ...\nclass C: ...\n")

    assert find(made, "f") is made.f
    assert find(made, "C") is made.C


def test_a_definition_is_found_where_the_module_makes_it_when_it_is_asked_for() -> None:
    asked = "def __getattr__(name):\n    if name == 'f': return _f\n    raise AttributeError(name)\n"
    made = module(f"def _f(): ...\n{asked}")

    assert find(made, "f") is made._f
    with pytest.raises(Refused):
        find(made, "g")


def test_a_name_that_is_not_there_is_refused_with_those_that_are() -> None:
    made = module("import math\ndef scores(): ...\nclass Head: ...\nx = 1\n")

    with pytest.raises(Refused) as caught:
        find(made, "attention_scores")

    assert caught.value.fault == Fault("missing", names=("scores", "Head"))


def test_a_name_that_can_not_be_called_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        find(module("f = 3\n"), "f")

    assert caught.value.fault == Fault("missing", "int")


def test_arguments_that_do_not_fit_are_refused_with_the_students_signature() -> None:
    made = module("def f(query, *, inputs): ...\n")

    refused = unfit(made.f, [1, 2])

    assert refused is not None
    assert refused.fault == Fault(
        "signature", "TypeError", "too many positional arguments", signature="(query, *, inputs)"
    )


@pytest.mark.skipif(sys.version_info < (3, 14), reason="an annotation is evaluated where it stands")
def test_what_an_annotation_names_need_not_be_there_to_be_told_the_signature() -> None:
    made = module("def f(query: Tenser, *, inputs: list[Tenser] = 3): ...\n")

    refused = unfit(made.f, [1, 2])

    assert refused is not None
    assert refused.fault.signature == "(query: Tenser, *, inputs: list[Tenser] = 3)"


@pytest.mark.skipif(sys.version_info < (3, 14), reason="an annotation is evaluated where it stands")
def test_arguments_whose_annotations_cannot_be_told_are_not_refused() -> None:
    assert unfit(module("def f(query: 1 / 0): ...\n").f, [1, 2]) is None


def test_arguments_that_fit_are_not_refused() -> None:
    assert unfit(module("def f(query, inputs=None): ...\n").f, [1]) is None
    assert unfit(print, [1, 2, 3]) is None


def test_a_callable_without_a_signature_is_not_refused() -> None:
    assert unfit(dict, [1, 2, 3]) is None


def test_a_function_begins_at_its_first_line() -> None:
    made = module("x = 1\n\ndef f():\n    pass\n\nclass C:\n    def forward(self): ...\n")

    assert beginning(made.f, (FILE,)) == Frame(FILE, 3, "f")
    assert beginning(made.C().forward, (FILE,)) == Frame(FILE, 7, "forward")


@pytest.mark.parametrize("function", [len, None, dict, object().__init__])
def test_a_function_of_somebody_else_begins_nowhere(function: Any) -> None:
    assert beginning(function, (FILE,)) is None
