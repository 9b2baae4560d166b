"""PyTorch's fused attention kernel with its scale turned off is the simplified self-attention."""

import torch.nn.functional as F


def context_vector(weights, inputs):
    return F.linear(weights, inputs.mT)


def context_vectors(inputs):
    x = inputs.unsqueeze(0)
    return F.scaled_dot_product_attention(x, x, x, scale=1.0).squeeze(0)
