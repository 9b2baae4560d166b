"""Attacks on whoever reads the report: terminals, browsers, spreadsheets, CI runners, and programs."""

from __future__ import annotations

from tests.attacks.attack import Attack, attack

RAISED = """
def attack():
    raise RuntimeError({said!r})
"""
# Answers with a fault of its own making, as a submission can that replaces what the worker runs.
FAULT = """
import grader.worker.perform as perform
from grader.model.observation import Fault, Frame
def performed(self, actions, tensors, limit):
    said = {said!r}
    frames = (Frame(said, 1, said), *{frames})
    fault = Fault({kind!r}, type=said, message=said, frames=frames, names=(said, said), signature=said)
    return {{"fault": fault, "returned": {{}}}}, {{}}
perform.Performer.perform = performed
def attack():
    return None
"""
EVERYTHING = "\x1b[2J\x9b31m\u202e\u2066\r\n::error::all is well\n##[error]\ud800\ufeff\U000e0041\x00\u2028[/x]<script>"


def said(name: str, text: str) -> Attack:
    """An attack by the message of an exception."""
    return attack(name, RAISED.format(said=text), "error")


OWN_FRAME = '(Frame("ex01_dot_product_scores.py", 1, said),)'


def forged(name: str, kind: str, status: str, frames: str = OWN_FRAME) -> Attack:
    """An attack by every text of a fault of one kind."""
    return attack(f"forged-{name}", FAULT.format(kind=kind, said=EVERYTHING, frames=frames), status)


ATTACKS = (
    said("colours", "\x1b[2J\x1b[H\x1b[1;32m✓ 5 / 5\x1b[0m"),
    said("window-title", "\x1b]0;passed\x07\x1b]52;c;cGFzc2Vk\x07"),
    said("link-by-osc-8", "\x1b]8;;https://example.org\x1b\\the grade\x1b]8;;\x1b\\"),
    said("escapes-of-one-byte", "\x9b2J\x9d0;passed\x9c\x90q\x9c\x85score 5 / 5"),
    said("directions", "\u202escore \u2066 5 / 5 \u2069\u202c\u200f\u061c"),
    said("characters-nobody-sees", "\u200b\u200d\ufeff\u00ad\U000e0041\U000e007f\u2028\u2029\ue000"),
    said("carriage-return", "no\rscore  5 / 5\x08\x08\x7f\x0b\x0c\x1c\x1d\x1e\x1f"),
    said("markup-of-rich", "[/x] [bold green]5 / 5[/] [link=https://example.org]here[/link] :smiley: [[/"),
    said("markup-of-html", "<script>alert(1)</script><img src=x onerror=alert(1)>&lt;![CDATA[]]>-->"),
    said("formula-of-a-spreadsheet", "=cmd|'/C calc'!A1\n+1\n-1\n@SUM(A1)\n\t=1"),
    said("characters-xml-has-not", "\x00\x01\x08\x0b\x1f\ufffe\uffff\ud800"),
    said("markdown-out-of-its-fence", "```\n# 5 / 5\n| a | b |\n````\n~~~\n![x](https://example.org)"),
    said("json-out-of-its-string", '"}], "score": 5, "exercises": [{"score": 5, "steps": []}], "x": "'),
    said("commands-on-lines-of-their-own", "x\n::error::all is well\r\n::stop-commands::x\n\t::add-mask::5"),
    said("surrogates", "\ud800\udfff \udc80"),
    attack("message-of-ten-megabytes", "def attack():\n    raise RuntimeError('::error::x ' * 1_000_000)", "error"),
    # What is told of an exception is wrapped after 72 characters, its type's name and a colon among them.
    said("command-where-the-line-is-wrapped", "x " * 29 + "::set-output name=points::5 ::error::hm"),
    said("command-where-a-long-word-is-broken", "x" * 58 + "::error::" + "x" * 30),
    said("command-of-the-old-form", "passed ##[set-output name=points;]5 ##[group]x"),
    attack(
        "command-of-the-old-form-in-pieces",
        """
        def attack():
            raise RuntimeError("#\\x00#\\u200b[error]x #\\x1b#[error]y")
        """,
        "error",
    ),
    attack(
        "message-that-cannot-be-shown",
        """
        class Odd(Exception):
            def __str__(self):
                raise Odd
            __repr__ = __str__
        def attack():
            raise Odd
        """,
        "error",
    ),
    attack(
        "message-that-is-no-text",
        """
        class Text(str):
            def __getitem__(self, key):
                return 5
        class Odd(Exception):
            def __str__(self):
                return Text("x")
        def attack():
            raise Odd
        """,
        "error",
    ),
    attack(
        "exception-with-a-name-of-its-own",
        f"""
        Odd = type({EVERYTHING.replace(chr(0), "").replace(chr(0xD800), "")!r}, (Exception,), {{}})
        def attack():
            raise Odd("x")
        """,
        "error",
    ),
    attack(
        "type-with-a-name-of-its-own",
        f"""
        Odd = type({EVERYTHING.replace(chr(0), "").replace(chr(0xD800), "")!r}, (tuple,), {{}})
        Odd.__module__ = "\\x1b[2J\\n::error"
        def attack():
            return Odd((1, 2))
        """,
        "failed",
    ),
    attack(
        "names-of-functions",
        f"""
        for number in range(5):
            name = f"{{number}}" + {EVERYTHING!r}
            globals()[name] = type("x", (), {{"__module__": __name__}})
        """,
        "failed",
    ),
    attack(
        "signature",
        f"""
        class Odd:
            def __repr__(self):
                return {EVERYTHING!r}
        def attention_scores_for_query(query, inputs, more, *, odd=Odd()):
            pass
        attention_scores = attention_scores_for_query
        """,
        "failed",
    ),
    attack(
        "line-of-source",
        """
        def attack():
            raise RuntimeError("\x1b[2J\x9b31m\u202e\u2066\u200b ##[error]x")  # \x1b]0;x\x07 \u202e ##[group]
        """,
        "error",
    ),
    attack(
        "line-that-cannot-be-written",
        """
        if f"{'\u00ad'}":
            def attention_scores(inputs):
                return None
            def attention_scores_for_query(query, inputs):
                return None
        if f"{'\u00ad'}" == "":
            def attention_scores(inputs):
                return None
        del attention_scores, attention_scores_for_query
        """,
        "failed",
    ),
    attack(
        "line-that-cannot-be-read",
        """
        def attack(:  # \x1b[2J\u202e\u2066\x9b ##[error]x
        """,
        "error",
    ),
    attack(
        "file-of-another-name",
        f"""
        code = compile("def attack():\\n    raise RuntimeError", "ex01_dot_product_scores.py", "exec")
        exec(code.replace(co_name={EVERYTHING!r}[:9]), globals())
        def attention_scores_for_query(query, inputs):
            return attack()
        attention_scores = attention_scores_for_query
        """,
        "error",
    ),
    attack(
        "printed",
        f"""
        import ctypes, os, sys
        SAID = {EVERYTHING!r}.replace("\\ud800", "")
        def attack():
            print(SAID, SAID * 100_000)
            print(SAID, file=sys.__stderr__)
            ctypes.CDLL(None).puts(SAID.encode())
        """,
        "failed",
    ),
    *(forged(f"fault-{kind}", kind, "error") for kind in ("exception", "exit", "syntax")),
    *(
        forged(f"fault-{kind}", kind, "failed")
        for kind in ("missing", "signature", "kind", "weights", "detached", "answer")
    ),
    forged("fault-of-no-kind", EVERYTHING, "failed"),
    forged("fault-in-a-file-of-another-name", "exception", "error", "()"),
)  # fmt: skip
