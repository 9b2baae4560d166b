"""The softmax and the unscaled scores come from our own earlier modules; the variances are 0-d tensors of a
float64 experiment."""

import torch

from exercises.ex02_softmax_weights import attention_weights
from exercises.ex04_qkv_projections import attention_score


def scale(scores, d_k):
    return scores * torch.rsqrt(torch.tensor(float(d_k), dtype=scores.dtype, device=scores.device))


def scaled_scores(queries, keys):
    return scale(queries @ keys.t(), d_k=keys.size(1))


def scaled_dot_product_attention(queries, keys, values):
    return attention_weights(scaled_scores(queries, keys)) @ values


def dot_product_variance(dim, num_trials, generator):
    options = {"dtype": torch.float64, "generator": generator, "device": generator.device}
    scores = torch.stack(
        [attention_score(torch.randn(dim, **options), torch.randn(dim, **options)) for _ in range(num_trials)]
    )
    return scores.var(unbiased=False), scale(scores, dim).var(unbiased=False)
