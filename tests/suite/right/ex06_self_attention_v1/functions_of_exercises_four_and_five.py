# style: forward hands the work to the functions of exercises 4 and 5, imported relatively and by name
import torch
from torch import nn

from .ex04_qkv_projections import project
from ex05_scaled_scores import scaled_dot_product_attention


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3))

    def forward(self, x):
        return scaled_dot_product_attention(*project(x, self.W_query, self.W_key, self.W_value))
