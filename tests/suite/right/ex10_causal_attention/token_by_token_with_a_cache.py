# style: token by token, with keys and values that grow as in an inference engine; no mask
import torch
from torch import nn
class CausalAttention(nn.Module):
    """Decodes token by token with growing keys and values, as in inference engines."""
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
    def step(self, x_t, cache):
        k, v = self.W_key(x_t), self.W_value(x_t)
        K = k if cache is None else torch.cat((cache[0], k), 1)
        V = v if cache is None else torch.cat((cache[1], v), 1)
        w = torch.softmax(self.W_query(x_t) @ K.mT / K.shape[-1] ** 0.5, -1)
        return self.dropout(w) @ V, (K, V)
    def forward(self, x):
        cache, out = None, []
        for t in range(x.shape[1]):
            y, cache = self.step(x[:, t:t + 1], cache)
            out.append(y)
        return torch.cat(out, 1)
