# style: new parameters that share storage; SDPA; a keyword-only scale
import torch
import torch.nn as nn
import torch.nn.functional as F


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in: int, d_out: int, qkv_bias: bool = False) -> None:
        super().__init__()
        self.W_value = nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)
        self.W_key = nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)
        self.W_query = nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.scaled_dot_product_attention(
            query=self.W_query(x).unsqueeze(0), key=self.W_key(x).unsqueeze(0), value=self.W_value(x).unsqueeze(0)
        ).squeeze(0)


def copy_weights(source_v2: nn.Module, target_v1: nn.Module) -> None:
    for role in ("W_query", "W_key", "W_value"):
        setattr(target_v1, role, nn.Parameter(getattr(source_v2, role).weight.t()))
