"""Draws attention over a sentence with the class that the student wrote, in the worker, and by nothing else.

A module's `forward` gives context vectors and no weights. But a context vector is the sum of the values by the weights:
where the value of token j is the j-th unit vector, it is the row of weights itself. So the student's own class is asked
for the context of such values, and what comes back is its attention.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any

import numpy as np

from grader.desk.events import Drawn
from grader.judge import compare
from grader.judge.ask import Asker
from grader.judge.checks.asking import RESULT
from grader.judge.checks.output import Output
from grader.model.case import PUBLIC, Case
from grader.model.errors import GraderError
from grader.model.observation import Observation
from grader.model.pack import CaseTemplate, Draw, Exercise, Step
from grader.model.report import Matrix
from grader.model.run import OWN
from grader.model.submission import Submission
from grader.model.text import clean
from grader.runner.bench import set_up
from grader.runner.session import Session
from grader.words import say

MOST_TOKENS = 10
LONGEST_TOKEN = 40
# Numbers of a word's vector: enough that words of different letters hardly meet.
SPELLING = 32
# What a full match adds to a score, after scaling: e to the 5 is a hundred and fifty times the weight of no match.
CERTAIN = 5.0
HEADS = 2
SECONDS = 10.0


class NotDrawn(GraderError):
    """The student's class gave no attention weights for this sentence."""


def tokens_of(sentence: str) -> tuple[str, ...]:
    """The words of a sentence, so many at most."""
    return tuple(clean(word, LONGEST_TOKEN) for word in sentence.split() if clean(word))[:MOST_TOKENS]


def attention(session: Session, submission: Submission, tokens: tuple[str, ...], number: int) -> Drawn:
    """What each head of the student's class attends to. Raises NotDrawn."""
    exercise, step = _class_of_the_ending(session)
    width = max(SPELLING, len(tokens))
    case = _case(tokens, width)
    bench = set_up(session, submission, "cpu")
    with closing(bench.solver):
        bench.start_clock(SECONDS)
        asker = Asker(bench)
        question = asker.question(exercise, step, case)
        run = session.plugins.checks[Output.name].plan(question)
        ways = asker.bound(question, run, OWN)
        seen = [ways] if isinstance(ways, Observation) else (asker.observe(way.run, OWN) for way in ways)
        for each in seen:
            weights = _weights(each, len(tokens), width)
            if weights is not None:
                return Drawn(number, tokens, dict(zip(_looked_for(), weights, strict=True)))
    raise NotDrawn(say("desk.not-drawn", written=step.of))


def _looked_for() -> tuple[str, str]:
    return say("desk.words-like-it"), say("desk.word-before")


def _class_of_the_ending(session: Session) -> tuple[Exercise, Step]:
    for exercise in session.pack.exercises:
        for step in exercise.steps:
            if step.id == session.pack.ending:
                return exercise, step
    raise NotDrawn(say("desk.no-ending"))


def _case(tokens: tuple[str, ...], width: int) -> Case:
    """Inputs and weights with which each head looks for what its name says. x: (1, T, width + T + 1)."""
    count, heads = len(tokens), HEADS
    places = np.eye(count)
    x = np.concatenate([_spelling(tokens, width), places, np.ones((count, 1))], axis=1)
    # Scores are divided by the square root of a head's width, which is undone here.
    strength = (CERTAIN * width**0.5) ** 0.5
    queries, keys, values = (np.zeros((heads, width, x.shape[1])) for _ in range(3))
    queries[0, :, :width] = keys[0, :, :width] = strength * np.eye(width)
    queries[1, :count, width:-1] = strength * places
    keys[1, :count, width:-1] = strength * np.eye(count, k=-1)  # word i answers to the place i + 1
    values[:, :count, width:-1] = places
    slots = {
        **{f"{name}.weight": array.reshape(heads * width, -1) for name, array in
           (("W_query", queries), ("W_key", keys), ("W_value", values))},
        "out_proj.weight": np.eye(heads * width),
        "out_proj.bias": np.zeros(heads * width),
    }  # fmt: skip
    construct = {
        "d_in": x.shape[1], "d_out": heads * width, "context_length": count, "dropout": 0.0, "num_heads": heads,
    }  # fmt: skip
    template = CaseTemplate("sentence", construct, {"x": Draw("normal", (1, *x.shape))})
    return Case(template, PUBLIC, {"x": _single(x[None])}, {name: _single(array) for name, array in slots.items()})


def _spelling(tokens: tuple[str, ...], width: int) -> Any:
    """A unit vector for each word, (T, width), made of its parts: words that share letters lie near one another."""
    vectors = np.zeros((len(tokens), width))
    for row, token in enumerate(tokens):
        for part in _parts(token.lower()):
            number = zlib.crc32(part.encode("utf-8", "replace"))
            vectors[row, number % width] += 1 if number & 0x8000_0000 else -1
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths == 0, 1, lengths)


def _parts(token: str) -> Iterator[str]:
    """A word's beginning, end and every two letters in turn."""
    framed = f"<{token}>"
    return (framed[at : at + 2] for at in range(len(framed) - 1))


def _weights(seen: Observation, count: int, width: int) -> list[Matrix] | None:
    """Each head's rows, (T, T); None unless they are weights: none below zero, each row 1 in sum."""
    if not seen.is_whole:
        return None
    context = compare.tensor(seen, RESULT)
    if context is None or context.shape != (1, count, HEADS * width):
        return None
    rows = np.asarray(context, np.float64)[0].reshape(count, HEADS, width)[:, :, :count].swapaxes(0, 1)
    if not (np.all(rows > -1e-4) and np.allclose(rows.sum(-1), 1, atol=1e-3)):
        return None
    return [tuple(tuple(float(value) for value in row) for row in head) for head in rows]


def _single(array: Any) -> Any:
    return np.ascontiguousarray(array, np.float32)


def described(tokens: tuple[str, ...], heads: Mapping[str, Matrix]) -> str:
    """Where the last word looks most, in words, for whoever does not see the picture."""
    if not tokens:
        return ""
    said = []
    for name, matrix in heads.items():
        most = max(range(len(tokens)), key=lambda column: matrix[-1][column])
        said.append(f"{name}: {tokens[most]}")
    return say("desk.looks-most-at", token=tokens[-1], heads="; ".join(said))
