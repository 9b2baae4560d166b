# mistakes: projection-reused
import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        queries = self.W_key(x)  # <- projection-reused
        keys = self.W_key(x)
        values = self.W_value(x)
        d_k = keys.shape[-1]
        omega = torch.matmul(queries, keys.transpose(0, 1))
        return torch.matmul(torch.softmax(omega.div(d_k**0.5), dim=1), values)


@torch.no_grad()
def copy_weights(source_v2, target_v1):
    for name, parameter in target_v1.named_parameters():
        parameter.copy_(source_v2.get_submodule(name).weight.t())
