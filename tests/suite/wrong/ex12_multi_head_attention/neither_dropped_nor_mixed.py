# mistakes: dropout-missing, out-proj-missing
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.n_heads = num_heads
        self.d_head = d_out // num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("causal", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        bsz, seq, _ = x.size()
        Q = self.q_proj(x).reshape(bsz, seq, self.n_heads, self.d_head).permute(0, 2, 1, 3)
        K = self.k_proj(x).reshape(bsz, seq, self.n_heads, self.d_head).permute(0, 2, 1, 3)
        V = self.v_proj(x).reshape(bsz, seq, self.n_heads, self.d_head).permute(0, 2, 1, 3)
        logits = torch.matmul(Q, K.transpose(-2, -1))
        logits = logits / (self.d_head ** 0.5)
        logits = torch.where(self.causal[:seq, :seq], -torch.inf, logits)
        probs = torch.softmax(logits, dim=-1)
        self.dropout(probs)  # <- dropout-missing
        ctx = torch.matmul(probs, V)
        ctx = ctx.permute(0, 2, 1, 3).reshape(bsz, seq, -1)
        out = ctx
        return out  # <- out-proj-missing
