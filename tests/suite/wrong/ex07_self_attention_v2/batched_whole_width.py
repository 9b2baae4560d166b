# mistakes: scale-no-sqrt
import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        batch = x.unsqueeze(0)
        q, k, v = self.W_query(batch), self.W_key(batch), self.W_value(batch)
        scores = torch.bmm(q, k.transpose(1, 2)) * (1.0 / k.size(-1))  # <- scale-no-sqrt
        return torch.bmm(scores.softmax(-1), v).squeeze(0)


def copy_weights(source_v2, target_v1):
    target_v1.W_query.data = source_v2.W_query.weight.data.T.clone()
    target_v1.W_key.data = source_v2.W_key.weight.data.T.clone()
    target_v1.W_value.data = source_v2.W_value.weight.data.T.clone()
