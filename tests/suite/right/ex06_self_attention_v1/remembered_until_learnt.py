# style: each weight is computed from another once, and remembered until that changes
import torch
from torch import nn
from torch.nn.utils.parametrize import register_parametrization
class Remembering(nn.Module):
    found = key = None
    def forward(self, w):
        key = w._version, w.dtype, torch.is_grad_enabled()
        if key != self.key: self.key, self.found = key, w / 2
        return self.found
    def right_inverse(self, w): return 2 * w
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for role in ("W_query", "W_key", "W_value"):
            setattr(self, role, nn.Parameter(torch.rand(d_in, d_out)))
            register_parametrization(self, role, Remembering())
    def forward(self, x):
        s = (x @ self.W_query) @ (x @ self.W_key).T / self.W_key.shape[1] ** .5
        return s.softmax(-1) @ x @ self.W_value
