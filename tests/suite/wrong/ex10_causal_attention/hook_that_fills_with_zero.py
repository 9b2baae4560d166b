# mistakes: mask-zero-fill
import torch
from torch import nn
class CausalAttention(nn.Module):
    """Masks with a forward hook on an Identity."""
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.scores = nn.Identity()
        self.weights = nn.Softmax(dim=-1)
        self.scores.register_forward_hook(lambda m, i, o: o / d_out ** 0.5)
        self.scores.register_forward_hook(self._hide)
        self.weights.register_forward_hook(lambda m, i, o: nn.functional.dropout(o, dropout, self.training))
    @staticmethod
    def _hide(module, args, output):
        n = output.shape[-1]
        future = torch.ones(n, n, dtype=torch.bool, device=output.device).triu(1)
        return output.masked_fill(future, 0.0)  # <- mask-zero-fill
    def forward(self, x):
        return self.weights(self.scores(self.W_query(x) @ self.W_key(x).transpose(1, 2))) @ self.W_value(x)
