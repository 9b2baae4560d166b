# style: biases that are tensors of zeros, and no parameters, where there are to be none
import torch, math
from torch import nn
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Parameter(torch.randn(d_in, d_out)) for _ in "qkv")
        for r in "qkv":
            setattr(self, "b_" + r, nn.Parameter(torch.zeros(d_out)) if qkv_bias else torch.zeros(d_out))
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = x @ self.W_query + self.b_q.to(x), x @ self.W_key + self.b_k.to(x), x @ self.W_value + self.b_v.to(x)
        s = q @ k.mT / math.sqrt(q.size(-1))
        return self.drop(s.masked_fill(torch.ones_like(s).triu(1) == 1, -torch.inf).softmax(-1)) @ v
