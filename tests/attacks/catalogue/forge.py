"""Attacks that send a verdict of their own, or spoil what makes the real one."""

from __future__ import annotations

from textwrap import dedent

from tests.attacks.attack import attack

# An answer as the worker writes it, slip and all, with as much in it as the parent could be made to believe. `asked()`
# finds the number of the question that is being answered, `channel()` the descriptor it came by.
FORGERY = """
import contextlib, gc, json, os, socket, struct, sys
def asked():
    frame = sys._getframe()
    while frame:
        if "answered" in frame.f_locals:
            return frame.f_locals["answered"]
        frame = frame.f_back
def channel():
    return next(found for found in gc.get_objects() if isinstance(found, socket.socket) and found.fileno() > 2)
def frame(number, tensors=None, printed=0, **more):
    tensors = {"result": ([6], bytes(24))} if tensors is None else tensors
    header, body = {}, b""
    for name, (shape, data) in tensors.items():
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    result = {"kind": "tensor", "key": "result", "dtype": "float32", "shape": [6], "device": "cpu", "type": "Tensor",
              "number": 0.0, "items": []}
    message = {"fault": None, "returned": {"result": result}, "refused": {}, "slots": {}, "operations": {},
               "strays": {}, "status": "passed", "passed": True, "right": True, "score": 5, "ending": "answered",
               **more}
    header["__metadata__"] = {"message": json.dumps(message)}
    packed = json.dumps(header).encode()
    whole = struct.pack("<Q", len(packed)) + packed + body
    slip = json.dumps([number, 0.0, printed, None]).encode() + b"\\n{}"
    return b"".join(struct.pack("<Q", len(each)) + each for each in (slip, whole))
"""


def forged(source: str) -> str:
    """The source of an attack that forges frames."""
    return FORGERY + dedent(source)


ATTACKS = (
    attack(
        "report-on-stdout",
        """
        import ctypes, os, sys
        SAID = '{"schema": "attention-kit/report/v1", "score": 5, "max_score": 5, "status": "passed"}'
        def attack():
            for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
                print(SAID, file=stream, flush=True)
            for descriptor in (0, 1, 2):
                os.write(descriptor, SAID.encode())
            ctypes.CDLL(None).puts(SAID.encode())
        """,
        "failed",
    ),
    attack(
        "frame-to-every-descriptor",
        forged("""
        def attack():
            said = frame(asked())
            for descriptor in range(64):
                with contextlib.suppress(OSError):
                    os.write(descriptor, said)
        """),
        "failed", "crashed",
    ),
    attack(
        "frame-then-exit",
        forged("""
        def attack():
            channel().sendall(frame(asked()))
            os._exit(0)
        """),
        "failed", "crashed",
    ),
    attack(
        "frames-ahead-of-the-questions",
        forged("""
        def attack():
            first = asked()
            channel().sendall(b"".join(frame(first + ahead) for ahead in range(12)))
        """),
        "failed", "crashed",
    ),
    attack(
        "frames-by-a-thread-at-import",
        forged("""
        import threading, time
        def late(end):
            for number in range(2, 40):
                end.sendall(frame(number))
                time.sleep(0.002)
        threading.Thread(target=late, args=(channel(),), daemon=True).start()
        def attack():
            time.sleep(0.02)
        """),
        "failed", "crashed",
    ),
    attack(
        "frame-with-nothing-of-endless-axes",
        forged("""
        def attack():
            channel().sendall(frame(asked(), {"result": ([2**40, 2**40, 0], b"")}))
        """),
        "failed", "crashed",
    ),
    attack(
        "frame-with-a-descriptor",
        forged("""
        def attack():
            socket.send_fds(channel(), [frame(asked())], [0, 1, 2])
        """),
        "failed", "crashed",
    ),
    attack(
        "frame-with-a-tensor-without-a-name",
        forged("""
        import grader.worker.serve as serve, torch
        real = serve.Outbox.put
        def put(self, slip, message, tensors, *, is_ahead):
            result = {"kind": "tensor", "key": "", "dtype": "float32", "shape": list(SHAPES.pop(0)), "device": "cpu",
                      "type": "Tensor", "number": 0.0, "items": []}
            real(self, slip, {**message, "returned": {"result": result}}, {"": torch.zeros(0)}, is_ahead=is_ahead)
        def attention_scores_for_query(query, inputs):
            serve.Outbox.put, SHAPES[:] = put, [inputs.shape[:1]]
        def attention_scores(inputs):
            serve.Outbox.put, SHAPES[:] = put, [(len(inputs), len(inputs))]
        SHAPES = []
        """),
        "crashed",
    ),
    attack(
        "frame-with-another-shape-than-its-tensor",
        forged("""
        def attack():
            channel().sendall(frame(asked(), {"result": ([0], b"")}))
        """),
        "crashed",
    ),
    attack(
        "frame-of-nothing-but-success",
        forged("""
        def attack():
            channel().sendall(frame(asked(), {}, returned={}))
        """),
        "crashed",
    ),
    attack(
        "frame-with-a-fault-called-passed",
        forged("""
        def attack():
            fault = dict(type="", message="", frames=[], line=0, column=0, names=[], signature="", action=0)
            fault["kind"] = "passed"
            channel().sendall(frame(asked(), {}, returned={}, fault=fault))
        """),
        "failed", "crashed",
    ),
    attack(
        "frame-with-numbers-that-are-none",
        forged("""
        def attack():
            result = dict(kind="number", key="", dtype="", shape=[], device="", type="int", number=1e999, items=[])
            channel().sendall(frame(asked(), {}, returned={"result": result}, printed=2**63 - 1))
        """),
        "failed", "crashed",
    ),
    attack(
        "frame-of-nine-exabytes",
        forged("""
        def attack():
            channel().sendall(struct.pack("<Q", 2**63) + bytes(1 << 16))
        """),
        "crashed",
    ),
    attack(
        "frame-nested-without-end",
        forged("""
        def attack():
            header = b"[" * 60_000
            channel().sendall(struct.pack("<QQ", len(header) + 8, len(header)) + header)
        """),
        "crashed",
    ),
    attack(
        "frame-that-never-ends",
        forged("""
        import time
        def attack():
            whole = frame(asked())
            for byte in whole[:-1]:
                channel().sendall(bytes([byte]))
                time.sleep(0.02)
        """),
        "timeout",
        hangs=True,
    ),
    attack(
        "trace-of-a-tensor-of-endless-axes",
        """
        import grader.worker.serve as serve, torch
        real = serve.Outbox.put
        made = torch.tensor([1, 1, 140_000, *[2**62] * 140_000, 0])
        def put(self, slip, message, tensors, *, is_ahead):
            trace = {"trace.result.values": torch.zeros(1), "trace.result.made": made}
            real(self, slip, {"traces": {"result": {}}}, trace, is_ahead=is_ahead)
        def attack():
            serve.Outbox.put = put
        """,
        "crashed",
    ),
    attack(
        "observations-of-ones-own",
        """
        import torch
        import grader.worker.perform as perform
        from grader.model.observation import Returned
        def performed(self, actions, tensors, limit):
            size = tensors["inputs"].shape[0]
            shape = (size,) if "query" in tensors else (size, size)
            result = Returned("tensor", key="result", dtype="float32", shape=shape, device="cpu", type="torch.Tensor")
            seen = {"returned": {"result": result}, "refused": {}, "slots": {}, "operations": {}, "strays": {}}
            return {**seen, "lines": {}, "status": "passed", "score": 5}, {"result": torch.full(shape, torch.inf)}
        perform.Performer.perform = performed
        def attack():
            raise RuntimeError
        """,
        "failed",
    ),
    attack(
        "sender-replaced",
        """
        import grader.worker.serve as serve
        real = serve.Outbox.put
        def put(self, slip, message, tensors, *, is_ahead):
            forged = {**message, "fault": None, "verdict": "passed", "passed": True, "score": 5}
            real(self, slip, forged, tensors, is_ahead=is_ahead)
        def attack():
            serve.Outbox.put = put
            raise RuntimeError
        """,
        "crashed",
    ),
    attack(
        "comparisons-replaced",
        """
        import numpy, torch
        for owner, names in (
            (torch, ("allclose", "equal", "isclose", "eq", "all")),
            (torch.Tensor, ("allclose", "equal", "__eq__", "__bool__", "all")),
            (torch.testing, ("assert_close",)),
            (numpy, ("allclose", "array_equal", "all", "abs")),
            (numpy.testing, ("assert_allclose",)),
        ):
            for name in names:
                setattr(owner, name, lambda *args, **kwargs: True)
        def attack():
            return torch.zeros(6)
        """,
        "failed",
    ),
    attack(
        "writer-replaced",
        """
        import grader.worker.serve as serve
        def attack():
            serve.write = lambda message, tensors: b"passed"
        """,
        "crashed",
    ),
    attack(
        "json-replaced",
        """
        import json
        real = json.JSONEncoder.encode
        def encode(self, value):
            return real(self, {**value, "fault": None, "status": "passed", "score": 5} if "fault" in value else value)
        def attack():
            json.JSONEncoder.encode = encode
            raise RuntimeError
        """,
        "crashed",
    ),
    attack(
        "loading-and-cloning-replaced",
        """
        import torch
        from torch import nn
        nn.Module.load_state_dict = nn.Module.to = lambda self, *args, **kwargs: self
        for name in ("clone", "copy_", "detach", "contiguous", "resolve_conj", "resolve_neg", "to"):
            setattr(torch.Tensor, name, lambda self, *args, **kwargs: self)
        def attack():
            return torch.zeros(6)
        """,
        "failed",
    ),
    attack(
        "parcel-replaced",
        """
        import torch
        import grader.worker.returned as returned
        def add(self, key, tensor):
            self.tensors[key] = torch.zeros(())
            return True
        returned.Parcel.add = add
        def attention_scores_for_query(query, inputs):
            return torch.zeros(len(inputs))
        def attention_scores(inputs):
            return torch.zeros(len(inputs), len(inputs))
        """,
        "crashed",
    ),
    attack(
        "actions-replaced",
        """
        import grader.worker.serve as serve
        serve.decode_actions = lambda actions: ()
        def attack():
            return None
        """,
        "failed", "crashed",
    ),
    attack(
        "tensor-subclass",
        """
        import torch
        class Right(torch.Tensor):
            __eq__ = __le__ = __ge__ = __bool__ = lambda *args: True
            __hash__ = None
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                with torch._C.DisableTorchFunctionSubclass():
                    result = func(*args, **(kwargs or {}))
                return result.as_subclass(cls) if isinstance(result, torch.Tensor) else result
        def attention_scores_for_query(query, inputs):
            return torch.zeros(len(inputs)).as_subclass(Right)
        def attention_scores(inputs):
            return torch.zeros(len(inputs), len(inputs)).as_subclass(Right)
        """,
        "failed",
    ),
    attack(
        "tensor-subclass-that-stays-one",
        """
        import torch
        class Right(torch.Tensor):
            layout, is_quantized, dtype, shape = torch.strided, False, torch.float32, (6,)
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                return next(value for value in args if isinstance(value, cls))
        def attack():
            return torch.zeros(3).as_subclass(Right)
        """,
        "failed", "error",
    ),
    attack(
        "function-mode-left-on",
        """
        import torch
        from torch.overrides import TorchFunctionMode
        class Mode(TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                return True if func.__name__ in ("allclose", "equal", "eq") else func(*args, **(kwargs or {}))
        Mode().__enter__()
        def attack():
            return torch.zeros(6)
        """,
        "failed",
    ),
    attack(
        "dispatch-mode-left-on",
        """
        import torch
        from torch.utils._python_dispatch import TorchDispatchMode
        class Mode(TorchDispatchMode):
            _should_skip_dynamo = classmethod(lambda cls: False)
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                result = func(*args, **(kwargs or {}))
                return torch.full_like(result, torch.inf) if "copy" in str(func) else result
        def attack():
            Mode().__enter__()
            return torch.zeros(6)
        """,
        "failed",
    ),
    attack(
        "equal-to-everything",
        """
        class Everything:
            __eq__ = __le__ = __ge__ = __bool__ = lambda *args: True
            __ne__ = __lt__ = __gt__ = lambda *args: False
            __hash__ = None
            shape, dtype, device = (6,), "float32", "cpu"
            def __array__(self, *args):
                return self
        def attack():
            return Everything()
        """,
        "failed",
    ),
    attack(
        "tensor-by-its-own-word",
        """
        import torch
        class Tensor:
            __class__ = torch.Tensor
            layout, is_quantized, dtype, shape = torch.strided, False, torch.float32, (6,)
            as_subclass = lambda self, kind: self
        def attack():
            return Tensor()
        """,
        "error",
    ),
    attack(
        "trace-of-the-grader",
        """
        import sys
        def trace(frame, event, argument):
            if frame.f_code.co_name == "put":
                frame.f_locals["message"].update(fault=None, status="passed", passed=True, score=5)
            return trace
        def attack():
            sys.settrace(trace)
            raise RuntimeError
        """,
        "crashed",
    ),
    attack(
        "profile-of-the-grader",
        """
        import sys, torch
        def profile(frame, event, argument):
            if frame.f_code.co_name == "describe" and event == "return":
                object.__setattr__(argument, "kind", "none")
        def attack():
            sys.setprofile(profile)
            return torch.zeros(6)
        """,
        "failed",
    ),
    attack(
        "tensor-whose-operations-are-its-own",
        """
        import torch
        class Own(torch.Tensor):
            @staticmethod
            def __new__(cls, *shape):
                return torch.Tensor._make_wrapper_subclass(cls, shape, dtype=torch.float32)
            @classmethod
            def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
                return torch.full((1 << 20,), torch.inf)  # whatever is asked of it
        def attention_scores_for_query(query, inputs):
            return Own(len(inputs))
        def attention_scores(inputs):
            return Own(len(inputs), len(inputs))
        """,
        "failed", "timeout",  # torch imports much for the first of them
    ),
    attack(
        "memory-taken-away-by-the-collector",
        """
        import gc, torch
        MADE = []
        def taken(phase, info):
            for tensor in MADE:
                tensor.untyped_storage().resize_(0)
        gc.callbacks.append(taken)
        gc.set_threshold(1)
        def attack():
            MADE.append(torch.zeros(6))
            return MADE[-1]
        """,
        "failed", "crashed",
    ),
    attack(
        "slip-by-a-clock-of-ones-own",
        """
        import itertools, time
        import grader.worker.serve as serve
        backwards = itertools.cycle([1e300, -1e300, float("nan"), float("inf")])
        serve.monotonic = time.monotonic = time.time = time.perf_counter = lambda: next(backwards)
        def attack():
            return None
        """,
        "failed", "crashed",
    ),
    attack(
        "slip-with-lines-of-ones-own",
        """
        from dataclasses import replace
        import grader.worker.serve as serve
        from grader.model.observation import Frame
        real = serve.Outbox.put
        beyond = Frame("ex01_dot_product_scores.py", 10**18, "\x1b[2J\u202e##[error]")
        def put(self, slip, message, tensors, *, is_ahead):
            slip = replace(slip, lines={"result": beyond, "\x1b[2J\u202e##[error]": beyond})
            real(self, slip, message, tensors, is_ahead=is_ahead)
        def attack():
            serve.Outbox.put = put
        """,
        "failed", "crashed",
    ),
    attack(
        "hook-on-all-that-python-does",
        """
        import sys
        def hook(event, arguments):
            if event != "object.__getattr__":
                raise SystemExit(0)
        def attack():
            sys.addaudithook(hook)
        """,
        "failed", "crashed", "error",
    ),
    attack(
        "no-depth-left-for-the-grader",
        """
        import itertools, sys
        def attack():
            depth = next(n for n in itertools.count(1) if sys._getframe(n).f_back is None)
            sys.setrecursionlimit(depth + 3)
        """,
        "failed", "crashed", "error",
    ),
    attack(
        "channel-shut-one-way",
        forged("""
        def attack():
            channel().shutdown(socket.SHUT_RD)
        """),
        "failed", "crashed",
    ),
)  # fmt: skip
