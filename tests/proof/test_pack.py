"""The pack's parts say the same: rubric, stubs, reference, lesson and contract."""

from __future__ import annotations

import ast
import doctest
import importlib.util
import json
import re
import subprocess
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from grader.model.pack import Pack
from grader.pack.mistakes import TOLD_OTHERWISE, edits_of
from grader.pack.superpose import superpose
from grader.plugins.registry import Plugins
from tests.command import ROOT

EXERCISES = sorted(path.stem for path in (ROOT / "exercises").glob("ex*.py"))
REFERENCE = ROOT / "solutions/reference"

# The contract's section 5.
KNOWN_MISTAKES = {
    "mask-discarded",
    "scale-no-sqrt",
    "scale-wrong-width",
    "scale-inverted",
    "scale-missing",
    "global-variable",
    "softmax-wrong-axis",
    "softmax-missing",
    "softmax-twice",
    "mask-not-sliced",
    "dropout-missing",
    "dropout-on-scores",
    "dropout-on-context",
    "dropout-in-eval",
    "dropout-unscaled",
    "mask-inverted",
    "mask-missing",
    "mask-diagonal",
    "mask-after-softmax",
    "mask-zero-fill",
    "query-key-swapped",
    "projection-reused",
    "values-unprojected",
    "bias-ignored",
    "bias-always",
    "heads-unregistered",
    "heads-not-transposed",
    "merge-not-transposed",
    "heads-summed",
    "heads-wrong-axis",
    "out-proj-missing",
    "out-proj-wrong-width",
    "weights-transposed",
    "input-mutated",
    "returns-none",
    "batch-transpose",
    "self-missing",
    "api-misspelt",
}

# The contract's section 1: what each stub defines, by name, with its arguments; `forward` for a class.
SIGNATURES: dict[str, dict[str, str]] = {
    "ex01_dot_product_scores": {"attention_scores_for_query": "query, inputs", "attention_scores": "inputs"},
    "ex02_softmax_weights": {"softmax": "scores", "attention_weights": "scores", "sharpened_weights": "scores, factor"},
    "ex03_context_vectors": {"context_vector": "weights, inputs", "context_vectors": "inputs"},
    "ex04_qkv_projections": {
        "project": "inputs, W_query, W_key, W_value",
        "attention_score": "query, key",
        "context_vector_for_query": "query, keys, values",
    },
    "ex05_scaled_scores": {
        "scaled_scores": "queries, keys",
        "scaled_dot_product_attention": "queries, keys, values",
        "dot_product_variance": "dim, num_trials, generator",
    },
    "ex06_self_attention_v1": {"SelfAttention_v1": "d_in, d_out", "SelfAttention_v1.forward": "x"},
    "ex07_self_attention_v2": {
        "SelfAttention_v2": "d_in, d_out, qkv_bias=False",
        "SelfAttention_v2.forward": "x",
        "copy_weights": "source_v2, target_v1",
    },
    "ex08_causal_mask": {
        "causal_mask": "context_length",
        "mask_scores": "scores, mask",
        "causal_attention_weights": "scores, d_k",
    },
    "ex09_attention_dropout": {"dropout_weights": "weights, p, training, generator=None"},
    "ex10_causal_attention": {
        "CausalAttention": "d_in, d_out, context_length, dropout, qkv_bias=False",
        "CausalAttention.forward": "x",
    },
    "ex11_multi_head_wrapper": {
        "MultiHeadAttentionWrapper": "d_in, d_out, context_length, dropout, num_heads, qkv_bias=False",
        "MultiHeadAttentionWrapper.forward": "x",
    },
    "ex12_multi_head_attention": {
        "MultiHeadAttention": "d_in, d_out, context_length, dropout, num_heads, qkv_bias=False",
        "MultiHeadAttention.forward": "x",
    },
    "ex13_wrapper_vs_split": {
        "SplitHeadAttention": "d_in, d_out, context_length, dropout, num_heads, qkv_bias=False",
        "SplitHeadAttention.forward": "x",
        "copy_heads": "wrapper, split",
    },
}


def test_there_are_thirteen_exercises_of_a_hundred_points(pack: Pack) -> None:
    assert [exercise.id for exercise in pack.exercises] == EXERCISES == sorted(SIGNATURES)
    assert pack.points == 100
    assert all(step.points >= 1 for exercise in pack.exercises for step in exercise.steps)


def test_every_exercise_says_why_it_works_in_a_few_sentences(pack: Pack) -> None:
    for exercise in pack.exercises:
        assert 2 <= len(re.split(r"(?<=[.)])\s+(?=[A-Z`])", exercise.after)) <= 4, exercise.id


def test_every_step_has_a_ladder_of_hints(pack: Pack) -> None:
    for exercise in pack.exercises:
        for step in exercise.steps:
            assert len(step.hints) >= 3, step.id
            assert len(set(step.hints)) == len(step.hints), step.id


def test_every_step_has_an_id_of_its_own_and_cases_that_exist(pack: Pack) -> None:
    ids = [step.id for exercise in pack.exercises for step in exercise.steps]

    assert len(set(ids)) == len(ids)
    for exercise in pack.exercises:
        assert all(step.id.startswith(f"{exercise.short}.") for step in exercise.steps)
        assert all(step.cases and set(step.cases) <= set(exercise.cases) for step in exercise.steps)


def test_no_case_is_left_unused(pack: Pack) -> None:
    for exercise in pack.exercises:
        assert set(exercise.cases) == {case for step in exercise.steps for case in step.cases}


def test_every_mistake_that_a_rubric_names_is_one_of_the_contracts(pack: Pack) -> None:
    for exercise in pack.exercises:
        assert set(exercise.mistakes) <= KNOWN_MISTAKES, exercise.id
        assert all(text.strip().endswith((".", "?")) for text in exercise.mistakes.values())


def test_every_mistake_of_the_contract_is_explained_somewhere(pack: Pack) -> None:
    assert {name for exercise in pack.exercises for name in exercise.mistakes} == KNOWN_MISTAKES


@pytest.mark.parametrize("name", EXERCISES)
def test_every_stage_of_a_rubric_is_a_name_of_the_reference(name: str, pack: Pack) -> None:
    exercise = pack.exercise(name)
    tree = ast.parse((REFERENCE / f"{name}.py").read_text("utf-8"))

    for step in exercise.steps:
        assert set(step.stages) <= _local_names(tree, step.of), step.id


@pytest.mark.parametrize("name", EXERCISES)
def test_a_stub_has_the_contracts_signatures_and_the_reference_has_them_too(name: str) -> None:
    for folder in (ROOT / "exercises", REFERENCE):
        assert _signatures(ast.parse((folder / f"{name}.py").read_text("utf-8"))).items() >= SIGNATURES[name].items()


@pytest.mark.parametrize("name", EXERCISES)
def test_every_function_of_a_stub_is_documented_and_not_implemented(name: str) -> None:
    tree = ast.parse((ROOT / "exercises" / f"{name}.py").read_text("utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]

    assert ast.get_docstring(tree)
    assert functions
    for function in functions:
        assert ast.get_docstring(function), function.name
        last = function.body[-1]
        assert isinstance(last, ast.Raise), function.name
        assert isinstance(last.exc, ast.Name)
        assert last.exc.id == "NotImplementedError"
        assert all(isinstance(node, ast.Expr) for node in function.body[:-1]), function.name


@pytest.fixture(scope="module")
def in_torch() -> list[Any]:
    """What `worked` and `drawn` give, in one process that imports torch."""
    program = "import json; from tests.proof.test_pack import drawn, worked; print(json.dumps([worked(), drawn()]))"
    done: list[Any] = json.loads(_python(f"import sys; sys.path.insert(0, {str(ROOT)!r}); {program}"))
    return done


@pytest.mark.parametrize("name", EXERCISES)
def test_the_worked_examples_of_a_stub_hold_for_the_reference(name: str, in_torch: list[Any]) -> None:
    assert in_torch[0][name]["failed"] == 0
    assert in_torch[0][name]["attempted"] > 0


def worked() -> dict[str, dict[str, int]]:
    """How many worked examples each stub has, and how many of them fail on the reference."""
    return {name: _worked(name) for name in EXERCISES}


def _worked(name: str) -> dict[str, int]:
    import torch

    torch.manual_seed(0)
    module = _loaded(name)
    names: dict[str, Any] = {**vars(module), "torch": torch}
    if name.startswith("ex13"):
        wrapper = vars(_loaded("ex11_multi_head_wrapper"))["MultiHeadAttentionWrapper"]
        names["wrapper"] = wrapper(d_in=3, d_out=2, context_length=6, dropout=0.0, num_heads=2)
    if name.startswith("ex07"):
        names |= {"SelfAttention_v1": vars(_loaded("ex06_self_attention_v1"))["SelfAttention_v1"]}
    stub = (ROOT / "exercises" / f"{name}.py").read_text("utf-8")
    tree = ast.parse(stub)
    said = [
        ast.get_docstring(n) or "" for n in ast.walk(tree) if isinstance(n, (ast.Module, ast.FunctionDef, ast.ClassDef))
    ]
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for number, text in enumerate(said):
        example = doctest.DocTestParser().get_doctest(text, dict(names), f"{name}, part {number}", f"{name}.py", 0)
        runner.run(example, out=lambda line: print(line, file=sys.stderr))
    return {"failed": runner.failures, "attempted": runner.tries}


def drawn() -> tuple[list[Any], list[Any]]:
    """Weights as the lesson draws them: bare, and as layers."""
    import torch

    torch.manual_seed(123)
    bare = [torch.rand(3, 2).tolist() for _ in range(3)]
    torch.manual_seed(123)
    linear = [torch.nn.Linear(3, 2, bias=False).weight.tolist() for _ in range(3)]
    return bare, linear


def test_the_lessons_seed_gives_the_lessons_weights(pack: Pack, in_torch: list[Any]) -> None:
    bare, linear = in_torch[1]

    lesson: Any = pack.lesson
    for weights, drawn in (
        (lesson["qkv_step_by_step"]["projections"], bare),
        (lesson["self_attention_v1"]["weights"], bare),
        (lesson["self_attention_v2"]["weights"], linear),
    ):
        for role, matrix in zip(("W_query", "W_key", "W_value"), drawn, strict=True):
            assert np.abs(np.asarray(weights[role]) - np.asarray(matrix)).max() < 1e-8


def test_the_lessons_figures_hang_together(pack: Pack) -> None:
    lesson: Any = pack.lesson["qkv_step_by_step"]
    journey = np.asarray(pack.lesson["embeddings"]["journey"])

    for name, role in (("queries", "W_query"), ("keys", "W_key"), ("values", "W_value")):
        projected = journey @ np.asarray(lesson["projections"][role])
        assert np.abs(projected - np.asarray(lesson[name])).max() < 1e-5
    scores = np.asarray(lesson["queries"]) @ np.asarray(lesson["keys"]).T
    assert np.abs(scores - np.asarray(lesson["scores"])).max() < 1e-4
    weights = np.exp(scores / 2**0.5)
    weights /= weights.sum(-1, keepdims=True)
    assert np.abs(weights - np.asarray(lesson["weights"])).max() < 1e-4
    assert np.abs(weights @ np.asarray(lesson["values"]) - np.asarray(lesson["contexts"])).max() < 1e-4


def test_every_stand_in_has_the_parts_of_what_it_stands_for_and_gives_nothing_away(pack: Pack) -> None:
    for name, source in pack.stand_ins.items():
        ours, theirs = (
            _signatures(ast.parse((ROOT / "exercises" / f"{name}.py").read_text("utf-8"))),
            _signatures(ast.parse(source)),
        )
        classes = {key: value for key, value in ours.items() if key[0].isupper()}
        assert theirs.items() >= classes.items(), name
        assert b"softmax" not in source, name


def _signatures(tree: ast.Module) -> dict[str, str]:
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = _arguments(node.args)
        elif isinstance(node, ast.ClassDef):
            for method in (n for n in node.body if isinstance(n, ast.FunctionDef)):
                found[node.name if method.name == "__init__" else f"{node.name}.{method.name}"] = _arguments(
                    method.args
                )
    return found


def _arguments(arguments: ast.arguments) -> str:
    assert not (arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg)
    bare = ast.arguments(
        [], [ast.arg(a.arg) for a in arguments.args if a.arg != "self"], None, [], [], None, arguments.defaults
    )
    return ast.unparse(bare)


def _local_names(tree: ast.Module, of: str) -> set[str]:
    """Every name that a function, or a class's methods, assign to."""
    (node,) = (n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name == of)
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _loaded(name: str) -> ModuleType:
    """A module of the reference, in whose eyes `exercises` is the reference."""
    import solutions.reference as reference

    sys.modules["exercises"] = reference
    spec = importlib.util.spec_from_file_location(f"exercises.{name}", REFERENCE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert not done.stderr, done.stderr
    return done.stdout


def test_every_three_of_its_mistakes_can_be_switched_between(plugins: Plugins, pack: Pack) -> None:
    reference = plugins.reference(pack.name)
    assert reference is not None
    left_out = set()
    for exercise in pack.exercises:
        source = (reference.folder / f"{exercise.id}.py").read_text("utf-8")
        edits = [e for e in edits_of(plugins.solutions(pack.name), exercise, source) if e.id not in TOLD_OTHERWISE]
        for of, definition in exercise.definitions.items():
            superposed = superpose(source, edits, of, is_class=definition.is_class, most=3)
            compile(superposed.source, exercise.id, "exec")
            left_out |= {(exercise.short, edit.id) for edit in edits if edit not in superposed.edits}

    # They change a condition or a definition, not a statement.
    assert left_out == {("ex13", "bias-ignored"), ("ex13", "out-proj-missing")}
