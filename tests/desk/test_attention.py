"""A student's own class draws its own attention, however it is written, and what is no attention is not drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from grader.desk.attention import MOST_TOKENS, NotDrawn, attention, described, tokens_of
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.submission import Submission
from grader.plugins.registry import Plugins
from grader.runner.processes.zygote import Zygote
from grader.runner.session import Session

ROOT = Path(__file__).resolve().parents[2]
EXERCISE = "ex12_multi_head_attention"
WRITTEN = {path.parent.name: path for path in sorted((ROOT / "solutions").glob(f"*/**/{EXERCISE}.py"))}
RIGHT = [name for name in WRITTEN if name not in ("zeros", "copies")]
SENTENCE = ("attend", "to", "attention")


@pytest.fixture(scope="module")
def session(plugins: Plugins, pack: Pack, zygote: Zygote) -> Iterator[Session]:
    opened = Session(plugins, pack, Order(device="cpu"), zygote)
    yield opened
    opened.close()


def drawn(session: Session, name: str) -> Mapping[str, np.ndarray]:
    """What the modules of a solution draw, those that it lacks taken from the reference."""
    folders = (WRITTEN["reference"].parent, WRITTEN[name].parent)
    modules = {path.stem: path.read_bytes() for folder in folders for path in folder.glob("ex*.py")}
    submission = Submission("ada", Path("ada"), "0" * 64, modules)
    heads = attention(session, submission, SENTENCE, 1).heads
    return {name: np.array(matrix) for name, matrix in heads.items()}


@pytest.mark.parametrize("name", RIGHT)
def test_every_right_way_of_writing_it_draws_the_same(session: Session, name: str) -> None:
    expected = drawn(session, "reference")

    found = drawn(session, name)

    for head, weights in found.items():
        np.testing.assert_allclose(weights, expected[head], atol=1e-5)


def test_heads_look_for_what_they_are_said_to(session: Session) -> None:
    alike, before = drawn(session, "reference").values()

    assert np.allclose(np.triu(alike, 1), 0)
    assert np.allclose(alike.sum(-1), 1, atol=1e-5)
    assert alike[2, 0] > 5 * alike[2, 1], "`attention` is spelt like `attend`, and not like `to`"
    assert before[1, 0] > 0.9
    assert before[2, 1] > 0.9


def test_a_class_that_gives_no_weights_is_not_drawn(session: Session) -> None:
    for name in ("zeros", "copies"):
        with pytest.raises(NotDrawn, match="Your MultiHeadAttention gave no attention weights"):
            drawn(session, name)


def test_a_sentence_is_its_first_words_without_what_a_terminal_would_obey() -> None:
    assert tokens_of(" the \033[31mcat\u202e  sat ") == ("the", "[31mcat", "sat")
    assert len(tokens_of("word " * 100)) == MOST_TOKENS
    assert tokens_of(" \t\u200b ") == ()


def test_words_say_what_the_picture_shows() -> None:
    heads = {"the word before": ((1.0, 0.0), (0.9, 0.1))}

    assert described(("the", "cat"), heads) == "From cat the heads look most at these. the word before: the."
