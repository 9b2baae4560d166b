# mistakes: bias-always, softmax-wrong-axis
import torch
import torch.nn as nn
import torch.nn.functional as F


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.qkv_bias = qkv_bias
        make = lambda: nn.Linear(d_in, d_out)  # <- bias-always
        self.W_query = make()
        self.W_key = make()
        self.W_value = make()

    def forward(self, x):
        Q, K, V = self.W_query(x), self.W_key(x), self.W_value(x)
        S = torch.matmul(Q, K.T).div(K.shape[-1] ** 0.5)
        P = F.softmax(S, dim=0)  # <- softmax-wrong-axis
        return torch.matmul(P, V)


def copy_weights(source_v2, target_v1):
    for name in ("W_query", "W_key", "W_value"):
        getattr(target_v1, name).data = getattr(source_v2, name).weight.data.T.clone()
