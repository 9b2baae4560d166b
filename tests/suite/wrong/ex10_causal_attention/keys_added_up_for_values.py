# mistakes: projection-reused
import torch, math
from torch import nn
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super(CausalAttention, self).__init__()
        self.d_in = d_in
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        B = x.shape[0]; T = x.shape[1]
        out = torch.zeros(B, T, self.d_out, dtype=x.dtype, device=x.device)
        q = self.W_query(x); k = self.W_key(x); v = self.W_value(x)
        for b in range(B):
            for i in range(T):
                w = torch.zeros(T, dtype=x.dtype, device=x.device)
                hi = -math.inf
                s = []
                for j in range(i + 1):
                    s.append((q[b, i] * k[b, j]).sum() / math.sqrt(self.d_out))
                    hi = max(hi, float(s[j]))
                total = 0.0
                for j in range(i + 1):
                    w[j] = torch.exp(s[j] - hi)
                    total = total + w[j]
                w = self.drop(w / total)
                for j in range(i + 1):
                    out[b, i] += w[j] * k[b, j]  # <- projection-reused
        return out
