# style: loops over the queries, max trick by hand, tuple with the weights returned
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        K, V = self.W_key(x), self.W_value(x)
        contexts, shares = [], []
        for token in x:
            s = K @ self.W_query(token) / K.shape[-1] ** 0.5
            e = torch.exp(s - s.max())
            w = e / e.sum()
            shares.append(w)
            contexts.append(w @ V)
        return torch.stack(contexts), torch.stack(shares)


def copy_weights(source_v2, target_v1):
    with torch.no_grad():
        for name, parameter in target_v1.named_parameters():
            for i in range(parameter.shape[0]):
                for j in range(parameter.shape[1]):
                    parameter[i, j] = getattr(source_v2, name).weight[j, i]
