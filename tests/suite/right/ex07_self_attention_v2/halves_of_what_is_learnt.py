# style: the weights are computed from others at each use, by a parametrization with an inverse
import torch
from torch import nn
from torch.nn.utils import parametrize
class Halved(nn.Module):
    def forward(self, w): return w / 2
    def right_inverse(self, w): return w * 2
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        for each in (self.W_query, self.W_key, self.W_value): parametrize.register_parametrization(each, 'weight', Halved())
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return torch.softmax(q @ k.T / k.shape[-1] ** .5, -1) @ v
@torch.no_grad()
def copy_weights(source_v2, target_v1):
    for n in ('W_query', 'W_key', 'W_value'):
        getattr(target_v1, n).copy_(getattr(source_v2, n).weight.T)
