"""A right answer to each check, made by hand, to be made wrong in one way at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.judge.checks import BUILT_IN
from grader.judge.checks.asking import is_class
from grader.judge.checks.dropout import EVALUATED, PLAIN, calls
from grader.model.case import Expected
from grader.model.check import Check, Finding, Question
from grader.model.observation import Fault, Observation, Returned, Slot
from grader.model.pack import Fused, Generator, Naming
from grader.model.run import Call, Run

from ..hand_made import CLASS, answer, answered, described, expecting, numbers, question

CHECKS: Mapping[str, Check] = {check.name: check for check in BUILT_IN}
TOKENS = numbers(2, 6, 3)
ROLES = ("W_query", "W_key", "W_value")
FUSED = (Fused(("qkv",), ROLES), Fused(("kv",), ROLES[1:]))
NAMING = Naming(aliases={"W_query": ("W_q", "query")}, fused=FUSED, around=("w",), optional=("out_proj.bias",))


@dataclass(frozen=True)
class Scene:
    """A check, what it asks, and an answer that is right."""

    question: Question
    seen: Observation
    expected: Expected | None = None

    @property
    def check(self) -> Check:
        return CHECKS[self.question.step.check]

    @property
    def run(self) -> Run:
        return self.check.plan(self.question)

    def judged(self) -> Finding:
        return self.check.judge(self.question, self.seen, self.expected)

    def but(self, **parts: Any) -> Scene:
        """The same scene with other parts in its answer."""
        return replace(self, seen=replace(self.seen, **parts))

    def but_tensors(self, **arrays: Any) -> Scene:
        """The same scene with other arrays for some results, described as they are."""
        tensors, returned = dict(self.seen.tensors), dict(self.seen.returned)
        for key, array in arrays.items():
            name = key.replace("__", ".").replace("_", " ")
            tensors[name] = np.asarray(array)
            if name in returned:
                returned[name] = described(array, name)
        return self.but(tensors=tensors, returned=returned)

    def each_tensor(self, change: Callable[[Any], Any], only: str = "") -> Scene:
        """The same scene with every array changed, or one of them, and described as it is then."""
        tensors = {
            name: np.asarray(change(array)) if only in ("", name) else array
            for name, array in self.seen.tensors.items()
        }
        return self.but(
            tensors=tensors,
            returned={name: _described_anew(value, tensors) for name, value in self.seen.returned.items()},
        )


def _described_anew(value: Returned, tensors: Mapping[str, Any]) -> Returned:
    if value.kind == "tensor" and value.key in tensors:
        return described(tensors[value.key], value.key)
    return replace(value, items=tuple(_described_anew(item, tensors) for item in value.items))


def softmax(scores: Any) -> Any:
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


def averaged(x: Any) -> Any:
    """Each token becomes the average of what came so far: causal, and every token before counts."""
    return x.cumsum(-2) / np.arange(1, x.shape[-2] + 1, dtype=x.dtype)[:, None]


def output() -> Scene:
    asked = question("output", {"x": TOKENS})
    return Scene(asked, answer({"result": 2 * TOKENS}), expecting(2 * TOKENS.astype(np.float64)))


def rows_sum_to_one() -> Scene:
    return Scene(question("rows-sum-to-one", {"x": TOKENS}), answer({"result": softmax(TOKENS)}))


def inputs_unchanged() -> Scene:
    asked = question("inputs-unchanged", {"x": TOKENS, "mask": np.triu(np.ones((6, 6), bool), 1)})
    sent = {f"sent.{name}": array for name, array in asked.case.inputs.items()}
    return Scene(asked, answer({"result": 2 * TOKENS}, tensors=sent))


def gradients() -> Scene:
    asked = question("gradients", {"queries": TOKENS, "keys": TOKENS, "mask": np.ones((6, 6), bool)})
    sent = {"gradient.queries": numbers(2, 6, 3, seed=8), "gradient.keys": numbers(2, 6, 3, seed=9)}
    return _with_gradients(asked, sent)


def gradients_of_a_module() -> Scene:
    weights = {f"{role}.weight": numbers(4, 3) for role in ROLES}
    asked = question("gradients", {"x": TOKENS}, of=CLASS, weights=weights, loaded=tuple(weights))
    return _with_gradients(asked, {f"gradient.{name}": numbers(4, 3, seed=8) for name in weights}, of_a_module())


def gradients_of_another_module() -> Scene:
    """A module that is made with a bias too."""
    scene = gradients_of_a_module()
    step = replace(scene.question.step, options={"also": {"qkv_bias": True}})
    # That of the keys' bias is nothing but what was rounded off.
    biases = {f"{role}.bias": numbers(4, seed=9) * (1e-9 if role == "W_key" else 1) for role in ROLES}
    sent = {f"other.{name}": numbers(4, 3, seed=8) for name in scene.question.loaded}
    sent |= {f"other.{name}": array for name, array in biases.items()}
    slots = tuple(slot(name.removeprefix("other."), *array.shape) for name, array in sent.items())

    def with_other(seen: Observation) -> Observation:
        tensors = {name: array.astype(seen.tensors["result"].dtype) for name, array in sent.items()}
        returned = {**seen.returned, "given": seen.returned["result"]}
        return replace(seen, returned=returned, tensors={**seen.tensors, **tensors}, slots={"other": slots})

    assert scene.expected is not None
    due = replace(scene.expected, observation=with_other(scene.expected.observation))
    return Scene(replace(scene.question, step=step), with_other(scene.seen), due)


def of_a_module(result: Any = 2 * TOKENS) -> dict[str, Any]:
    """What a module gives in training, outside it, and with other weights."""
    return {"result": result, "outside": result, "learnt": 1.5 * result}


def _with_gradients(asked: Question, sent: Mapping[str, Any], results: Mapping[str, Any] | None = None) -> Scene:
    results = results or {"result": 2 * TOKENS}
    due = {name: array.astype(np.float64) for name, array in sent.items()}
    expected = Expected(answer({name: array.astype(np.float64) for name, array in results.items()}, tensors=due), {})
    return Scene(asked, answer(results, tensors=sent), expected)


def by_hand() -> Scene:
    asked = question("by-hand", {"x": TOKENS}, options={"without": ["_softmax", "softmax"]})
    seen = answer({"result": softmax(TOKENS)}, operations={"result": {"exp": 1, "div": 1}})
    return Scene(asked, seen, expecting(softmax(TOKENS.astype(np.float64)), 1e-6))


def generator() -> Scene:
    asked = question("generator", {"x": TOKENS, "generator": Generator(7)}, options={"argument": "generator"})
    once, other = numbers(4, 5, seed=1), numbers(4, 5, seed=2)
    state = {"randomness.before": np.arange(20, dtype=np.uint8), "randomness.after": np.arange(20, dtype=np.uint8)}
    again = np.stack([once, numbers(4, 5, seed=4)])
    results = {"once": once, "again": again, "other": other, "later": numbers(4, 5, seed=3)}
    return Scene(asked, answer(results, tensors=state))


STATISTICS = {
    "generator": "generator",
    "expect": ["dim", 1],
    "within": 0.25,
    "variances_of": "num_trials",
    "power_of": "dim",
}


def statistics(**more: Any) -> Scene:
    inputs = {"dim": 64, "num_trials": 1000, "generator": Generator(1)}
    asked = question("statistics", inputs, options={**STATISTICS, **more})
    once, other = (np.float32(66.0), np.float32(1.03)), (np.float32(61.0), np.float32(0.95))
    return Scene(asked, answer({"once": once, "again": once, "other": other}))


def slot(name: str, *shape: int, kind: str = "parameter", trainable: bool = True) -> Slot:
    return Slot(name, shape, kind, "Linear", "float32", trainable)


def parameters() -> Scene:
    asked = question("parameters", {}, of=CLASS, construct={"d_in": 3, "d_out": 4, "qkv_bias": False}, naming=NAMING)
    slots = (*(slot(f"{role}.weight", 4, 3) for role in ROLES), slot("mask", 6, 6, kind="buffer", trainable=False))
    return Scene(asked, Observation(slots={"module": slots}), Expected(Observation(slots={"module": slots})))


def state() -> Scene:
    weights = {f"{role}.weight": numbers(4, 3) for role in ROLES}
    asked = question("state", {"x": TOKENS}, of=CLASS, weights=weights, loaded=tuple(weights))
    slots = (*(slot(name, 4, 3) for name in weights), slot("mask", 6, 6, kind="buffer", trainable=False))
    return Scene(asked, answer({"result": 2 * TOKENS}, slots={"module": slots}, strays={"result": ()}))


def causality() -> Scene:
    asked = question("causality", {"x": TOKENS}, of=CLASS)
    return Scene(asked, answered(CHECKS["causality"].plan(asked), averaged))


def dropout() -> Scene:
    """Inverted dropout of a tensor of weights, as a function."""
    weights = np.random.default_rng(3).uniform(0.1, 1.0, (8, 12)).astype(np.float32)
    inputs = {"weights": weights, "p": 0.3, "training": True}
    asked = question("dropout", inputs, options={"rate": "p", "training": "training"})
    return Scene(asked, answer(dropped(asked, lambda rng: weights * (rng.random(weights.shape) >= 0.3) / 0.7, weights)))


def dropout_of_a_module(
    heads: int = 2, copies: int = 2, tokens: int = 5, rate: float = 0.4, factor: float = 1 / 0.6
) -> Scene:
    """Dropout on the weights of several heads, whose values are copies of the identity.

    rate, factor: how often a weight is dropped, and by what one that survives is multiplied; asked for is 0.4.
    """
    chance = np.random.default_rng(4).standard_normal((3, heads, tokens, tokens))
    scores = np.where(np.triu(np.ones((tokens, tokens), bool), 1), -np.inf, chance)
    weights = softmax(scores).astype(np.float32)

    def context(rng: Any | None) -> Any:
        kept = weights if rng is None else weights * (rng.random(weights.shape) >= rate) * factor
        blended = np.concatenate([kept] * copies, axis=-1)  # values that are identities, side by side
        return blended.swapaxes(1, 2).reshape(3, tokens, -1).astype(np.float32)

    construct = {"d_in": 9, "d_out": heads * copies * tokens, "dropout": 0.4}
    options = {"rate": "dropout", "heads": heads, "copies": copies}
    asked = question("dropout", {"x": numbers(3, tokens, 9)}, of=CLASS, construct=construct, options=options)
    return Scene(asked, answer(dropped(asked, context, context(None))))


def dropped(asked: Question, training: Callable[[Any], Any], plain: Any, seed: int = 6) -> dict[str, Any]:
    """The results that the dropout check asks for."""
    rng = np.random.default_rng(seed)
    results = {PLAIN: plain, EVALUATED: plain.copy()}
    for name in ("dropped", "dropped later") if is_class(asked) else ("dropped",):
        results[name] = np.stack([np.asarray(training(rng), np.float32) for _ in range(calls(asked))])
    return results


def copies() -> Scene:
    options = {"source": "ex06_a.Source", "target": "ex07_b.Target", "target_construct": {"d_out": 6}}
    weights = {"heads.0.W_query.weight": numbers(2, 3, seed=4), "heads.0.W_query.bias": numbers(2, seed=5)}
    asked = question("copies", {"x": TOKENS}, construct={"d_in": 3, "d_out": 2}, options=options, weights=weights)
    result = 2 * TOKENS
    wanted = result.astype(np.float64)
    held = (slot("W_query.weight", 6, 3), slot("W_query.bias", 6))
    filled = {"filled.W_query.weight": np.concatenate([numbers(4, 3), weights["heads.0.W_query.weight"]])}
    source = tuple(slot(name, *array.shape) for name, array in weights.items())
    held_there = {f"{key}.{name}": array.copy() for key in ("read", "left") for name, array in weights.items()}
    seen = answer(
        {"was": result.copy(), "result": result, "still": result.copy()},
        slots={"empty": held, "filled": held, "read": source, "left": source},
        tensors=filled | held_there,
    )
    return Scene(asked, seen, expecting(wanted, was=wanted, still=wanted))


def refuses() -> Scene:
    options = {"refused": [{"d_out": 13}, {"num_heads": 5}]}
    asked = question("refuses", {}, of=CLASS, construct={"d_out": 12, "num_heads": 3}, options=options)
    faults = {f"refused {i}": Fault("exception", "ValueError") for i in range(2)}
    return Scene(asked, Observation(refused=faults))


def kernels() -> Scene:
    asked = question(
        "kernels", {"x": TOKENS}, of=CLASS, construct={"d_in": 3, "num_heads": 2},
        options={"argument": "num_heads", "values": [2, 4, 8]},
    )  # fmt: skip
    names = [call.name for call in CHECKS["kernels"].plan(asked).actions if isinstance(call, Call)]
    counts = {name: {"mm": 3, "bmm": 2, "_softmax": 1, "transpose": 9 * i} for i, name in enumerate(names)}
    return Scene(asked, answer(dict.fromkeys(names, 2 * TOKENS), operations=counts))


SCENES: Mapping[str, Callable[[], Scene]] = {
    "output": output,
    "rows-sum-to-one": rows_sum_to_one,
    "inputs-unchanged": inputs_unchanged,
    "gradients": gradients,
    "by-hand": by_hand,
    "generator": generator,
    "statistics": statistics,
    "parameters": parameters,
    "state": state,
    "causality": causality,
    "dropout": dropout,
    "copies": copies,
    "refuses": refuses,
    "kernels": kernels,
}
