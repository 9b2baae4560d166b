"""Attacks on what is told of a wrong source: by what the parent reads of it, and by its changes while they are tried.

What they must not gain is points, and time: as much of it as honest work may take, and no more.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

from tests.attacks.attack import Attack, attack


def tried(name: str, source: str, *statuses: str, files: Callable[[Path], None] | None = None) -> Attack:
    """An attack whose small changes are tried."""
    return attack(name, source, *statuses, files=files, tries=True)


def nested(line: str, depth: int = 30) -> str:
    """Both functions, wrong, in each of which stands another, in that one more, and in the innermost the line."""
    begins = "".join(f"{' ' * level}def inner{level}(a):\n" for level in range(1, depth))
    ends = "".join(f"{' ' * level}return 1\n" for level in range(depth, 1, -1))
    inner = f"{begins}{' ' * depth}{line}\n{ends}"
    return (
        f"def attention_scores_for_query(query, inputs):\n{inner} return inputs.T @ query\n"
        f"def attention_scores(inputs):\n{inner} return inputs @ inputs\n"
    )


def of_trials(then: str, before: str = "") -> str:
    """A wrong module that does something else where its name shows that it is a changed one. before: at its top."""
    body = textwrap.indent(textwrap.dedent(then).strip(), "        ")
    return f"""
import sys, time, torch
IS_TRIAL = " " in __name__
{textwrap.dedent(before).strip()}
def attention_scores_for_query(query, inputs):
    if IS_TRIAL:
{body}
    return inputs @ query + inputs.sum() * 2 - inputs.max() + 3
def attention_scores(inputs):
    if IS_TRIAL:
{body}
    return inputs @ inputs.T + inputs.sum() * 2 - inputs.max() + 3
"""


def _two_hundred_large(folder: Path) -> None:
    for number in range(200):
        (folder / f"part{number}.py").write_text("x = 1\n" * 10_000, "utf-8")


ATTACKS = (
    tried("call-of-thousands-in-thirty-functions", nested(f"print({', '.join('0' * 3700)})"), "error"),
    tried("names-by-the-hundred-in-thirty-functions",
          nested("; ".join(f"name{number} = a" for number in range(500))), "error"),
    tried("number-that-python-will-not-say", f"""
BITS = 0x{'f' * 6_000}
def attention_scores_for_query(query, inputs):
    return inputs @ query * ((0x{'f' * 6_000} & 1) + 1)
def attention_scores(inputs, bits=0x{'f' * 6_000}):
    return inputs @ inputs.T * ((bits & 1) + (BITS & 1))
""", "failed"),
    tried(
        "two-hundred-large-files-imported",
        "if False:\n    import " + ", ".join(f"part{number}" for number in range(200)) + """
def attention_scores_for_query(query, inputs):
    return inputs.T @ query
def attention_scores(inputs):
    return inputs @ inputs
""",
        "error",
        files=_two_hundred_large,
    ),
    tried("changes-that-make-a-thousand-tensors", of_trials("""
        right = inputs @ inputs.T
        for number in range(900):
            row = right[number % len(right)] * 1.0
    """), "failed"),
    tried("changes-that-sleep", of_trials("time.sleep(0.2)"), "failed"),
    tried("changes-that-sleep-at-import", of_trials("pass", "if IS_TRIAL: time.sleep(1)"), "failed"),
    tried("changes-that-never-end", of_trials("while True: pass"), "failed"),
    tried("changes-that-end-the-process", of_trials("pass", "if IS_TRIAL: __import__('os')._exit(0)"), "failed"),
    tried("changes-that-are-right", of_trials("return inputs @ (inputs.T if sys._getframe().f_code.co_argcount == 1 "
                                              "else query)"), "failed"),
    tried("changes-that-raise-what-they-were-given", of_trials("raise RuntimeError(CLAIM)"), "failed"),
    tried("changes-that-put-the-original-right", of_trials("""
        module = sys.modules["exercises.ex01_dot_product_scores"]
        module.attention_scores = lambda inputs: inputs @ inputs.T
        module.attention_scores_for_query = lambda query, inputs: inputs @ query
    """), "failed"),
    tried("changes-that-lie-of-their-answers", of_trials("pass", """
        if IS_TRIAL:
            import grader.worker.perform as perform
            from grader.model.observation import Fault, Frame
            def performed(self, actions, tensors, limit):
                frames = (Frame("ex01_dot_product_scores.py", 10**6, CLAIM), Frame(CLAIM, 3, CLAIM))
                return {"fault": Fault("exception", type=CLAIM, message=CLAIM, frames=frames), "returned": {}}, {}
            perform.Performer.perform = performed
    """), "failed"),
)  # fmt: skip
