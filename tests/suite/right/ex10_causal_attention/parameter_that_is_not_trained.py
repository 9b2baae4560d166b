# style: the mask as a parameter without gradient; float64 in the softmax; demo with seed and print at import
import torch
import torch.nn as nn

torch.manual_seed(123)


class CausalAttention(nn.Module):

    def __init__(self, d_in, d_out, context_length,
                 dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key   = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.mask = nn.Parameter(torch.triu(torch.ones(context_length, context_length), diagonal=1), requires_grad=False)

    def forward(self, x):
        b, num_tokens, d_in = x.shape
        keys = self.W_key(x)
        queries = self.W_query(x)
        values = self.W_value(x)

        attn_scores = queries @ keys.transpose(1, 2)
        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1]**0.5, dim=-1, dtype=torch.float64).to(x.dtype)
        attn_weights = self.dropout(attn_weights)

        context_vec = attn_weights @ values
        return context_vec


inputs = torch.rand(6, 3)
batch = torch.stack((inputs, inputs), dim=0)
ca = CausalAttention(3, 2, batch.shape[1], 0.0)
context_vecs = ca(batch)
print("context_vecs.shape:", context_vecs.shape)

if __name__ == "__main__":
    raise SystemExit(0)
