"""One token asks at a time: its weights, its context vector, and the contexts are stacked at the end."""

import math

import torch


class SelfAttention_v1(torch.nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = torch.nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = torch.nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = torch.nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        keys = [token @ self.W_key for token in x]
        values = [token @ self.W_value for token in x]
        contexts = []
        for token in x:
            query = token @ self.W_query
            scores = torch.stack([torch.dot(query, key) / math.sqrt(self.d_out) for key in keys])
            weights = torch.softmax(scores, dim=0)
            context = torch.zeros_like(values[0])
            for weight, value in zip(weights, values, strict=True):
                context = context + weight * value
            contexts.append(context)
        return torch.stack(contexts)
