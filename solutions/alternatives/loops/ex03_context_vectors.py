"""A context vector is a running sum of weight times token, in two nested loops for all tokens."""

import torch


def context_vector(weights, inputs):
    context = torch.zeros(inputs.shape[1], dtype=inputs.dtype, device=inputs.device)
    for i in range(len(inputs)):
        context = context + weights[i] * inputs[i]
    return context


def context_vectors(inputs):
    contexts = []
    for query in inputs:
        scores = []
        for token in inputs:
            scores.append(torch.dot(query, token))
        weights = torch.softmax(torch.stack(scores), dim=0)
        contexts.append(context_vector(weights, inputs))
    return torch.stack(contexts)
