# style: queries and keys each divided by the fourth root, variance by its definition, numpy floats
import numpy as np
import torch


def scaled_scores(queries, keys):
    root = keys.shape[-1] ** 0.25
    return (queries / root) @ (keys / root).T


def scaled_dot_product_attention(queries, keys, values):
    return scaled_scores(queries, keys).softmax(dim=1).mm(values)


def dot_product_variance(dim, num_trials, generator):
    vectors = torch.empty(2 * num_trials, dim, device=generator.device).normal_(generator=generator)
    dots = (vectors[:num_trials] * vectors[num_trials:]).sum(1).cpu().numpy()
    return np.var(dots), np.var(dots / np.sqrt(dim))
