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
from grader.words import say

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

TEMPLATES = Path(__file__).with_name("templates")
FRAGMENT = "grade-report"  # the class of a fragment's box


def page(template: str, script: str = "", **values: Any) -> Iterator[str]:
    """A page in pieces. template, script: files beside the templates; script: "" for none.

    values: the template's, and for each page `language`, the code of the one it is in.
    """
    from markupsafe import Markup

    style = _own("page.css")
    code = _own(script) if script else ""
    policy = [
        "default-src 'none'",
        f"style-src '{_hash(style)}'",
        f"script-src '{_hash(code)}'" if code else "script-src 'none'",
        "img-src data:",  # heat maps that are too large for SVG
        "base-uri 'none'",
        "form-action 'none'",
    ]
    filled = _environment().get_template(template)
    return filled.generate(style=Markup(style), script=Markup(code), policy="; ".join(policy), **values)


def fragment(template: str, **values: Any) -> str:
    """A part of somebody else's page, such as a notebook. Its style is nested, so that it applies inside it alone:
    https://www.w3.org/TR/css-nesting-1/"""
    from markupsafe import Markup

    nested = f".{FRAGMENT} {{ padding: .2rem 1rem; {_own('page.css').replace(':root', '&')}}}"
    return _environment().get_template(template).render(style=Markup(nested), **values)


def part(template: str, **values: Any) -> Markup:
    """A part of a page or of a fragment."""
    from markupsafe import Markup

    return Markup(_environment().get_template(template).render(**values))


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
    environment.globals["say"] = say
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
