# style: each score by a scripted function and row by row
import torch
from torch import Tensor, nn


@torch.jit.script
def score(query: Tensor, key: Tensor) -> Tensor:
    return torch.dot(query, key) / float(key.size(0)) ** 0.5


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def weights(self, queries, keys):
        rows = [torch.stack([score(query, key) for key in keys[: t + 1]]) for t, query in enumerate(queries)]
        shares = [nn.functional.pad(row.softmax(0), (0, len(keys) - len(row))) for row in rows]
        return torch.stack(shares)

    def forward(self, x):
        pairs = zip(self.W_query(x), self.W_key(x))
        weights = self.dropout(torch.stack([self.weights(queries, keys) for queries, keys in pairs]))
        return weights @ self.W_value(x)
