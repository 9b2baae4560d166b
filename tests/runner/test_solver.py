"""Whatever a submission does, the parent gets an observation, and the next question gets an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from grader.model.errors import DeviceUnusable
from grader.model.observation import OTHER_SLOTS, Ending, Frame, Returned
from grader.model.run import (
    OWN,
    Backward,
    Call,
    Gradients,
    Import,
    Inspect,
    Load,
    Made,
    Make,
    Mode,
    Randomness,
    Run,
    Seeded,
    Send,
    Tensor,
    Value,
)
from grader.runner.processes.child import Child

from .asking import EX, OTHER, SECONDS, X, call, load, observe, saying, sources, text
from .conftest import Ask

ENDS = """
    import ctypes, os, signal, sys

    def fine(x):
        return 2 * x

    def exits_hard():
        os._exit(0)

    def exits_with_three():
        os._exit(3)

    def aborts():
        os.abort()

    def reads_nothing():
        ctypes.string_at(0)

    def loops():
        while True:
            pass

    def loops_deaf():
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass

    def exits():
        sys.exit(3)

    def recurses():
        return recurses()

    def raises():
        raise ValueError("no such thing")

    def kills_itself():
        os.kill(os.getpid(), signal.SIGKILL)

    class Mute(Exception):
        def __str__(self):
            raise RuntimeError

    def raises_mute():
        raise Mute
"""


def test_a_result_comes_back_as_it_was_computed(solve: Ask) -> None:
    solver = solve(sources((EX, "def f(x):\n    return x @ x.T\n")))

    seen = observe(solver, call("f", "x"), x=X)

    assert (seen.ending, seen.fault) == (Ending.ANSWERED, None)
    assert seen.returned == {"result": Returned("tensor", "result", "float32", (2, 2), "cpu", "torch.Tensor")}
    assert seen.tensors["result"].tolist() == (X @ X.T).tolist()
    assert seen.lines == {"result": Frame(f"{EX}.py", 1, "f")}


@pytest.mark.parametrize(
    ("definition", "detail"),
    [
        ("exits_hard", "the process ended by itself, as os._exit(0) does"),
        ("exits_with_three", "the process ended by itself with exit status 3"),
        ("aborts", "the process was ended by SIGSEGV"),  # as it may not send itself a signal
        ("reads_nothing", "the process was ended by SIGSEGV"),
    ],
)
def test_a_process_that_dies_is_a_crash_and_the_next_question_is_answered(
    solve: Ask, definition: str, detail: str
) -> None:
    solver = solve(sources((EX, ENDS)))

    seen = observe(solver, call(definition))
    after = observe(solver, call("fine", "x"), x=X)

    assert (seen.ending, seen.detail) == (Ending.CRASHED, detail)
    assert after.tensors["result"].tolist() == (2 * X).tolist()


@pytest.mark.parametrize("definition", ["loops", "loops_deaf"])
def test_a_loop_without_an_end_is_stopped_and_the_next_question_is_answered(solve: Ask, definition: str) -> None:
    solver = solve(sources((EX, ENDS)))
    solver.start()

    seen = observe(solver, call(definition), seconds=0.5)
    after = observe(solver, call("fine", "x"), x=X)

    assert seen.ending is Ending.TIMEOUT
    assert after.tensors["result"].tolist() == (2 * X).tolist()


@pytest.mark.parametrize(
    ("definition", "kind", "type_", "message"),
    [
        ("exits", "exit", "SystemExit", "3"),
        ("recurses", "exception", "RecursionError", "maximum recursion depth exceeded"),
        ("raises", "exception", "ValueError", "no such thing"),
        ("kills_itself", "exception", "PermissionError", "[Errno 1] Operation not permitted"),
        ("raises_mute", "exception", "Mute", "(its message cannot be shown: __str__ raised RuntimeError)"),
    ],
)
def test_an_exception_is_an_answer_and_the_process_lives_on(
    solve: Ask, definition: str, kind: str, type_: str, message: str
) -> None:
    solver = solve(saying(ENDS + "\n    import os\n    def pid():\n        return say(os.getpid())\n"))
    before = text(observe(solver, call("pid")))

    seen = observe(solver, call(definition))

    assert seen.fault is not None
    assert (seen.fault.kind, seen.fault.type, seen.fault.message) == (kind, type_, message)
    assert {frame.file for frame in seen.fault.frames} == {f"{EX}.py"}
    assert text(observe(solver, call("pid"))) == before


def test_a_crash_forgets_what_the_process_knew(solve: Ask) -> None:
    solver = solve(
        sources((EX, """
            import os, torch
            calls = []
            def f(x):
                calls.append(1)
                return x + len(calls)
            def crash():
                os._exit(1)
        """))
    )  # fmt: skip
    first, second = (observe(solver, call("f", "x"), x=X).tensors["result"] for _ in range(2))

    observe(solver, call("crash"))
    third = observe(solver, call("f", "x"), x=X).tensors["result"]

    assert (first[0, 0], second[0, 0], third[0, 0]) == (1, 2, 1)


def test_one_submission_knows_nothing_of_another(solve: Ask) -> None:
    first = solve(sources((EX, "import torch\ntorch.mine = 1\ndef f(x): return x\n")))
    second = solve(sources((EX, "import torch\ndef f(x): return x + hasattr(torch, 'mine')\n")))

    observe(first, call("f", "x"), x=X)

    assert observe(second, call("f", "x"), x=X).tensors["result"].tolist() == X.tolist()


def test_the_inputs_of_one_run_are_not_those_of_the_next(solve: Ask) -> None:
    solver = solve(sources((EX, "def f(x):\n    x.zero_()\n    return x\n")))

    seen = observe(solver, call("f", "x"), Send(("x",)), x=X)
    again = observe(solver, Send(("x",)), x=X)

    assert not seen.tensors["sent.x"].any()
    assert again.tensors["sent.x"].tolist() == X.tolist()


def test_printing_is_counted_and_dropped(solve: Ask) -> None:
    solver = solve(
        sources((EX, """
            import os, sys
            print("at import")
            def f(x):
                print("x" * 3_000_000)
                sys.stderr.write("y" * 500)
                os.write(1, b"{}" * 1000)
                os.write(2, b"{}" * 1000)
                return x
        """))
    )  # fmt: skip

    imported = load(solver)
    seen = observe(solver, call("f", "x"), x=X)

    assert imported.printed == len("at import\n")
    assert seen.printed == 3_000_001 + 500
    assert seen.tensors["result"].tolist() == X.tolist()


@pytest.mark.parametrize(
    "silence",
    [
        pytest.param("sys.stdout = None", id="none"),
        pytest.param("sys.stdout = sys.stderr = open(os.devnull, 'w'); sys.stdout.close()", id="closed"),
        pytest.param("sys.stdout = io.StringIO()", id="a text"),
        pytest.param("os.close(0); os.close(1); os.close(2)", id="closed descriptors"),
        pytest.param("sys.stdout.close()", id="ours closed"),
    ],
)
def test_what_a_submission_does_to_its_streams_changes_nothing(solve: Ask, silence: str) -> None:
    solver = solve(sources((EX, f"import io, os, sys\n{silence}\ndef f(x): return 2 * x\n")))

    seen = observe(solver, call("f", "x"), x=X)

    assert (seen.ending, seen.fault) == (Ending.ANSWERED, None)
    assert seen.tensors["result"].tolist() == (2 * X).tolist()


def test_an_answer_larger_than_due_is_described_alone(solve: Ask) -> None:
    solver = solve(sources((EX, "import torch\ndef f(x):\n    return torch.ones(40_000_000)\n")))

    seen = observe(solver, call("f", "x"), x=X)

    assert seen.returned["result"].shape == (40_000_000,)
    assert (seen.returned["result"].key, seen.tensors) == ("", {})


def test_a_number_that_no_float_holds_is_told(solve: Ask) -> None:
    solver = solve(sources((EX, "def f():\n    return 10 ** 400\n")))

    seen = observe(solver, call("f"))

    assert (seen.fault.type if seen.fault else "", seen.returned) == ("OverflowError", {})


def test_a_submission_that_writes_to_the_parent_is_not_believed(solve: Ask) -> None:
    solver = solve(
        sources((EX, r"""
            import os, stat
            def fine(x):
                return x
            def f():
                for fd in range(3, 64):
                    try:
                        if stat.S_ISSOCK(os.fstat(fd).st_mode):
                            os.write(fd, b'{"score": 100}' * 10)
                    except OSError:
                        pass
        """))
    )  # fmt: skip

    seen = observe(solver, call("f"))
    after = observe(solver, call("fine", "x"), x=X)

    assert seen.ending is Ending.CRASHED
    assert seen.detail.startswith("its answer could not be read")
    assert after.tensors["result"].tolist() == X.tolist()


def test_a_module_that_does_not_load_is_asked_once(solve: Ask) -> None:
    solver = solve(sources((EX, "import os\nos._exit(7)\n"), (OTHER, "def g(x): return x\n")))

    first = solver.load(EX, OWN, SECONDS)
    again = solver.load(EX, OWN, SECONDS)

    assert first is not None
    assert (first.ending, first.detail) == (Ending.CRASHED, "the process ended by itself with exit status 7")
    assert again is first
    assert solver.load(OTHER, OWN, SECONDS) is None


@pytest.mark.parametrize(
    ("source", "kind", "type_", "line"),
    [
        (b"x = 1\ndef f(:\n", "syntax", "SyntaxError", 2),
        (b"if True:\nx = 1\n", "syntax", "IndentationError", 2),
        (b"x = 1\nimport nothing_of_the_kind\n", "exception", "ModuleNotFoundError", 2),
        (b"raise SystemExit\n", "exit", "SystemExit", 1),
        (b"\n\n1 / 0\n", "exception", "ZeroDivisionError", 3),
    ],
)
def test_a_module_that_does_not_load_is_told_with_its_line(
    solve: Ask, source: bytes, kind: str, type_: str, line: int
) -> None:
    fault = load(solve({EX: source})).fault

    assert fault is not None
    assert (fault.kind, fault.type, fault.frames[-1].line) == (kind, type_, line)


@pytest.mark.parametrize("source", [b"x = '\xff\xfe'\n", b"x = 1\x00\n", b"(" * 5000, b"# -*- coding: nonsense -*-\n"])
def test_a_module_that_is_no_text_is_told(solve: Ask, source: bytes) -> None:
    seen = load(solve({EX: source}))

    assert seen.ending is Ending.ANSWERED
    assert seen.fault is not None
    assert seen.fault.kind in ("syntax", "exception")


def test_an_empty_module_loads(solve: Ask) -> None:
    assert load(solve({EX: b""})).fault is None


def test_a_module_in_another_encoding_that_says_so_loads(solve: Ask) -> None:
    solver = solve({EX: "# coding: latin-1\nname = 'caf\xe9'\ndef f(x): return x + len(name)\n".encode("latin-1")})

    assert observe(solver, call("f", "x"), x=X).tensors["result"].tolist() == (X + 4).tolist()


@pytest.mark.parametrize("name", ["__metadata__", "message", "exercises", "stand_ins", "grader", "mask"])
def test_another_module_of_any_name_changes_nothing(solve: Ask, name: str) -> None:
    solver = solve(sources((EX, "def f(x): return 2 * x\n"), (name, "raise RuntimeError('never imported')\n")))

    assert observe(solver, call("f", "x"), x=X).tensors["result"].tolist() == (2 * X).tolist()


# What a run can ask for, each verb on a real module.

MODULE = """
    import torch
    from torch import nn

    class Head(nn.Module):
        def __init__(self, d_in, d_out, bias=False):
            super().__init__()
            if d_in == d_out:
                raise ValueError("too square")
            self.W = nn.Linear(d_in, d_out, bias=bias)
            self.dropout = nn.Dropout(0.5)
            self.mask = torch.ones(2, 2)

        def forward(self, x):
            return self.dropout(self.W(x)) + self.mask.sum() * 0

    class NoModule:
        pass

    def copy(source, target):
        target.W.weight.data.copy_(source.W.weight)

    def draw(x, generator):
        return torch.rand(4, generator=generator), torch.rand(1)

    def strays(x):
        return x
"""
HEAD = Make("head", EX, "Head", (Value(3), Value(4)))
W = np.arange(12, dtype=np.float32).reshape(4, 3)


def call_of(of: str, name: str = "result", **options: bool) -> Call:
    return Call(name, of=of, arguments=(Tensor("x"),), **options)


def test_a_class_is_made_loaded_and_called(solve: Ask) -> None:
    solver = solve(sources((EX, MODULE)))
    run = (HEAD, Load("head", {"W.weight": "w"}), Mode("head", training=False), call_of("head"))

    seen = observe(solver, *run, x=X, w=W)

    assert seen.tensors["result"].tolist() == (X @ W.T).tolist()
    assert seen.lines["head"].function == "__init__"
    assert seen.lines["result"].function == "forward"


def test_weights_are_refused_by_a_module_that_holds_others_where_that_is_asked(solve: Ask) -> None:
    source = """
        from torch import nn

        class Some(nn.Module):
            def __init__(self, rows, bias):
                super().__init__()
                self.W = nn.Linear(3, rows, bias=bias)
                self.register_buffer("seen", nn.Parameter())

            def forward(self, x):
                return self.W(x)
    """
    solver = solve(sources((EX, source)))

    def asked(rows: int, *, bias: bool) -> str:
        make = Make("some", EX, "Some", (Value(rows), Value(bias)))
        seen = observe(solver, make, Load("some", {"W.weight": "w"}, exact=True), call_of("some"), x=X, w=W)
        return seen.fault.kind if seen.fault else ""

    assert (asked(4, bias=False), asked(4, bias=True), asked(1, bias=False)) == ("", OTHER_SLOTS, OTHER_SLOTS)


def test_a_call_is_repeated_as_often_as_the_run_says_and_each_result_kept(solve: Ask) -> None:
    source = "import torch\nheld = torch.zeros(2)\ndef count(x):\n    held.add_(1)\n    return held, x\n"

    seen = observe(solve(sources((EX, source))), call("count", "x", times=3), x=X)

    assert seen.tensors["result"].tolist() == [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]


def test_training_mode_is_what_the_run_says(solve: Ask) -> None:
    solver = solve(sources((EX, MODULE)))
    run = (HEAD, Load("head", {"W.weight": "w"}), Mode("head", training=True), call_of("head"))

    dropped = observe(solver, *run, x=np.ones((50, 3), np.float32), w=np.ones((4, 3), np.float32)).tensors["result"]

    assert set(np.unique(dropped)) == {0.0, 6.0}


def test_what_a_module_holds_is_told(solve: Ask) -> None:
    seen = observe(solve(sources((EX, MODULE))), HEAD, Inspect("head"))

    assert {slot.name: (slot.shape, slot.kind) for slot in seen.slots["head"]} == {
        "W.weight": ((4, 3), "parameter"),
        "mask": ((2, 2), "loose"),
    }


def test_operations_are_counted_where_asked(solve: Ask) -> None:
    seen = observe(solve(sources((EX, MODULE))), HEAD, call_of("head", count=True), call_of("head", "other"), x=X)

    assert seen.operations["result"]["addmm" if "addmm" in seen.operations["result"] else "mm"] == 1
    assert "other" not in seen.operations


def test_a_plain_tensor_that_is_computed_with_is_told_where_asked(solve: Ask) -> None:
    source = "from torch import nn, ones\nclass Head(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    source += "        self.mask = ones(2, 3)\n    def forward(self, x):\n        return x * self.mask\n"

    seen = observe(solve(sources((EX, source))), Make("head", EX, "Head"), call_of("head", watch=True), x=X)

    assert seen.strays == {"result": ("mask",)}


def test_gradients_of_parameters_and_of_inputs_come_back(solve: Ask) -> None:
    solver = solve(sources((EX, MODULE + "\n    def double(x):\n        return 2 * x\n")))
    of_module = (HEAD, Load("head", {"W.weight": "w"}), Mode("head", training=False), call_of("head"))

    weights = observe(solver, *of_module, Backward("result"), Gradients("head", ("W.weight",)), x=X, w=W)
    inputs = observe(solver, call("double", "x", track=True), Backward("result"), Gradients(tensors=("x",)), x=X)

    assert weights.tensors["gradient.W.weight"].shape == (4, 3)
    assert weights.tensors["gradient.W.weight"].any()
    gradient = inputs.tensors["gradient.x"].reshape(-1)
    assert (gradient > 0).all()
    assert len(set(gradient.tolist())) == 6  # each entry counts by itself, or rows that sum to one would give nothing


def test_one_module_is_handed_to_a_function_with_another(solve: Ask) -> None:
    target = Make("target", EX, "Head", (Value(3), Value(4)))
    copied = Call("copied", module=EX, definition="copy", arguments=(Made("head"), Made("target")))
    run = (HEAD, target, Load("head", {"W.weight": "w"}), copied, Mode("target", training=False), call_of("target"))

    seen = observe(solve(sources((EX, MODULE))), *run, x=X, w=W)

    assert seen.tensors["result"].tolist() == (X @ W.T).tolist()
    assert seen.returned["copied"].kind == "none"


def test_a_seeded_generator_is_made_anew_for_each_call(solve: Ask) -> None:
    draws = [
        Call(name, module=EX, definition="draw", arguments=(Tensor("x"), Seeded(seed)))
        for name, seed in (("once", 7), ("again", 7), ("other", 8))
    ]

    seen = observe(solve(sources((EX, MODULE))), Randomness("before"), *draws, Randomness("after"), x=X)

    once, again, other = (seen.tensors[f"{name}.0"].tolist() for name in ("once", "again", "other"))
    assert once == again != other
    before, after = (seen.tensors[f"randomness.{name}"] for name in ("before", "after"))
    assert before.tolist() != after.tolist()  # the function draws from the global one too


def test_an_action_that_may_fail_does_not_end_the_run(solve: Ask) -> None:
    square = Make("square", EX, "Head", (Value(4), Value(4)), may_fail=True)

    seen = observe(solve(sources((EX, MODULE))), square, HEAD, Inspect("head"))

    assert seen.fault is None
    assert (seen.refused["square"].type, seen.refused["square"].message) == ("ValueError", "too square")
    assert "head" in seen.slots


def test_the_first_action_that_fails_ends_the_run(solve: Ask) -> None:
    square = Make("square", EX, "Head", (Value(4), Value(4)))

    seen = observe(solve(sources((EX, MODULE))), Import(EX), square, HEAD, Inspect("head"))

    assert seen.fault is not None
    assert (seen.fault.type, seen.fault.action, seen.slots) == ("ValueError", 1, {})


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (Make("x", EX, "Heads", ()), "missing"),
        (Make("x", EX, "Head", (Value(1),)), "signature"),
        (Make("x", EX, "NoModule", ()), "kind"),
        (call("nothing"), "missing"),
        (call("copy"), "signature"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_reason(solve: Ask, action: object, kind: str) -> None:
    seen = observe(solve(sources((EX, MODULE))), action)

    assert seen.fault is not None
    assert seen.fault.kind == kind


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_solver_computes_in_the_type_it_was_made_for(solve: Ask, dtype: str) -> None:
    solver = solve(sources((EX, MODULE)), dtype=dtype)
    of_module = (HEAD, Mode("head", training=False), call_of("head"), Inspect("head"))

    seen = observe(solver, *of_module, x=X)

    assert seen.returned["result"].dtype == dtype
    assert {slot.dtype for slot in seen.slots["head"] if slot.kind == "parameter"} == {dtype}


def test_the_layers_that_a_child_put_on_are_told(solve: Ask) -> None:
    solver = solve(sources((EX, "")))

    solver.start()

    assert {"session", "rlimits"} <= set(solver.isolation)


# Several questions at once.


def runs(count: int, size: int = 6) -> list[Run]:
    """Runs whose inputs tell them apart."""
    return [Run((call("f", "x"),), {"x": np.full(size, i, np.float32)}) for i in range(count)]


@pytest.mark.parametrize("size", [6, 5_000, 1_000_000], ids=["small", "at the edge", "large"])
def test_each_question_gets_its_own_answer(solve: Ask, size: int) -> None:
    solver = solve(sources((EX, "def f(x): return 2 * x\n")))

    firsts = [seen.tensors["result"][0] for seen in solver.observe_each(runs(8, size), OWN, SECONDS)]

    assert firsts == [2.0 * i for i in range(8)]


def test_a_question_after_answers_that_nobody_waited_for_gets_its_own(solve: Ask) -> None:
    solver = solve(sources((EX, "def f(x): return 2 * x\n")))
    stream = solver.observe_each(runs(5), OWN, SECONDS)
    first = next(stream)

    stream.close()
    seen = observe(solver, call("f", "x"), x=X + 100)

    assert first.tensors["result"][0] == 0
    assert seen.tensors["result"].tolist() == (2 * (X + 100)).tolist()


def test_an_interrupt_ends_the_process_that_nobody_waits_for(solve: Ask) -> None:
    solver = solve(saying("import os\ndef f(x): return x\ndef pid(): return say(os.getpid())\n"))
    before = text(observe(solver, call("pid")))
    stream = solver.observe_each(runs(5), OWN, SECONDS)
    next(stream)

    with pytest.raises(KeyboardInterrupt):
        stream.throw(KeyboardInterrupt())

    assert text(observe(solver, call("pid"))) != before


def test_the_answers_before_a_crash_are_kept(solve: Ask) -> None:
    solver = solve(sources((EX, "import os\ndef f(x):\n    return x if x[0] < 2 else os._exit(1)\n")))

    seen = list(solver.observe_each(runs(5), OWN, SECONDS))

    assert [s.ending for s in seen] == [Ending.ANSWERED, Ending.ANSWERED, Ending.CRASHED]
    assert [s.tensors["result"][0] for s in seen[:2]] == [0, 1]


def test_an_exception_in_the_middle_does_not_end_the_stream(solve: Ask) -> None:
    solver = solve(sources((EX, "def f(x):\n    assert x[0] != 1\n    return x\n")))

    seen = list(solver.observe_each(runs(3), OWN, SECONDS))

    assert [s.fault.type if s.fault else None for s in seen] == [None, "AssertionError", None]


# A device whose memory others take.

TAKEN = "def f(x): raise RuntimeError('CUDA out of memory. Tried to allocate 2.00 MiB.')\n"
NO_HANDLE = (
    "def f(x): raise RuntimeError('CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`')\n"
)
GONE = "import os\ndef f(x): os._exit(1)\n"
FINE = "def f(x): return 2 * x\n"


@pytest.fixture
def lives(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What stands in the module of each child to come on a GPU, which is played by the CPU; `full` for one that cannot
    start there. A child without any code takes none of these, unless it is `full`."""
    lives: list[str] = []
    full: list[Child] = []
    start, isolation = Child.__init__, Child.isolation

    def started(
        child: Child, spawner: Any, opening: Mapping[str, Any], sources: Mapping[str, bytes], *more: Any
    ) -> None:
        if lives[0] == "full":
            full.append(child)
        if sources:
            sources = {EX: lives.pop(0).encode()}
        start(child, spawner, {**opening, "device": "cpu"}, sources, *more)

    def found(child: Child) -> tuple[str, ...]:
        if child in full:
            child.kill()
            raise DeviceUnusable("cuda cannot be used here: CUDA error: out of memory.")
        return isolation(child)

    monkeypatch.setattr(Child, "__init__", started)
    monkeypatch.setattr(Child, "isolation", found)
    return lives


@pytest.mark.parametrize("failing", [TAKEN, NO_HANDLE, GONE], ids=["taken", "no-handle", "gone"])
def test_a_gpu_whose_memory_others_took_for_a_moment_costs_nobody_anything(
    solve: Ask, lives: list[str], failing: str
) -> None:
    lives += [failing, FINE]
    solver = solve(sources((EX, FINE)), device="cuda")

    seen = list(solver.observe_each(runs(3), OWN, SECONDS))

    assert [each.tensors["result"][0] for each in seen] == [0, 2, 4]


def test_code_that_takes_all_of_a_gpu_itself_is_told_so_and_asked_no_more_than_twice(
    solve: Ask, lives: list[str]
) -> None:
    lives += [TAKEN, TAKEN, FINE]
    solver = solve(sources((EX, TAKEN)), device="cuda")

    seen = list(solver.observe_each(runs(3), OWN, SECONDS))

    assert ["out of memory" in each.fault.message for each in seen if each.fault] == [True] * 3
    assert lives == [FINE]


def test_a_gpu_that_others_took_and_keep_is_no_fault_of_the_code(solve: Ask, lives: list[str]) -> None:
    lives += [TAKEN, "full", "full"]
    solver = solve(sources((EX, FINE)), device="cuda")

    with pytest.raises(DeviceUnusable):
        list(solver.observe_each(runs(3), OWN, SECONDS))


def test_on_the_cpu_nothing_is_asked_again(solve: Ask) -> None:
    solver = solve(saying(f"import os\n{TAKEN}def pid(): return say(os.getpid())\n"))
    before = text(observe(solver, call("pid")))

    seen = observe(solver, call("f", "x"), x=X)

    assert seen.fault is not None
    assert text(observe(solver, call("pid"))) == before
