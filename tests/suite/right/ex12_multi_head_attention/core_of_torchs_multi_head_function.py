# style: torch's multi-head function for all but the three projections
import torch
from torch import nn
import torch.nn.functional as F
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads, self.p = num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
    def forward(self, x):
        T, n = x.shape[1], self.W_query.out_features
        m = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
        eye = torch.eye(n, dtype=x.dtype, device=x.device)
        q, k, v = (f(x).transpose(0, 1) for f in (self.W_query, self.W_key, self.W_value))
        y, _ = F.multi_head_attention_forward(q, k, v, n, self.num_heads, None, None, None, None, False, self.p,
            self.out_proj.weight, self.out_proj.bias, training=self.training, need_weights=False, attn_mask=m,
            use_separate_proj_weight=True, q_proj_weight=eye, k_proj_weight=eye, v_proj_weight=eye)
        return y.transpose(0, 1)
