# style: scaled_dot_product_attention with a mask of torch.nn.attention
import torch.nn.functional as F
from torch import nn
from torch.nn.attention.bias import causal_lower_right


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = dropout

    def forward(self, x):
        queries, keys, values = (layer(x).unsqueeze(1) for layer in (self.W_query, self.W_key, self.W_value))
        mask = causal_lower_right(queries.size(2), keys.size(2))
        rate = self.dropout if self.training else 0.0
        context = F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask, dropout_p=rate)
        return context.squeeze(1)
