"""Every hook says when it is called, with what, and what its result means."""

from __future__ import annotations

import inspect

import pytest

from grader.plugins import hooks
from grader.plugins.registry import Plugins

HOOKS = {name: value for name, value in vars(hooks).items() if name.startswith("grader_")}


def test_the_manager_knows_exactly_these_hooks(plugins: Plugins) -> None:
    known = {name for name in vars(plugins.manager.hook) if name.startswith("grader_")}

    assert known == set(HOOKS)


@pytest.mark.parametrize("name", sorted(HOOKS))
def test_a_hook_says_when_it_is_called(name: str) -> None:
    first, *rest = (inspect.getdoc(HOOKS[name]) or "").splitlines()

    assert first.startswith(("Give ", "Hear "))
    assert "Called " in " ".join(rest)


@pytest.mark.parametrize("name", sorted(n for n, hook in HOOKS.items() if "Give" in (hook.__doc__ or "")))
def test_a_hook_that_is_asked_for_something_has_no_answer_of_its_own(name: str) -> None:
    arguments = dict.fromkeys(inspect.signature(HOOKS[name]).parameters, "attention")

    with pytest.raises(NotImplementedError):
        HOOKS[name](**arguments)
