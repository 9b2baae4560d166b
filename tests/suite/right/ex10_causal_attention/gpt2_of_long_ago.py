# style: softmax in float32 and cast back, dead attributes, dropout skipped by hand in eval
# only: float32, bfloat16, float16; the scores are made float32
import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.attn_pdrop = dropout
        self.scale_attn_weights = True
        self.bias_cache = None

    def forward(self, hidden_states, head_mask=None):
        query, key, value = self.W_query(hidden_states), self.W_key(hidden_states), self.W_value(hidden_states)
        w = torch.matmul(query, key.transpose(-1, -2))
        if self.scale_attn_weights:
            w = w / (float(value.size(-1)) ** 0.5)
        nd, ns = w.size(-2), w.size(-1)
        b = torch.ones(ns, ns, device=w.device).tril()[ns - nd : ns, :ns]
        w = w.float() * b - 1e4 * (1 - b)
        w = w.softmax(dim=-1).to(value.dtype)
        if self.training and self.attn_pdrop > 0:
            w = F.dropout(w, self.attn_pdrop)
        if head_mask is not None:
            w = w * head_mask
        return torch.matmul(w, value)
