# style: exercise 12's module with a function for its last layer, data assigned
import torch
from torch import nn
from exercises.ex12_multi_head_attention import MultiHeadAttention
class SplitHeadAttention(MultiHeadAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__(d_in, d_out * num_heads, context_length, dropout, num_heads, qkv_bias)
        del self.out_proj
        self.__dict__["out_proj"] = lambda y: y
def copy_heads(wrapper, split):
    with torch.no_grad():
        for role in ("W_query", "W_key", "W_value"):
            layer = getattr(split, role)
            layer.weight.data = torch.cat([getattr(h, role).weight for h in wrapper.heads]).clone()
            if layer.bias is not None:
                layer.bias.data = torch.cat([getattr(h, role).bias for h in wrapper.heads]).clone()
        if isinstance(split.out_proj, nn.Linear):
            split.out_proj.weight.copy_(torch.eye(split.out_proj.in_features))
            split.out_proj.bias.zero_()
