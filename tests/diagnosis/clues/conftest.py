"""How much of a source a clue looks at."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from grader.model.syntax import walk

Looked = Callable[[ModuleType, Callable[[], object]], int]


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> Looked:
    """How many nodes a module's code walks over."""

    def count(module: ModuleType, look: Callable[[], object]) -> int:
        nodes: list[ast.AST] = []

        def counting(node: ast.AST) -> Iterator[ast.AST]:
            for each in walk(node):
                nodes.append(each)
                yield each

        monkeypatch.setattr(module, "walk", counting)
        look()
        return len(nodes)

    return count
