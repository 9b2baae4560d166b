# style: a subclass of version 1 that replaces its three parameters; super().forward is not used
import torch
from torch import nn

from exercises.ex06_self_attention_v1 import SelfAttention_v1


class SelfAttention_v2(SelfAttention_v1):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out)
        del self.W_query, self.W_key, self.W_value
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)

    def forward(self, x):
        queries = self.W_query(x); keys = self.W_key(x); values = self.W_value(x)
        attn_scores = queries @ keys.T
        attn_weights = torch.softmax(attn_scores / keys.shape[-1]**0.5, dim=-1)
        context_vec = attn_weights @ values
        return context_vec


def copy_weights(source_v2, target_v1):
    with torch.no_grad():
        for old, new in zip(target_v1.parameters(), source_v2.parameters()):
            old.copy_(new.T)
