# style: a metaclass that marks what it has made, a configuration with slots, torch's attention
import torch
from torch import nn
class Meta(type):
    def __call__(cls, *args, **kwargs):
        obj = super().__call__(*args, **kwargs)
        obj.fertig = True
        return obj
class Config:
    __slots__ = ("d_in", "d_out")
    def __init__(self, d_in, d_out):
        self.d_in, self.d_out = d_in, d_out
class SelfAttention_v1(nn.Module, metaclass=Meta):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.cfg = Config(d_in, d_out)
        self.W_query, self.W_key, self.W_value = (nn.Parameter(torch.rand(self.cfg.d_in, self.cfg.d_out)) for _ in range(3))
    def forward(self, x):
        assert self.fertig
        return nn.functional.scaled_dot_product_attention(x @ self.W_query, x @ self.W_key, x @ self.W_value)
