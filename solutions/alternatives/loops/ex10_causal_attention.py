"""No mask at all: in a loop over the batch and the tokens, a token is only ever shown itself and the ones
before it."""

import math

import torch


class CausalAttention(torch.nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.context_length = context_length
        self.W_query = torch.nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = torch.nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = torch.nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, x):
        batch = []
        for sequence in x:
            queries = self.W_query(sequence)
            keys = self.W_key(sequence)
            values = self.W_value(sequence)
            contexts = []
            for i in range(len(sequence)):
                scores = keys[: i + 1] @ queries[i]
                weights = self.dropout(torch.softmax(scores / math.sqrt(self.d_out), dim=0))
                contexts.append(weights @ values[: i + 1])
            batch.append(torch.stack(contexts))
        return torch.stack(batch)
