# mistakes: bias-ignored
import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super(SelfAttention_v2, self).__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=qkv_bias))

    def forward(self, x):
        q = self.W_query(x)
        k = self.W_key(x)
        v = x @ self.W_value.weight.T  # <- bias-ignored
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v


@torch.no_grad()
def copy_weights(source_v2, target_v1):
    for name, parameter in target_v1.named_parameters():
        parameter.copy_(source_v2.get_submodule(name).weight.t())
