# mistakes: softmax-missing
import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.d_in, self.d_out = d_in, d_out
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)

    def forward(self, x):
        queries = self.W_query(x) / self.d_out**0.5
        return (queries @ self.W_key(x).T) @ self.W_value(x)  # <- softmax-missing


@torch.no_grad()
def copy_weights(source_v2, target_v1):
    for name, parameter in target_v1.named_parameters():
        parameter.copy_(source_v2.get_submodule(name).weight.t())
