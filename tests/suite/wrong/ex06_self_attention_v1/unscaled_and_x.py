# mistakes: scale-missing, values-unprojected
import torch
from torch.nn import Module, Parameter


class SelfAttention_v1(Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = Parameter(torch.rand(d_in, d_out))
        self.W_key = Parameter(torch.rand(d_in, d_out))
        self.W_value = Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        scores = (x @ self.W_query) @ (x @ self.W_key).T
        powers = scores.exp()  # <- scale-missing
        weights = powers / powers.sum(dim=1, keepdim=True)
        return weights @ x  # <- values-unprojected
