# mistakes: returns-none
import torch


class ScaledDotProduct:
    """Calls itself with or without values."""

    def __call__(self, queries, keys, values=None):
        def scale(scores):
            return scores / torch.sqrt(torch.tensor(keys.size(1), dtype=scores.dtype, device=scores.device))

        scores = scale(torch.einsum("i k, j k -> i j", queries, keys))
        out = scores if values is None else torch.softmax(scores, dim=1) @ values  # <- returns-none


attend = ScaledDotProduct()


def scaled_scores(queries, keys):
    return attend(queries, keys)


def scaled_dot_product_attention(queries, keys, values):
    return attend(queries, keys, values=values)


def dot_product_variance(dim, num_trials, generator):
    draw = lambda: torch.randn(num_trials, dim, generator=generator)  # noqa: E731
    before = (raw := (draw() * draw()).sum(dim=1)).var()
    return before, raw.div(dim ** 0.5).pow(2).mean() - raw.div(dim ** 0.5).mean() ** 2
