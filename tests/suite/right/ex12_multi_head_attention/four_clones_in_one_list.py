# style: all four layers in one list, as in The Annotated Transformer
# only: float32, float64, bfloat16; float16 has no -1e9
import math, copy
import torch
from torch import nn
def clones(module, N):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(N)])
def attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.d_k = d_out // num_heads
        self.h = num_heads
        self.linears = clones(nn.Linear(d_in, d_out, bias=qkv_bias), 3)
        self.linears.append(nn.Linear(d_out, d_out))
        self.attn = None
        self.dropout = nn.Dropout(p=dropout)
    def forward(self, x):
        nbatches, T, _ = x.shape
        mask = torch.tril(torch.ones(T, T, device=x.device))
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin, x in zip(self.linears, (x, x, x))
        ]
        x, self.attn = attention(query, key, value, mask=mask, dropout=self.dropout)
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.linears[-1](x)
