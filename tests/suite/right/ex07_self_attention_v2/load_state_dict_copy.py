# style: the copy goes through load_state_dict with transposed tensors
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return torch.softmax(q @ k.T * k.shape[-1] ** -0.5, dim=-1) @ v


def copy_weights(source_v2, target_v1):
    target_v1.load_state_dict(
        {name.removesuffix(".weight"): tensor.T for name, tensor in source_v2.state_dict().items()}
    )
