"""A question is asked when its answer can be typed."""

from __future__ import annotations

from typing import cast

from grader.desk.keys import Keys
from grader.desk.prompt import Prompt
from grader.desk.screen import Screen


class Desk:
    """A screen and keys that note in which order they are asked."""

    is_there = is_terminal = True

    def __init__(self) -> None:
        self.noted: list[str] = []
        self.prompt = Prompt(cast(Screen, self), cast(Keys, self), {"q": lambda: self.noted.append("quit")})

    def ask(self, question: str) -> None:
        self.noted.append(question)

    def single(self) -> None:
        self.noted.append("a key")

    def a_line(self) -> None:
        self.noted.append("a line")


def test_a_line_can_be_typed_before_the_question_is_seen() -> None:
    desk, answers = Desk(), list[str]()

    desk.prompt.ask_line("Which sentence?", answers.append)

    assert desk.noted == ["a key", "a line", "Which sentence?"]
    desk.prompt.typed("every token looks")
    assert answers == ["every token looks"]
    assert desk.noted[-1] == "a key"


def test_where_a_number_is_asked_for_q_quits_as_it_does_elsewhere() -> None:
    desk, answers = Desk(), list[str]()
    desk.prompt.ask_number("Which number?", answers.append)

    desk.prompt.typed("q")

    assert (desk.noted[-1], answers, desk.prompt.is_asking) == ("quit", [], False)
