# style: loops over the batch and over the queries; each sees a slice of the keys, so there is no mask at all
import torch
import torch.nn as nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        batch = []
        for sequence in x:
            queries, keys, values = self.W_query(sequence), self.W_key(sequence), self.W_value(sequence)
            contexts = []
            for i in range(len(sequence)):
                scores = keys[: i + 1] @ queries[i] / self.d_out ** 0.5
                weights = self.dropout(torch.softmax(scores, dim=0))
                contexts.append(weights @ values[: i + 1])
            batch.append(torch.stack(contexts))
        return torch.stack(batch)
