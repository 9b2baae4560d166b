# style: three matrices in one parameter weights, three rows in one called biases
import torch, math
from torch import nn
import torch.nn.functional as F
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.weights = nn.Parameter(torch.randn(3, d_in, d_out))
        self.biases = nn.Parameter(torch.zeros(3, d_out)) if qkv_bias else None
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = [x @ self.weights[i] + (self.biases[i] if self.biases is not None else 0) for i in range(3)]
        s = q @ k.mT / math.sqrt(self.d_out)
        return self.drop(s.masked_fill(torch.ones_like(s).triu(1) == 1, -torch.inf).softmax(-1)) @ v
