# style: the three matrices stacked and multiplied at once; the scale spread over both factors
import torch


def project(inputs, W_query, W_key, W_value):
    if W_query.shape == W_key.shape == W_value.shape:
        q, k, v = torch.stack([W_query, W_key, W_value]).swapaxes(1, 2) @ inputs.T
        return q.T, k.T, v.T
    return tuple(torch.tensordot(inputs, W, dims=1) for W in (W_query, W_key, W_value))


def attention_score(query, key):
    return torch.vdot(query, key)


def context_vector_for_query(query, keys, values):
    root4 = query.shape[0] ** 0.25
    omega = (keys / root4) @ (query / root4)
    alpha = torch.exp(omega - torch.logsumexp(omega, 0))
    return (alpha[:, None] * values).sum(0)
