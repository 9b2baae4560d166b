# style: heads folded into the batch, baddbmm; copying through a generator of pairs; parameters compared by name
import torch
from torch import nn
from typing import Iterator


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads_and_width = num_heads, d_out
        make = lambda: nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)  # noqa: E731
        self.W_query, self.W_key, self.W_value = make(), make(), make()
        self.drop = nn.Dropout(dropout)
        self.register_buffer("hidden", torch.triu(torch.full((context_length, context_length), -1e9), diagonal=1))

    def forward(self, x):
        B, T, _ = x.shape
        H, d = self.heads_and_width
        to_batch = lambda t: t.view(B, T, H, d).transpose(1, 2).reshape(B * H, T, d)  # noqa: E731
        q, k, v = to_batch(self.W_query(x)), to_batch(self.W_key(x)), to_batch(self.W_value(x))
        scores = torch.baddbmm(self.hidden[:T, :T], q, k.transpose(1, 2), alpha=d**-0.5)
        mixed = torch.bmm(self.drop(scores.softmax(dim=2)), v)
        return mixed.view(B, H, T, d).permute(0, 2, 1, 3).reshape(B, T, H * d)


def _pairs(wrapper, split) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    for name, wide in split.named_parameters():
        if name.startswith("W_"):
            narrow = [dict(head.named_parameters())[name] for head in wrapper.heads]
            yield wide, torch.cat(narrow)
        elif name == "out_proj.weight":
            yield wide, torch.eye(*wide.shape)
        elif name == "out_proj.bias":
            yield wide, torch.zeros(wide.shape)


def copy_heads(wrapper, split):
    with torch.no_grad():
        for wide, values in _pairs(wrapper, split):
            wide.copy_(values)
