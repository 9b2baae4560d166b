# mistakes: scale-inverted
import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super(SelfAttention_v2, self).__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=qkv_bias))

    def forward(self, x):
        queries = self.W_query(x)
        keys = self.W_key(x)
        values = self.W_value(x)
        scale = keys.shape[-1] ** -0.5
        attn_scores = queries @ keys.T / scale  # <- scale-inverted
        attn_weights = torch.softmax(attn_scores, dim=-1)
        return attn_weights @ values


def copy_weights(source_v2, target_v1):
    target_v1.W_query.data = source_v2.W_query.weight.data.T.clone()
    target_v1.W_key.data = source_v2.W_key.weight.data.T.clone()
    target_v1.W_value.data = source_v2.W_value.weight.data.T.clone()
