# mistakes: none
import torch as t
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super(MultiHeadAttention, self).__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("visible", t.ones(context_length, context_length).tril().bool())

    def forward(self, x):
        seq = x.shape[1]
        Q = t.stack(self.W_query(x).chunk(self.num_heads, dim=-1), dim=1)
        K = t.stack(self.W_key(x).chunk(self.num_heads, dim=-1), dim=1)
        V = t.stack(self.W_value(x).chunk(self.num_heads, dim=-1), dim=1)
        visible = self.visible[:seq, :seq]
        scores = t.stack([Q[:, h] @ K[:, h].mT for h in range(self.num_heads)], dim=1)  # <- here
        scores = scores.div(K.shape[-1] ** 0.5)
        scores = t.where(visible, scores, t.finfo(scores.dtype).min)
        weights = t.exp(scores - scores.max(dim=-1, keepdim=True)[0])
        weights = weights / weights.sum(dim=-1, keepdim=True)
        weights = self.dropout(weights)
        Z = t.matmul(weights, V)
        Z = t.cat(Z.unbind(dim=1), dim=-1)
        return self.out_proj(Z)
