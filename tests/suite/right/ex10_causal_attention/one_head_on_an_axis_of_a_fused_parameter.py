# style: made for any number of heads, of which there is one here: an axis for it in the fused parameter and in its bias
import torch
from torch import nn
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False, heads=1):
        super().__init__()
        self.qkv = nn.Parameter(torch.randn(heads, 3, d_in, d_out) * 0.1)
        self.qkv_bias = nn.Parameter(torch.zeros(heads, 3, 1, d_out)) if qkv_bias else torch.zeros(heads, 3, 1, d_out)
        self.d = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = (torch.einsum("btd,hrdk->rbhtk", x, self.qkv) + self.qkv_bias.to(x).transpose(0, 1)[:, None])
        m = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
        w = self.d((q @ k.mT / k.shape[-1] ** 0.5).masked_fill(m, -torch.inf).softmax(-1))
        return (w @ v).transpose(1, 2).flatten(2)
