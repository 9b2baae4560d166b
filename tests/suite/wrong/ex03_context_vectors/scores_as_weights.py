# mistakes: softmax-missing
import torch


def context_vector(weights, inputs):
    out = torch.zeros(inputs.shape[1], dtype=inputs.dtype, device=inputs.device)
    for w, x in zip(weights, inputs):
        out += w * x
    return out


def context_vectors(inputs):
    attn = torch.einsum("id,jd->ij", inputs, inputs)
    return torch.einsum("ij,jd->id", attn, inputs)  # <- softmax-missing
