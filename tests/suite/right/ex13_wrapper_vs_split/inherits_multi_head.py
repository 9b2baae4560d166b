# style: a subclass of exercise 12's class whose out_proj is nn.Identity; load_state_dict for the copy
import torch
from torch import nn

from ex12_multi_head_attention import MultiHeadAttention


class SplitHeadAttention(MultiHeadAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__(d_in, d_out * num_heads, context_length, dropout, num_heads, qkv_bias)
        self.out_proj = nn.Identity()


def copy_heads(wrapper, split):
    state = {}
    for role in ("W_query", "W_key", "W_value"):
        for leaf, _ in getattr(split, role).named_parameters():
            state[f"{role}.{leaf}"] = torch.cat([getattr(getattr(h, role), leaf) for h in wrapper.heads]).detach()
    split.out_proj = nn.Identity()
    missing, unexpected = split.load_state_dict(state, strict=False)
    assert not unexpected
