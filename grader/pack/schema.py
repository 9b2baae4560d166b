"""The form of a rubric and of a pack's own file. pydantic, because it reports every problem and not only the first.

Imported only where a rubric is read: it costs more to import than to use.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, model_validator

Shape = list[Annotated[int, Field(ge=0)]]
WORD = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"
SIGNATURE = r"^(class )?\([^()]*\)$"
SIZE = r"^[A-Za-z_]\w*( \* [A-Za-z_]\w*)*( / [A-Za-z_]\w*)?$"
# What each asks for, in words to follow "must be".
PATTERNS = {
    WORD: "small letters, digits and single hyphens, such as `rows-sum`, with a letter first",
    NAME: "a name as Python has it, such as `d_in`",
    SIGNATURE: "`(names)` of a function or `class (names)` of a constructor",
    SIZE: "names with ` * ` or ` / ` between them, such as `B * T`",
}
Word = Annotated[str, Field(pattern=WORD)]
Name = Annotated[str, Field(pattern=NAME)]
Text = Annotated[str, Field(min_length=1)]
Signature = Annotated[str, Field(pattern=SIGNATURE)]
Size = Annotated[str, Field(pattern=SIZE)]
Number = bool | int | float
DRAW_KINDS = ("normal", "uniform", "zeros", "eye", "triangle", "values", "lesson", "join", "stack", "repeat", "integer")


# Which settings belong to which kind.
SETTINGS = {
    "normal": ("std",),
    "uniform": ("low", "high"),
    "join": ("axis",),
    "repeat": ("axis", "times"),
}


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


def _shape_is_normal(value: Any) -> Any:
    return {"normal": value} if isinstance(value, list) else value


class DrawModel(Strict):
    """A tensor: exactly one of the kinds, with the settings that belong to it. A bare list is a normal's shape."""

    normal: Shape | None = Field(None, description="shape of standard normal numbers, times `std`")
    uniform: Shape | None = Field(None, description="shape of numbers between `low` and `high`")
    zeros: Shape | None = Field(None, description="shape of zeros")
    eye: Annotated[int, Field(ge=0)] | None = Field(None, description="size of an identity matrix")
    triangle: Annotated[int, Field(ge=0)] | None = Field(
        None, description="size of a truth-value matrix, true above the diagonal"
    )
    values: list[Any] | None = Field(None, description="the numbers themselves, nested as the axes are")
    lesson: str | None = Field(None, description="an entry of lesson.yaml, such as embeddings.drives")
    join: list[DrawInput] | None = Field(None, description="tensors put one after the other along `axis`")
    stack: list[DrawInput] | None = Field(None, description="tensors put side by side along a new first axis")
    repeat: DrawInput | None = Field(None, description="a tensor, `times` times along `axis`")
    integer: Annotated[list[int], Field(min_length=2, max_length=2)] | None = Field(
        None, description="a whole number between two bounds, passed as a number and not as a tensor"
    )
    std: float = 1.0
    low: float = 0.0
    high: float = 1.0
    axis: int = 0
    times: int = 2

    @model_validator(mode="after")
    def _one_kind(self) -> DrawModel:
        given = [kind for kind in DRAW_KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            raise ValueError(f"name exactly one kind of tensor ({', '.join(DRAW_KINDS)}); found {len(given)}")
        foreign = self.model_fields_set - {given[0], *SETTINGS.get(given[0], ())}
        if foreign:
            raise ValueError(f"{', '.join(sorted(foreign))} means nothing beside {given[0]}")
        return self


DrawInput = Annotated[DrawModel, BeforeValidator(_shape_is_normal)]


class GeneratorModel(Strict):
    """A `torch.Generator`, seeded."""

    generator: int


def _input_kind(value: Any) -> str:
    if isinstance(value, (bool, int, float)):
        return "number"
    return "generator" if isinstance(value, dict) and "generator" in value else "tensor"


InputModel = Annotated[
    Annotated[Number, Tag("number")]
    | Annotated[GeneratorModel, Tag("generator")]
    | Annotated[DrawInput, Tag("tensor")],
    Discriminator(_input_kind),
]


class CaseModel(Strict):
    """One set of inputs."""

    constructor: dict[Name, Number] = Field(
        {}, alias="construct", description="constructor arguments, in the order of the signature"
    )
    inputs: dict[Name, InputModel] = Field({}, description="arguments of the call, in the order of the signature")
    weights: dict[str, DrawInput] = Field(
        {}, description="weights that are not simply normal, by the reference's names"
    )
    weight_std: float = Field(0.7, gt=0, description="standard deviation of the other weights")
    figure: str | None = Field(None, description="entry of lesson.yaml that the reference's result must reproduce")
    within: float = Field(1e-4, gt=0, description="how far from that figure, which is printed rounded")
    relative: float | None = Field(None, gt=0, description="tolerance relative to the largest expected value")


class SoftmaxModel(Strict):
    """What softmax makes of several stages, drawn beside each other."""

    of: list[Name] = Field(min_length=2, description="stages of the step; the last is its last one, its result")
    case: Word = Field(description="the step's case of which they are drawn, as it is in the fixtures")


class StepModel(Strict):
    """A graded part of the exercise."""

    id: Word
    title: Text
    points: int = Field(gt=0)
    of: Name = Field(description="the function or class of the stub that is asked")
    check: Word = Field(description="the kind of check")
    cases: list[Word] = Field(min_length=1)
    needs: list[str] = Field([], description="steps without which this one says nothing")
    relies_on: list[str] = Field([], description="steps whose modules a stand-in replaces where they are not passed")
    stages: list[Name] = Field([], description="intermediate results, by the reference's local names")
    credit: dict[Name, int] = Field({}, description="points for a stage that is right where the result is not")
    hints: list[Text] = Field(min_length=3, description="a ladder: a question, the idea, nearly the answer")
    options: dict[str, Any] = Field({}, alias="with", description="the check's own settings")
    visibility: Literal["visible", "hidden", "after_due_date"] = Field(
        "visible", description="whether students are told of it; its points count all the same"
    )
    softmax: SoftmaxModel | None = Field(None, description="stages whose softmax is drawn beside each other")


class RubricModel(Strict):
    """A rubric: one YAML file beside each stub."""

    title: Text
    task: Text
    after: str = Field("", description="what to read after a pass: why it works, and where it is used")
    defines: dict[Name, Signature] = Field(
        min_length=1, description="what the stub defines: `(names)` of a function, `class (names)` of a constructor"
    )
    axes: dict[Name, list[Name]] = Field({}, description="what the axes of an input are called, as in [B, T, d_in]")
    sizes: list[Size] = Field([], description="sizes made of others, such as `B * T` or `d_out / num_heads`")
    meanings: dict[Name, Text] = Field({}, description="what a stage is, in words to follow its name")
    steps: list[StepModel] = Field(min_length=1)
    cases: dict[Word, CaseModel]
    mistakes: dict[Word, Text] = Field({}, description="what to say of a known mistake, by its id")


class StepWordsModel(Strict):
    """A step's texts in another language."""

    title: Text | None = None
    hints: list[Text] | None = None


class WordsModel(Strict):
    """A rubric's texts in another language: its prose under the very same keys, steps by their ids."""

    title: Text | None = None
    task: Text | None = None
    after: Text | None = None
    meanings: dict[Name, Text] = {}
    steps: dict[Word, StepWordsModel] = {}
    mistakes: dict[Word, Text] = {}


class FusedModel(Strict):
    """One projection for several roles."""

    roles: list[Name] = Field(description="in the lesson's order")
    names: list[Name] = Field(description="what it may be called")


class PackModel(Strict):
    """A pack's own file, `pack.yaml`."""

    name: Word
    version: Text
    seed: int = Field(ge=0, description="of the public cases")
    aliases: dict[Name, list[Name]] = Field({}, description="accepted spellings of a part's name")
    fused: list[FusedModel] = Field([], description="kinds of projections that hold several roles side by side")
    around: list[Name] = Field([], description="words that may stand before or behind each of these names")
    optional: list[str] = Field([], description="parameters a right solution may leave out; loaded as zeros")
    ending: str = Field("", description="the step whose class draws a student's own attention when all is passed")


def json_schema() -> str:
    """The JSON Schema of a rubric, for editors: what `rubric.schema.json` beside the rubrics must hold."""
    schema = RubricModel.model_json_schema(by_alias=True)
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=2) + "\n"


if __name__ == "__main__":
    print(json_schema(), end="")
