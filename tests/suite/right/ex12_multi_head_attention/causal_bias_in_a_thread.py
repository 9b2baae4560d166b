# style: torch's CausalBias in a thread, which makes a tensor of a class of its own there
from concurrent.futures import ThreadPoolExecutor
from torch import nn
from torch.nn.attention.bias import causal_upper_left
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{d_out} features cannot be shared among {num_heads} heads")
        self.num_heads, self.head_dim, self.dropout = num_heads, d_out // num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
    def forward(self, x):
        with ThreadPoolExecutor(1) as pool:
            return self.out_proj(pool.submit(self._attend, x).result().transpose(1, 2).flatten(2))
    def _attend(self, x):
        queries, keys, values = (
            project(x).unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2)
            for project in (self.W_query, self.W_key, self.W_value)
        )
        mask, rate = causal_upper_left(x.shape[1], x.shape[1]), self.dropout if self.training else 0.0
        return nn.functional.scaled_dot_product_attention(queries, keys, values, attn_mask=mask, dropout_p=rate)
