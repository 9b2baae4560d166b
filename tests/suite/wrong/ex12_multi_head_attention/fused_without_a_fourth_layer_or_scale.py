# mistakes: scale-missing, out-proj-missing
import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
        self.h = num_heads
        self.hd = d_out // num_heads
        self.d_out = d_out
        self.W_qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("causal_mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, inputs):
        B = inputs.size(0)
        T = inputs.size(1)
        q, k, v = self.W_qkv(inputs).chunk(3, dim=-1)
        q, k, v = (t.view(B, T, self.h, self.hd).transpose(1, 2) for t in (q, k, v))
        logits = q @ k.transpose(2, 3)
        logits.masked_fill_(self.causal_mask[:T, :T].bool(), -torch.inf)
        probs = F.softmax(logits, dim=-1)  # <- scale-missing
        probs = self.drop(probs)
        out = torch.matmul(probs, v)
        out = out.transpose(1, 2).contiguous().view(B, T, self.d_out)
        return out  # <- out-proj-missing
