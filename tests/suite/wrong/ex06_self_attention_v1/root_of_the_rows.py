# mistakes: scale-wrong-width
import torch
import torch.nn as nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        keys = torch.mm(x, self.W_key)
        queries = torch.mm(x, self.W_query)
        values = torch.mm(x, self.W_value)
        scores = torch.mm(queries, keys.t())
        weights = torch.softmax(  # <- scale-wrong-width
            scores / keys.shape[0] ** 0.5,
            dim=-1,
        )
        return torch.mm(weights, values)
