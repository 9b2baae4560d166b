# mistakes: scale-missing
import torch
import torch.nn as nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        v = x.matmul(self.W_value)
        k = x.matmul(self.W_key)
        q = x.matmul(self.W_query)
        alpha = torch.softmax(torch.einsum("id,jd->ij", q, k), dim=-1)  # <- scale-missing
        return torch.einsum("ij,jd->id", alpha, v)
