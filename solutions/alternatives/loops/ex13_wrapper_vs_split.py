"""One token after another asks with all its heads at once: products per token, never per head. copy_heads
copies row by row."""

import math

import torch


class SplitHeadAttention(torch.nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.num_heads = num_heads
        self.W_query = torch.nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = torch.nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = torch.nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, x):
        B, T, _ = x.shape
        shape = (B, T, self.num_heads, self.d_out)
        queries = self.W_query(x).view(shape).transpose(1, 2)
        keys = self.W_key(x).view(shape).transpose(1, 2)
        values = self.W_value(x).view(shape).transpose(1, 2)
        contexts = []
        for t in range(T):
            query = queries[:, :, t : t + 1]  # (B, H, 1, d_out)
            scores = query @ keys[:, :, : t + 1].transpose(2, 3) / math.sqrt(self.d_out)
            weights = self.dropout(torch.softmax(scores, dim=-1))
            context = weights @ values[:, :, : t + 1]
            contexts.append(context.reshape(B, self.num_heads * self.d_out))
        return torch.stack(contexts, dim=1)


def copy_heads(wrapper, split):
    with torch.no_grad():
        row = 0
        for head in wrapper.heads:
            for r in range(head.W_query.out_features):
                split.W_query.weight[row] = head.W_query.weight[r]
                split.W_key.weight[row] = head.W_key.weight[r]
                split.W_value.weight[row] = head.W_value.weight[r]
                if head.W_query.bias is not None:
                    split.W_query.bias[row] = head.W_query.bias[r]
                    split.W_key.bias[row] = head.W_key.bias[r]
                    split.W_value.bias[row] = head.W_value.bias[r]
                row += 1
        if hasattr(split, "out_proj"):
            for i in range(split.out_proj.out_features):
                for j in range(split.out_proj.in_features):
                    split.out_proj.weight[i, j] = 1.0 if i == j else 0.0
                split.out_proj.bias[i] = 0.0
