"""What is typed at the desk: a key for an action, or the answer to a question that was asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, auto

from grader.desk.keys import Keys
from grader.desk.screen import Screen
from grader.words import say

QUIT = "q"
ERASE = ("\x7f", "\b")


class Kind(Enum):
    """What is expected."""

    KEY = auto()
    NUMBER = auto()
    CONSENT = auto()
    LINE = auto()


class Prompt:
    """Asks one thing at a time. A key has no effect but those of `actions`, by letter."""

    def __init__(self, screen: Screen, keys: Keys, actions: Mapping[str, Callable[[], None]]) -> None:
        self._screen, self._keys, self._actions = screen, keys, actions
        self._kind, self._digits = Kind.KEY, ""
        self._then: Callable[[str], None] = lambda _: None

    @property
    def is_there(self) -> bool:
        """Whether anybody can answer."""
        return self._keys.is_there

    @property
    def is_asking(self) -> bool:
        """Whether an answer is awaited, rather than a key."""
        return self._kind is not Kind.KEY

    @property
    def is_line(self) -> bool:
        """Whether a line is being typed, which nothing else may write into."""
        return self._kind is Kind.LINE

    def typed(self, text: str) -> None:
        """Deal with a key or, where the input is no terminal or a line was asked for, with a line."""
        match self._kind:
            case Kind.KEY:
                action = self._actions.get(text[:1].lower())
                if action is not None:
                    action()
            case Kind.NUMBER if text.lower() == QUIT and QUIT in self._actions:  # as everywhere else
                self.drop()
                self._actions[QUIT]()
            case Kind.NUMBER if self._keys.is_terminal:
                self._typed_digit(text)
            case Kind.CONSENT:
                self._answered("y" if text.lower() in ("y", "yes", say("desk.yes")) else "")
            case _:
                self._answered(text)

    def ask_number(self, question: str, then: Callable[[str], None]) -> None:
        """Ask for a number. then: gets what was typed, "" for none."""
        self._ask(Kind.NUMBER, question, then)

    def ask_consent(self, question: str, then: Callable[[str], None]) -> None:
        """Ask for a yes. then: gets "y", or "" for whatever else was pressed."""
        self._ask(Kind.CONSENT, question, then)

    def ask_line(self, question: str, then: Callable[[str], None]) -> None:
        """Ask for a line of text. then: gets it."""
        self._ask(Kind.LINE, question, then)

    def drop(self) -> None:
        """Ask nothing any more."""
        self._kind, self._digits = Kind.KEY, ""
        self._keys.single()

    def _ask(self, kind: Kind, question: str, then: Callable[[str], None]) -> None:
        self.drop()
        self._kind, self._then = kind, then
        if kind is Kind.LINE:  # before the question is seen, or what is typed at once would be keys
            self._keys.a_line()
        self._screen.ask(question)

    def _answered(self, answer: str) -> None:
        then = self._then
        self.drop()
        then(answer)

    def _typed_digit(self, key: str) -> None:
        """A terminal gives its digits one by one, and does not show them."""
        if key.isascii() and key.isdigit():
            self._digits += key
            self._screen.echo(key)
        elif key in ERASE and self._digits:
            self._digits = self._digits[:-1]
            self._screen.echo("\b \b")
        elif key not in ERASE:
            self._answered(self._digits if key in "\r\n" else "")
