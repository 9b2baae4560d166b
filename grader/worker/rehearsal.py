"""Does once, in the zygote, whatever a worker does, so that no child pays for the first time.

The first use of a kernel, of a mode of torch's or of a function of ours takes many times what the next one takes: half
of the time that a right submission takes in all. A small module that has nothing to do with the exercises is asked all
that solutions are asked. Nothing of it stays behind but what is warm.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import torch

from grader.model import run as verbs
from grader.worker.modules import PACKAGE, Library
from grader.worker.perform import Performer
from grader.worker.requests import request, unpacked
from grader.worker.serve import packed

NAME = "rehearsal"
SOURCE = b"""
import math
import torch
import torch.nn as nn
from torch import nn, Tensor
import torch.nn.functional as F


class Layers(nn.Module):
    def __init__(self, wide, high, rate=0.5, bias=False):
        super().__init__()
        self.down = nn.Linear(wide, high, bias=bias)
        self.up = nn.Linear(high, wide)
        self.scale = nn.Parameter(torch.rand(wide, high))
        self.drop = nn.Dropout(rate)
        self.some = nn.ModuleList([nn.Linear(wide, wide) for _ in range(2)])
        self.plain = torch.ones(high)
        self.register_buffer("corner", torch.triu(torch.ones(high, high), diagonal=1))

    def forward(self, x):
        batch, rows, wide = x.shape
        low = self.down(x) + x @ self.scale + self.plain
        bent = low.view(batch, rows, 2, -1).transpose(1, 2).contiguous().reshape(batch, rows, -1)
        some = torch.cat([layer(x) for layer in self.some], dim=-1)
        return self.drop(self.up(bent)) + some.chunk(2, dim=-1)[0] + torch.stack([x, x]).sum(0)


class Whole(Layers):
    def __init__(self, wide, high):
        super().__init__(wide, high)
        del self.plain
        self.register_buffer("plain", torch.ones(high))


def copy(source, target):
    with torch.no_grad():
        target.down.weight.copy_(source.down.weight)
        target.scale.data = source.scale.detach().clone()


def drawn(generator):
    return torch.randn(4, 4, generator=generator).var(), torch.rand(4, generator=generator)


def numbers(x, high):
    result = torch.exp(x - x.max()) / torch.exp(x).sum(dim=-1, keepdim=True)
    result = result.masked_fill(torch.ones(result.shape, dtype=torch.bool).triu(1), -torch.inf)
    result = torch.where(result > 0, result, torch.zeros_like(result)) * (torch.rand_like(x) > 0.5).float()
    torch.einsum("bij,bkj->bik", torch.softmax(x, dim=-1), F.dropout(x, 0.5, training=True))
    torch.bernoulli(torch.full(x.shape, 0.5), generator=torch.Generator().manual_seed(1))
    torch.empty(high).fill_(math.sqrt(high)), torch.tril(torch.ones(high, high)).var(), torch.matmul(x, x.mT), x[0].T
    result[0] = torch.dot(x[0, 0], x[0, 0])
    return result, float(high)
"""
WIDE, HIGH = 6, 4


def rehearse(*, with_gradients: bool) -> None:
    """Perform every kind of action once. with_gradients: also those that start torch's engine for gradients."""
    library = Library({NAME: SOURCE})
    sys.meta_path.insert(0, library)
    try:
        performer = Performer(library, "cpu", torch.float32)
        for actions in _runs(with_gradients=with_gradients):
            weights = {name: torch.ones(WIDE, HIGH) for name in ("scale", "x weight")}
            sent = {"actions": verbs.encode_actions(actions), "limit": 1 << 20}
            frame = packed(sent, {"x": torch.rand(2, 3, WIDE), **weights})
            asked = request(*unpacked(bytearray(frame)))
            seen, answers = performer.perform(asked.actions, asked.tensors, asked.limit)
            if "fault" in seen:
                raise AssertionError(f"the rehearsal fails: {seen['fault']}")
            packed(seen, answers)
    finally:
        sys.meta_path.remove(library)
        for name in (f"{PACKAGE}.{NAME}", PACKAGE):
            sys.modules.pop(name, None)


def _runs(*, with_gradients: bool) -> list[tuple[verbs.Action, ...]]:
    made = verbs.Make("module", NAME, "Layers", (verbs.Value(WIDE), verbs.Value(HIGH)))
    loaded = verbs.Load("module", {"scale": "scale"})
    x = (verbs.Tensor("x"),)
    called = verbs.Call("result", of="module", arguments=x)
    whole = replace(made, definition="Whole")
    both = (verbs.Made("module"), verbs.Made("other"))
    copied = verbs.Call("copied", module=NAME, definition="copy", arguments=both)
    drawn = verbs.Call("result", module=NAME, definition="drawn", arguments=(verbs.Seeded(1),), times=2)
    function = verbs.Call("result", module=NAME, definition="numbers", arguments=(*x, verbs.Value(HIGH)))
    runs: list[tuple[verbs.Action, ...]] = [
        (verbs.Import(NAME),),
        (made, verbs.Inspect("module")),
        (made, loaded, verbs.Mode("module", training=False), called, verbs.Send(("x",)), verbs.Randomness("random")),
        (made, loaded, verbs.Mode("module", training=True), called),
        (made, verbs.Call("result", of="module", arguments=x, count=True)),
        (made, verbs.Call("result", of="module", arguments=x, watch=True)),
        (whole, verbs.Call("result", of="module", arguments=x, watch=True)),
        (made, replace(made, name="other"), copied, verbs.Inspect("other", values=True)),
        (drawn,),
        (function,),
        (replace(function, count=True),),
        (replace(function, trace=True),),
    ]
    if with_gradients:
        runs.append((made, called, verbs.Backward("result"), verbs.Gradients("module", ("scale",))))
    return runs
