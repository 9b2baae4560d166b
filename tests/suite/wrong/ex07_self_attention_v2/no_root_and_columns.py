# mistakes: scale-no-sqrt, softmax-wrong-axis
import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super(SelfAttention_v2, self).__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=qkv_bias))

    def forward(self, x):
        query, key, value = (layer(x) for layer in (self.W_query, self.W_key, self.W_value))
        dots = query @ key.transpose(-1, -2)
        dots = dots / key.shape[-1]  # <- scale-no-sqrt
        shares = nn.functional.softmax(dots, dim=-2)  # <- softmax-wrong-axis
        return shares @ value


@torch.no_grad()
def copy_weights(source_v2, target_v1):
    for name, parameter in target_v1.named_parameters():
        parameter.copy_(source_v2.get_submodule(name).weight.t())
