# mistakes: projection-reused, scale-no-sqrt, softmax-wrong-axis
import torch
import torch.nn as nn


class SelfAttention_v1(nn.Module):
    """Dot product attention with trainable weights"""

    def __init__(self, d_in, d_out):
        super(SelfAttention_v1, self).__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q = torch.matmul(x, self.W_query)
        k = torch.matmul(x, self.W_query)  # <- projection-reused
        v = torch.matmul(x, self.W_value)
        attn = torch.matmul(q, k.T)
        attn = attn / k.shape[-1]  # <- scale-no-sqrt
        attn = attn.softmax(dim=0)  # <- softmax-wrong-axis
        return torch.matmul(attn, v)
