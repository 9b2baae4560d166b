# style: a list of rows, one query after another
import torch
import torch.nn as nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        rows = []
        for token in x:
            q = token @ self.W_query
            scores = torch.stack([torch.dot(q, other @ self.W_key) for other in x])
            weights = torch.softmax(scores / self.d_out ** 0.5, dim=0)
            rows.append(sum(w * (other @ self.W_value) for w, other in zip(weights, x)))
        return torch.stack(rows)
