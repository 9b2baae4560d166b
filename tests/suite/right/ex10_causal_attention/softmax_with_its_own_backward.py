# style: softmax as a torch.autograd.Function with a backward of its own
import torch
from torch import nn
class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        e = torch.exp(z - z.amax(-1, keepdim=True))
        p = e / e.sum(-1, keepdim=True)
        ctx.save_for_backward(p)
        return p
    @staticmethod
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        return p * (g - (g * p).sum(-1, keepdim=True))
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        mask = x.new_ones(x.shape[1], x.shape[1]).triu(1).bool()
        p = Softmax.apply((q @ k.mT / k.shape[-1] ** .5).masked_fill(mask, float("-inf")))
        return self.dropout(p) @ v
