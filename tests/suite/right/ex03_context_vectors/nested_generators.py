# style: sums of generators, token by token
import torch


def context_vector(weights, inputs):
    return sum(w * x for w, x in zip(weights, inputs))


def context_vectors(inputs):
    def rows():
        for query in inputs:
            scores = torch.stack([query @ other for other in inputs])
            yield context_vector(scores.softmax(0), inputs)

    return torch.stack(list(rows()))
