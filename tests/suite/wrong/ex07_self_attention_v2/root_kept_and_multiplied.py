# mistakes: scale-inverted
import torch
from torch import nn
from functools import cached_property


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        build = lambda: nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_query = build()
        self.W_key = build()
        self.W_value = build()

    @cached_property
    def wurzel(self):
        return self.d_out**0.5

    def forward(self, x):
        anfragen, schluessel, werte = self.W_query(x), self.W_key(x), self.W_value(x)
        punkte = torch.einsum("id,jd->ij", anfragen, schluessel) * self.wurzel  # <- scale-inverted
        return torch.einsum("ij,jd->id", punkte.softmax(dim=1), werte)


def copy_weights(source_v2, target_v1):
    neu = {}
    for name, parameter in source_v2.named_parameters():
        if name.endswith(".weight"):
            neu[name[: -len(".weight")]] = parameter.data.mT
    target_v1.load_state_dict(neu, strict=True)
