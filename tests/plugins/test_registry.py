"""Ours and third parties' plugins come in by one door, and a name belongs to one of them."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pluggy
import pytest

from grader.judge.checks import BUILT_IN
from grader.judge.checks.output import Output
from grader.model.errors import NoPack, PackError, PluginFailed, UsageError
from grader.model.pack import PackSource, SolutionSource
from grader.plugins import PROJECT, hookimpl
from grader.plugins.executor import Site
from grader.plugins.registry import Plugins


class OtherPack:
    @hookimpl
    def grader_packs(self) -> Iterable[PackSource]:
        return [PackSource("other", Path("other"), Path("other/fixtures"))]


class OutputAgain:
    @hookimpl
    def grader_checks(self) -> Iterable[Output]:
        return [Output()]


class Alternatives:
    @hookimpl
    def grader_solutions(self, pack: str) -> Iterable[SolutionSource]:
        return [SolutionSource(pack, "alternative", "mine", Path("mine"))]


@pytest.fixture
def plugins() -> Plugins:
    """The installed plugins, to be added to."""
    return Plugins()


def entry(name: str, value: str) -> importlib.metadata.EntryPoint:
    return importlib.metadata.EntryPoint(name, value, PROJECT)


def test_everything_of_the_kit_is_found_by_entry_point(plugins: Plugins) -> None:
    assert list(plugins.packs) == ["attention"]
    assert set(plugins.checks) == {check.name for check in BUILT_IN}
    assert {"terminal", "json"} <= set(plugins.reporters)
    assert list(plugins.executors) == ["local", "dask"]
    assert plugins.absent == []


def test_the_pack_brings_its_solutions(plugins: Plugins) -> None:
    reference = plugins.reference("attention")

    assert reference is not None
    assert (reference.kind, reference.name) == ("reference", "reference")
    assert {source.kind for source in plugins.solutions("attention")} >= {"reference", "alternative", "zeros"}


def test_another_pack_has_no_solutions_of_this_one(plugins: Plugins) -> None:
    assert plugins.solutions("other") == []
    assert plugins.reference("other") is None


def test_the_only_pack_is_the_one_in_use(plugins: Plugins) -> None:
    assert plugins.pack().name == "attention"


def test_a_third_partys_pack_is_found_by_its_name_and_not_taken_for_the_one_in_use(plugins: Plugins) -> None:
    plugins.manager.register(OtherPack())

    assert plugins.packs["other"].exercises == Path("other")
    with pytest.raises(
        UsageError, match=r"installed: (attention, other|other, attention)\. GRADE_PACK=NAME says which"
    ):
        plugins.pack()


def test_of_several_packs_the_environment_says_which_is_in_use(
    plugins: Plugins, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugins.manager.register(OtherPack())

    monkeypatch.setenv("GRADE_PACK", "other")
    assert plugins.pack().name == "other"
    monkeypatch.setenv("GRADE_PACK", "attention")
    assert plugins.pack().name == "attention"


def test_a_python_in_which_the_kit_is_not_installed_is_told_by_its_path(
    plugins: Plugins, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Plugins, "packs", {})

    with pytest.raises(NoPack, match=re.escape(sys.executable)) as told:
        plugins.pack()

    assert "pip install -e ." in told.value.remedy


def test_a_pack_that_there_is_not_is_told_with_those_that_there_are(
    plugins: Plugins, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADE_PACK", "atention")

    with pytest.raises(UsageError, match="GRADE_PACK names a pack 'atention', which is not installed; attention is"):
        plugins.pack()


def test_a_third_partys_solutions_are_added(plugins: Plugins) -> None:
    plugins.manager.register(Alternatives())

    assert "mine" in {source.name for source in plugins.solutions("attention")}


def test_two_plugins_with_one_name_are_an_error(plugins: Plugins) -> None:
    plugins.manager.register(OutputAgain())

    with pytest.raises(PackError, match="Two plugins bring a check called 'output'; uninstall one of them") as raised:
        _ = plugins.checks
    assert "docs/plugins.md" in raised.value.remedy


def test_a_plugin_that_fails_in_a_hook_is_an_error_with_its_place(plugins: Plugins) -> None:
    @hookimpl
    def grader_checks() -> Iterable[Output]:
        raise ValueError("boom")

    plugins.manager.register(SimpleNamespace(grader_checks=grader_checks))

    with pytest.raises(
        PackError, match=r"A plugin fails in grader_checks \(.*test_registry.py:\d+\): ValueError: boom\."
    ):
        _ = plugins.checks


def test_what_has_no_name_is_told(plugins: Plugins) -> None:
    @hookimpl
    def grader_checks() -> Iterable[object]:
        return [object()]

    plugins.manager.register(SimpleNamespace(grader_checks=grader_checks))

    with pytest.raises(PackError, match="What a plugin brings by grader_checks is no check with a name"):
        _ = plugins.checks


def test_a_hook_that_there_is_none_of_is_an_error(plugins: Plugins) -> None:
    @hookimpl
    def misspelt() -> Iterable[Output]:
        return []

    plugins.manager.register(SimpleNamespace(grader_chekcs=misspelt))

    with pytest.raises(pluggy.PluginValidationError, match="unknown hook 'grader_chekcs'"):
        plugins.manager.check_pending()


def test_a_package_that_is_not_part_of_this_copy_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [entry("solutions", "solutions_of_nobody.plugin"), entry("checks", "grader.judge.plugin")]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: entries)

    plugins = Plugins()

    assert plugins.absent == ["solutions"]
    assert set(plugins.checks) == {check.name for check in BUILT_IN}
    assert plugins.reference("attention") is None


def test_a_plugin_that_lacks_something_itself_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "plugin_with_a_gap.py").write_text("import something_that_is_not_installed\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: [entry("gap", "plugin_with_a_gap")])

    with pytest.raises(PackError, match=r"The plugin gap \(plugin_with_a_gap\) cannot be loaded: No module named"):
        Plugins()


def test_a_plugin_that_fails_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "plugin_that_fails.py").write_text("1 / 0\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: [entry("bad", "plugin_that_fails")])

    with pytest.raises(PackError, match=r"The plugin bad \(plugin_that_fails\) cannot be loaded: division by zero"):
        Plugins()


def test_a_plugin_hears_of_each_submission(plugins: Plugins) -> None:
    heard: list[Any] = []

    class Listener:
        @hookimpl
        def grader_submission_graded(self, report: Any) -> None:
            heard.append(report)

    plugins.manager.register(Listener())

    plugins.hook.grader_submission_graded(report="a report")

    assert heard == ["a report"]


class Elsewhere:
    name = "elsewhere"
    schemes = ("far",)


class AnotherWay:
    @hookimpl
    def grader_executors(self) -> Iterable[Any]:
        return [Elsewhere()]


def test_the_scheme_of_an_address_says_who_grades_there(plugins: Plugins) -> None:
    plugins.manager.register(AnotherWay())

    found = {address: plugins.executor(address).name for address in ("", "tls://a:1", "tcp://a:1", "far://a")}

    assert found == {"": "local", "tls://a:1": "dask", "tcp://a:1": "dask", "far://a": "elsewhere"}


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("grading-1:8786", "--cluster grading-1:8786: give it as tls://HOST:PORT."),
        ("ucx://a:1\x1b[31m", "Nothing here grades at ucx://a:1[31m; addresses begin with tcp://, tls://."),
        ("://a:1", "--cluster ://a:1: give it as tls://HOST:PORT."),
    ],
)
def test_an_address_that_nobody_takes_is_a_sentence(address: str, said: str, plugins: Plugins) -> None:
    with pytest.raises(UsageError) as raised:
        plugins.executor(address)

    assert said in str(raised.value)


class Half:
    """An engine of somebody's who did not read to the end."""

    room = 2
    environment: Mapping[str, Any] = {}

    def put(self, handed: object) -> None: ...


def far(engine: Callable[..., Any]) -> SimpleNamespace:
    executor = SimpleNamespace(name="elsewhere", schemes=("far",), engine=engine)

    @hookimpl
    def grader_executors() -> Iterable[Any]:
        return [executor]

    return SimpleNamespace(grader_executors=grader_executors)


def out_of_order(*_: object) -> None:
    raise ValueError("out of order")


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        (lambda *_: Half(), r"The executor elsewhere, of a plugin, gives an engine without get, take_back and close\."),
        (lambda *_: None, r"The executor elsewhere, of a plugin, gives an engine without room, environment, put, "),
        (
            out_of_order,
            r"The executor elsewhere, of a plugin, fails \(.*test_registry\.py:\d+\): ValueError: out of order\.",
        ),
    ],
)
def test_an_engine_that_is_none_is_its_plugins_fault_and_told_before_anything_is_graded(
    engine: Callable[..., Any], said: str, plugins: Plugins
) -> None:
    order: Any = None
    pack: Any = None
    plugins.manager.register(far(engine))

    with pytest.raises(PluginFailed, match=said):
        plugins.engine(pack, order, Site("far://a"), lambda *_: None)


class Tired(Half):
    """An engine that has all its parts, each of which fails."""

    put = get = take_back = close = out_of_order  # type: ignore[assignment]


@pytest.mark.parametrize("asked", ["put", "get", "take_back", "close"])
def test_an_engine_that_fails_while_it_grades_is_told_as_its_plugins(asked: str, plugins: Plugins) -> None:
    order: Any = None
    pack: Any = None
    plugins.manager.register(far(lambda *_: Tired()))
    engine = plugins.engine(pack, order, Site("far://a"), lambda *_: None)
    given = {"put": ["a submission"], "get": [0.1]}.get(asked, [])

    assert (engine.room, engine.environment) == (2, {})
    with pytest.raises(PluginFailed, match=r"The executor elsewhere, of a plugin, fails \(.*ValueError: out of order"):
        getattr(engine, asked)(*given)


def test_a_sentence_of_an_engines_own_stays_as_it_is(plugins: Plugins) -> None:
    def refuse(*_: object) -> None:
        raise UsageError("no room there")

    order: Any = None
    pack: Any = None
    engine = SimpleNamespace(room=1, environment={}, put=refuse, get=refuse, take_back=refuse, close=refuse)
    plugins.manager.register(far(lambda *_: engine))

    with pytest.raises(UsageError, match="no room there"):
        plugins.engine(pack, order, Site("far://a"), lambda *_: None).get(0.1)
