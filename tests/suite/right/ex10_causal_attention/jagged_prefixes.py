# style: a prefix for each token, from a generator, without a mask
import torch
from torch import nn
import torch.nn.functional as F


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def _outputs(self, q, k, v):
        for t in range(1, q.shape[1] + 1):
            s = torch.bmm(q[:, t - 1:t], k[:, :t].transpose(1, 2)) / k.shape[-1] ** 0.5
            yield torch.bmm(self.dropout(F.softmax(s, dim=-1)), v[:, :t])

    def forward(self, x):
        return torch.cat(list(self._outputs(self.W_query(x), self.W_key(x), self.W_value(x))), dim=1)
