# mistakes: scale-wrong-width
import torch as t
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        r = d_out % num_heads
        if r != 0:
            raise ValueError(f"{num_heads} does not divide {d_out} (remainder {r})")
        k = d_out // num_heads
        W = lambda *s: nn.Parameter(t.empty(*s).uniform_(-1, 1) / d_in ** .5)
        self.W_Q, self.W_K, self.W_V = W(num_heads, d_in, k), W(num_heads, d_in, k), W(num_heads, d_in, k)
        if qkv_bias:
            self.b_Q, self.b_K, self.b_V = W(num_heads, k), W(num_heads, k), W(num_heads, k)
        else:
            self.b_Q = self.b_K = self.b_V = None
        self.W_O, self.b_O = W(num_heads, k, d_out), nn.Parameter(t.zeros(d_out))
        self.p = dropout
        self.k = k
    def forward(self, X):
        n = X.shape[1]
        f = lambda W, b: t.einsum("bnd,hdk->bhnk", X, W) + (0 if b is None else b[None, :, None])
        Q, K, V = f(self.W_Q, self.b_Q), f(self.W_K, self.b_K), f(self.W_V, self.b_V)
        S = t.einsum("bhik,bhjk->bhij", Q, K) / X.shape[2] ** .5  # <- scale-wrong-width
        i = t.arange(n, device=X.device)
        A = t.where(i[:, None] >= i[None], S, -t.inf).softmax(3)
        A = t.dropout(A, self.p, self.training)
        return t.einsum("bhij,bhjk,hko->bio", A, V, self.W_O) + self.b_O
