"""A small pack that is sound, to be broken in one place at a time."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

from grader.model.check import Check
from grader.model.errors import RubricError
from grader.model.pack import Pack, PackSource
from grader.pack.load import load_pack

PACK = "name: small\nversion: '1'\nseed: 1\n"
LESSON = "embeddings:\n  two: [[1, 2], [3, 4]]\n"
STUB = textwrap.dedent("""
    import torch

    def scale(x, factor, generator=None):
        raise NotImplementedError

    class Layer:
        def __init__(self, d_in, d_out, bias=False):
            raise NotImplementedError

        def forward(self, x):
            raise NotImplementedError
""")
RUBRIC = textwrap.dedent("""\
    title: Scaling
    task: Make a tensor larger.
    steps:
      - id: all
        title: All of it
        points: 3
        of: scale
        check: output
        cases: [random]
        hints: [one, two, three]
      - id: layer
        title: A layer
        points: 2
        of: Layer
        check: dropout
        cases: [wide]
        with:
          rate: bias
          copies: 2
        hints: [one, two, three]
    cases:
      random:
        inputs:
          x: [2, 3]
          factor: 2.0
          generator: {generator: 7}
      wide:
        construct: {d_in: 3, d_out: 5, bias: true}
        inputs:
          x: {uniform: [2, 3], low: 0.5}
    mistakes:
      scale-missing: It is not scaled.
    defines:
      scale: "(x, factor, generator=None)"
      Layer: "class (d_in, d_out, bias=False)"
""")


def written(
    folder: Path,
    rubrics: Mapping[str, str],
    *,
    stubs: Mapping[str, str] | None = None,
    pack: str = PACK,
    lesson: str = LESSON,
    stand_ins: Mapping[str, str] | None = None,
) -> PackSource:
    """A pack's folder with these rubrics, each beside the stub above unless another is given."""
    (folder / "stand_ins").mkdir(parents=True)
    (folder / "pack.yaml").write_text(pack, "utf-8")
    (folder / "lesson.yaml").write_text(lesson, "utf-8")
    for name, rubric in rubrics.items():
        (folder / f"{name}.yaml").write_text(rubric, "utf-8")
        (folder / f"{name}.py").write_text((stubs or {}).get(name, STUB), "utf-8")
    for name, source in (stand_ins or {}).items():
        (folder / "stand_ins" / f"{name}.py").write_text(source, "utf-8")
    return PackSource("small", folder, folder / "fixtures")


def changed(*changes: tuple[str, str], rubric: str = RUBRIC) -> str:
    """The sound rubric with pieces replaced, each of which stands there exactly once."""
    for old, new in changes:
        assert rubric.count(old) == 1, old
        rubric = rubric.replace(old, new)
    return rubric


def problems(source: PackSource, checks: Mapping[str, Check]) -> list[str]:
    """What is wrong with a pack, a line each; empty where it loads."""
    try:
        loaded = load_pack(source, checks)
    except RubricError as error:
        return str(error).splitlines()
    assert isinstance(loaded, Pack)
    return []
