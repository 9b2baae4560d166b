"""What is wrong with the form of a file, in a sentence: what has to stand there, and what does.

pydantic finds it, and says it in the words of whoever writes Python. A rubric is written by whoever teaches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grader.model.text import clean, nearest
from grader.pack.schema import PATTERNS

LONGEST_FOUND = 60
_KEYS = "keys with their values"
_KINDS = {
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "a text",
    "list_type": "a list",
    "dict_type": _KEYS,
    "model_type": _KEYS,
}
# What stands where a form inside a form is due, in the words of the documents.
_FORMS = {
    "DrawModel": "a shape, such as [2, 3], or a tensor, such as {eye: 4}",
    "StepModel": "a step: `id`, `title` and the other keys of one",
}
_TYPES: dict[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
}


# What needs no more than what pydantic knows of it.
_SAID = {
    "greater_than": "must be more than {gt:g}; found {value}",
    "greater_than_equal": "must be {ge:g} or more; found {value}",
    "too_long": "must have {max_length} entries; found {actual_length}",
    "string_too_short": "is empty; write a text",
}


def misfit(name: str, errors: Sequence[dict[str, Any]]) -> str:
    """What is wrong at one place. name: what stands there is called.

    errors: what pydantic says of it; several where any of several kinds would do.
    """
    first = errors[0]
    kind, value, context = first["type"], first["input"], first.get("ctx", {})
    if kind in _KINDS:
        wanted = [_wanted(error) for error in errors]
        wanted = [each for each in wanted if not (each == _KINDS["int_type"] and _KINDS["float_type"] in wanted)]
        return f"{name} must be {' or '.join(reversed(wanted))}; found {found(value)}{_instead(kind, value)}"
    if kind in _SAID:
        return f"{name} {_SAID[kind].format(value=value, **context)}"
    if kind == "too_short":
        least = "one entry" if context["min_length"] == 1 else f"{context['min_length']} entries"
        return f"{name} must have at least {least}; found {context['actual_length'] or 'none'}"
    if kind == "string_pattern_mismatch":
        return f"{name} must be {PATTERNS[context['pattern']]}; found {found(value)}"
    if kind == "literal_error":
        return f"{name} must be {context['expected']}; found {found(value)}{_near(context['expected'], value)}"
    return f"{name}: {first['msg'].removeprefix('Value error, ')}"


def misfit_of(name: str, form: type, value: Any) -> str:
    """What is wrong with a value that is none of this type."""
    return f"{name} must be {_TYPES.get(form, form.__name__)}; found {found(value)}"


def found(value: Any) -> str:
    """What stands there."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"the text {clean(value, LONGEST_FOUND)!r}"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    return "a list" if isinstance(value, list) else _KEYS


def _wanted(error: dict[str, Any]) -> str:
    form = error.get("ctx", {}).get("class_name", "")
    return _FORMS.get(form, _KINDS[error["type"]])


def _instead(kind: str, value: Any) -> str:
    """What to write where it can be seen what is meant."""
    if kind == "string_type" and isinstance(value, (int, float)):
        return "; put it in quotes"
    if kind == "int_type" and isinstance(value, float) and value.is_integer():
        return f"; write {value:.0f}"
    if kind in ("int_type", "float_type") and isinstance(value, str) and value.strip().lstrip("-").isdigit():
        return f"; write {value.strip()} without quotes"
    if kind == "list_type" and isinstance(value, str):
        return f"; write [{clean(value, LONGEST_FOUND)}]"
    return ""


def _near(expected: str, value: Any) -> str:
    near = nearest(str(value), [each.strip("'") for each in expected.replace(" or ", ", ").split(", ")])
    return f"; did you mean {near!r}?" if near else ""
