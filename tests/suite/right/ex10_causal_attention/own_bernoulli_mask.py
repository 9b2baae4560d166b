# style: dropout by a bernoulli mask of its own; renormalised exponentials; Russian comments
import torch
from torch import nn


class CausalAttention(nn.Module):
    """Причинное внимание."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.p = dropout
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.register_buffer("видно", torch.ones(context_length, context_length).tril())

    def forward(self, x):
        T = x.shape[1]
        оценки = self.W_query(x) @ self.W_key(x).transpose(-2, -1) / self.W_key.out_features ** 0.5
        # вычитаем максимум, чтобы экспонента не переполнилась
        экспоненты = torch.exp(оценки - оценки.amax(dim=-1, keepdim=True)) * self.видно[:T, :T]
        веса = экспоненты / экспоненты.sum(dim=-1, keepdim=True)
        if self.training and self.p > 0:
            оставить = torch.bernoulli(torch.full_like(веса, 1 - self.p))
            веса = веса * оставить / (1 - self.p)
        return веса @ self.W_value(x)
