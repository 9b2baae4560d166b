# mistakes: heads-summed, bias-ignored
import torch
from torch import Tensor, nn

from exercises import ex10_causal_attention as ex10


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        qkv_bias: bool = False,
    ) -> None:
        super().__init__()
        arguments = dict(d_in=d_in, d_out=d_out, context_length=context_length, dropout=dropout)  # <- bias-ignored
        self.heads = nn.ModuleList(ex10.CausalAttention(**arguments) for _ in range(num_heads))

    def forward(self, x: Tensor) -> Tensor:
        per_head = torch.stack([head(x) for head in self.heads], dim=2)
        return per_head.sum(dim=2)  # <- heads-summed
