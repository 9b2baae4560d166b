# style: the copy adds to each of the target's numbers what it lacks, which rounds the last digit; a batch may be given
# only: float32, float64; in half precision the last digit that is rounded is a large one
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))

    def forward(self, x):
        is_one = x.ndim == 2
        x = x[None] if is_one else x
        y = nn.functional.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))
        return y[0] if is_one else y


def copy_weights(source_v2, target_v1):
    with torch.no_grad():
        for name, parameter in target_v1.named_parameters():
            parameter += source_v2.get_submodule(name).weight.T - parameter
