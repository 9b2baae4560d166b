# mistakes: scale-inverted, softmax-wrong-axis
import math

import torch
from torch import nn


def attend(scores, values):
    shares = nn.functional.softmax(scores, dim=0)  # <- softmax-wrong-axis
    return shares.mm(values)


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.root = math.sqrt(d_out)
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        queries = x.mm(self.W_query) * self.root  # <- scale-inverted
        keys = x.mm(self.W_key)
        return attend(queries.mm(keys.T), x.mm(self.W_value))
