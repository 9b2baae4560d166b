"""Fills the templates. Whatever goes into a page is text there and never markup, and a page can fetch nothing.

The policy that each page carries lets a browser run and apply nothing but our own script and style, known by their
hashes: https://www.w3.org/TR/CSP3/#security-hash-algorithms
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.model.text import clean_line, plural, points, printable

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).with_name("templates")


def page(template: str, script: str = "", **values: Any) -> Iterator[str]:
    """A page in pieces. template, script: files beside the templates; script: "" for none."""
    from markupsafe import Markup

    style = _own("page.css")
    code = _own(script) if script else ""
    policy = [
        "default-src 'none'",
        f"style-src '{_hash(style)}'",
        f"script-src '{_hash(code)}'" if code else "script-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    filled = _environment().get_template(template)
    return filled.generate(style=Markup(style), script=Markup(code), policy="; ".join(policy), **values)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        # Said outright: what guesses by a template's name guesses that these need none.
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"points": points, "plural": plural, "code_line": clean_line}
    return environment


def _finalized(value: object) -> object:
    """Student text without what a browser obeys beside markup, such as controls that turn its direction."""
    return printable(value) if type(value) is str else value


@cache
def _own(name: str) -> str:
    return "\n" + (TEMPLATES / name).read_text("utf-8")


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
