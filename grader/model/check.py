"""What a check is: it writes the run that a step needs, and judges what came back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from grader.model.case import Case, Expected
from grader.model.observation import Observation
from grader.model.pack import Exercise, Naming, Step
from grader.model.report import Picture
from grader.model.run import Run


@dataclass(frozen=True, slots=True)
class Question:
    """A step asked on one case, on one device and in one floating-point type.

    naming: which spellings of weights the pack accepts. loaded: slots of the solution that hold the case's weights.
    """

    exercise: Exercise
    step: Step
    case: Case
    device: str = "cpu"
    dtype: str = "float32"
    naming: Naming = field(default_factory=Naming)
    loaded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found on one case: right, or the one sentence that says what is not.

    notes: what was accepted although it is not the lesson's own way. mistake: the contract's id of a known mistake,
    only where the evidence is certain; also: those of further ones. at: the action whose definition is to be looked at,
    where it is not the last. about: the slot that it speaks of, as the module calls it. draws_from: the argument that
    random numbers have to come from, where they do not. repeats: whether each call draws the same. else_said: the
    sentence to be said, and no mistake, where the source speaks against it. picture: of the result beside the right
    one, drawn by the judge and not by a check. nearly: how near is near enough, where a result is nearly right.
    besides: sentences on what else is wrong in the same answer, whatever is done about that.
    """

    right: bool
    summary: str = ""
    notes: tuple[str, ...] = ()
    mistake: str = ""
    at: str = ""
    about: str = ""
    also: tuple[str, ...] = ()
    draws_from: str = ""
    repeats: bool = False
    else_said: str = ""
    picture: Picture | None = None
    nearly: str = ""
    besides: tuple[str, ...] = ()

    @property
    def mistakes(self) -> tuple[str, ...]:
        """Every known mistake, each once."""
        return tuple(dict.fromkeys(name for name in (self.mistake, *self.also) if name))


RIGHT = Finding(True)


def wrong(summary: str, mistake: str = "", at: str = "", draws_from: str = "") -> Finding:
    """The finding that something is not right, said in one sentence."""
    return Finding(False, summary, mistake=mistake, at=at, draws_from=draws_from)


class CaseArgument(str):
    """The type of an option that names an argument, of the call or of the constructor, that every case has to give."""


class ConstructorArgument(CaseArgument):
    """The same of an argument of the constructor."""


class Check(Protocol):
    """A kind of check, named by a rubric's `check:`.

    name: what rubrics call it. compares: whether `judge` needs the reference's observation of the same run.
    explained: whether its result may be looked up among those of known mistakes.
    options: the keys allowed under `with:`, each with its type.
    """

    @property
    def name(self) -> str: ...
    @property
    def compares(self) -> bool: ...
    @property
    def explained(self) -> bool: ...
    @property
    def options(self) -> Mapping[str, type]: ...

    def plan(self, question: Question) -> Run:
        """The run to perform, the same for every solution; weights named as the reference names them.

        A new one for each question: by the run what was answered to it is remembered.
        """
        ...

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        """What the answer shows. Called only for runs that were answered whole.

        It may rest on the question, on what is expected, and on what was seen but for `lines` and `printed`: who
        answers the same is right without being judged again.
        """
        ...
