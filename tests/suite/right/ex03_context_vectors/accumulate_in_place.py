# style: starts from zeros and adds into its own tensor with add_ and alpha
# only: cpu, float32; torch.zeros(n) fixes both
import torch


def context_vector(weights, inputs):
    context_vec = torch.zeros(inputs.shape[1])
    for i in range(len(inputs)):
        context_vec.add_(inputs[i], alpha=weights[i].item())
    return context_vec


def context_vectors(inputs):
    out = torch.zeros_like(inputs)
    weights = torch.softmax(inputs.mm(inputs.mT), dim=1)
    for i, row in enumerate(weights):
        out[i] = context_vector(row, inputs)
    return out
