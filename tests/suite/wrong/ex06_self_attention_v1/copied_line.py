# mistakes: projection-reused
import torch
import torch.nn as nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        query = torch.matmul(x, self.W_query)
        key = torch.matmul(x, self.W_key)
        value = torch.matmul(x, self.W_query)  # <- projection-reused
        att = query @ key.transpose(0, 1)
        att = torch.softmax(att / key.size(1) ** 0.5, dim=1)
        return att @ value
