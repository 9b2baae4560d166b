# style: torch.exp2 with log2(e), vmap over the rows, keyword arguments, walrus
import math

import torch
from torch.func import vmap

LOG2_E: float = math.log2(math.e)


def softmax(scores: torch.Tensor) -> torch.Tensor:
    return (powers := torch.exp2((scores - scores.max()) * LOG2_E)) / powers.sum()


def attention_weights(scores: torch.Tensor) -> torch.Tensor:
    return vmap(softmax)(scores)


def sharpened_weights(scores: torch.Tensor, factor: float) -> torch.Tensor:
    return softmax(scores=torch.mul(input=scores, other=factor))
