# mistakes: mask-inverted, bias-ignored
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class SplitHeadAttention(nn.Module):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        self.num_heads, self.d_out = num_heads, d_out
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.p = dropout

    def _heads(self, linear: nn.Linear, x: Tensor) -> Tensor:
        wide = F.linear(x, linear.weight, linear.bias)
        return torch.stack(wide.split(self.d_out, dim=-1), dim=1)

    def _weights(self, q: Tensor, k: Tensor) -> Tensor:
        n = q.shape[-2]
        scores = torch.matmul(q, k.transpose(-1, -2))
        scores = scores * self.d_out ** -0.5
        past = torch.triu(torch.ones(n, n, dtype=torch.bool, device=q.device))  # <- mask-inverted
        scores = torch.where(past, scores, torch.tensor(-torch.inf, device=q.device))
        top = scores.amax(dim=-1, keepdim=True)
        shares = torch.exp(scores - top)
        return shares / shares.sum(dim=-1, keepdim=True)

    def forward(self, x: Tensor) -> Tensor:
        q = self._heads(self.W_query, x)
        k = self._heads(self.W_key, x)
        v = self._heads(self.W_value, x)
        weights = F.dropout(self._weights(q, k), self.p, self.training)
        heads = weights @ v
        return torch.cat([heads[:, h] for h in range(self.num_heads)], dim=-1)


def copy_heads(wrapper, split):
    """Builds a state dict for split out of the wrapper's."""
    old = wrapper.state_dict()
    new = split.state_dict()
    n = len(wrapper.heads)
    for key in new:
        role, _, kind = key.partition(".")
        if role in ("W_query", "W_key", "W_value") and kind == "weight":  # <- bias-ignored
            parts = [old[f"heads.{i}.{role}.{kind}"] for i in range(n)]
            new[key] = torch.cat(parts)
        elif role == "out_proj":
            new[key] = torch.eye(len(new[key])) if kind == "weight" else torch.zeros_like(new[key])
    split.load_state_dict(new)
