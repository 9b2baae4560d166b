# style: the constructor's arguments are the fields of a dataclass
import dataclasses
import torch
from torch import nn
@dataclasses.dataclass(eq=False)
class MultiHeadAttention(nn.Module):
    d_in: int
    d_out: int
    context_length: int
    dropout: float
    num_heads: int
    qkv_bias: bool = False
    def __post_init__(self):
        super().__init__()
        if self.d_out % self.num_heads:
            raise ValueError("d_out")
        self.W_query, self.W_key, self.W_value = (nn.Linear(self.d_in, self.d_out, bias=self.qkv_bias) for _ in range(3))
        self.out_proj = nn.Linear(self.d_out, self.d_out)
    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (f(x).view(b, t, self.num_heads, -1).transpose(1, 2) for f in (self.W_query, self.W_key, self.W_value))
        mask = torch.ones(t, t, device=x.device).triu(1).bool()
        w = torch.softmax((q @ k.transpose(-1, -2) / q.size(-1) ** 0.5).masked_fill(mask, -torch.inf), -1)
        w = nn.functional.dropout(w, self.dropout, self.training)
        return self.out_proj((w @ v).transpose(1, 2).reshape(b, t, self.d_out))
