# style: tabs, a mixin that splits and merges, log_softmax then exp, parameters initialised with xavier
# only: float32, float64, bfloat16; -1e9 is no float16
import torch
from torch import nn

class SplitsHeads:
	def split(self, t): return t.reshape(*t.shape[:-1], self.num_heads, -1).swapaxes(-3, -2)
	def merge(self, t): return t.swapaxes(-3, -2).reshape(*t.shape[:-3], t.shape[-2], -1)

class MultiHeadAttention(SplitsHeads, nn.Module):
	def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
		super().__init__()
		if d_out % num_heads != 0: raise ValueError('d_out must be divisible by num_heads')
		self.num_heads = num_heads
		for name in 'W_query W_key W_value'.split():
			layer = nn.Linear(d_in, d_out, bias=qkv_bias); nn.init.xavier_uniform_(layer.weight)
			setattr(self, name, layer)
		self.out_proj = nn.Linear(d_out, d_out)
		self.dropout = nn.Dropout(dropout)
		m = torch.arange(context_length); self.register_buffer('mask', (m[:, None] < m)[None, None])

	def forward(self, x):
		T = x.shape[-2]
		q = self.split(self.W_query(x)); k = self.split(self.W_key(x)); v = self.split(self.W_value(x))
		s = torch.matmul(q, k.swapdims(-1, -2)) * (k.shape[-1] ** -.5)
		s = s.masked_fill(self.mask[:, :, :T, :T], -1e9)
		w = torch.exp(torch.log_softmax(s, -1))
		return self.out_proj(self.merge(torch.matmul(self.dropout(w), v)))
