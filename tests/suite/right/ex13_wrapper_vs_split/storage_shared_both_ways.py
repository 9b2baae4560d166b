# style: the split's weights are made of the heads' own by .data; manual softmax; Spanish comments and accents
# only: float32, float64, bfloat16; exp of what lies 18 below a hidden score is 0 in float16
import torch
from torch import nn


class SplitHeadAttention(nn.Module):
    """Atención con todas las cabezas a la vez."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.cabezas, self.anchura = num_heads, d_out
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("máscara", torch.tril(torch.ones(1, 1, context_length, context_length)))

    def forward(self, x):
        lote, fichas, _ = x.shape

        # (lote, fichas, cabezas · anchura) → (lote, cabezas, fichas, anchura)
        def partir(t):
            return torch.stack(torch.split(t, self.anchura, dim=-1), dim=1)

        q, k, v = partir(self.W_query(x)), partir(self.W_key(x)), partir(self.W_value(x))
        puntos = torch.matmul(q * self.anchura**-0.5, k.transpose(-1, -2))
        exponenciales = (puntos - puntos.max(dim=-1, keepdim=True).values).exp() * self.máscara[..., :fichas, :fichas]
        pesos = exponenciales / exponenciales.sum(-1, keepdim=True)
        contexto = torch.matmul(self.dropout(pesos), v)
        return torch.cat(tuple(contexto[:, h] for h in range(self.cabezas)), dim=-1)


def copy_heads(wrapper, split):
    for papel in ("W_query", "W_key", "W_value"):
        capas = [getattr(cabeza, papel) for cabeza in wrapper.heads]
        ancha = getattr(split, papel)
        ancha.weight.data = torch.cat([capa.weight.data for capa in capas])
        if ancha.bias is not None:
            ancha.bias.data = torch.cat([capa.bias.data for capa in capas])
    salida = getattr(split, "out_proj", None)
    if salida is not None:
        salida.weight.data = torch.eye(salida.in_features).to(salida.weight)
        salida.bias.data.zero_()
