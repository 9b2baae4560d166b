"""Holds a value to `report.schema.json`, by the few words of JSON Schema that are used there."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from grader.report.json import SCHEMA_FILE

TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
# JSON's numbers have no bound; beyond this one nothing can be computed with them.
LARGEST = sys.float_info.max


def problems(value: Any) -> Iterator[str]:
    """What keeps a value from being a report, each with its place; nothing where it is one."""
    yield from _problems(value, _schema(), "report")


@cache
def _schema() -> Mapping[str, Any]:
    schema: Mapping[str, Any] = json.loads(SCHEMA_FILE.read_text("utf-8"))
    return schema


def _problems(value: Any, schema: Mapping[str, Any], at: str) -> Iterator[str]:
    if "$ref" in schema:
        schema = _schema()["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    if "const" in schema and value != schema["const"]:
        yield f"{at} is {value!r:.40}, not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at} is {value!r:.40}, not one of {', '.join(schema['enum'])}"
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        yield f"{at} is no {' or '.join(kinds)}"
    elif isinstance(value, dict):
        yield from _object(value, schema, at)
    elif isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield f"{at} is empty"
        for index, item in enumerate(value):
            yield from _problems(item, schema.get("items", {}), f"{at}[{index}]")
    elif isinstance(value, str):
        if len(value) < schema.get("minLength", 0) or not re.search(schema.get("pattern", ""), value):
            yield f"{at} is {value!r:.40}, which is not of its form"
    elif isinstance(value, int | float) and not -LARGEST <= value <= LARGEST:
        yield f"{at} is {value!s:.20}, beyond all that is computed with"
    elif isinstance(value, int | float) and not value >= schema.get("minimum", value):
        yield f"{at} is {value}, less than {schema['minimum']}"


def _object(value: Mapping[str, Any], schema: Mapping[str, Any], at: str) -> Iterator[str]:
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{at} has no {name!r}"
    for name, item in value.items():
        if name in known:
            yield from _problems(item, known[name], f"{at}.{name}")
        elif not schema.get("additionalProperties", True):
            yield f"{at} has {name[:40]!r}, which no report has"


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
