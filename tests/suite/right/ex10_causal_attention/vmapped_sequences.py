# style: one sequence's attention as a nested function, spread over the batch by torch.func.vmap
import torch
from torch import nn
from torch.func import vmap


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        mask = self.mask[: x.shape[1], : x.shape[1]]

        def one_sequence(sequence):
            q, k, v = self.W_query(sequence), self.W_key(sequence), self.W_value(sequence)
            scores = (q @ k.T / k.shape[-1] ** 0.5).masked_fill(mask, -torch.inf)
            return self.dropout(scores.softmax(-1)) @ v

        return vmap(one_sequence, randomness="different")(x)
