# style: a variance that is kept up to date draw by draw, in a class with an operator of its own
import torch


def scaled_scores(queries, keys):
    return torch.cdist(queries, keys).square().neg().add(queries.square().sum(1, keepdim=True)).add(keys.square().sum(1)).div(2 * keys.shape[1] ** 0.5) if queries.dtype == torch.float64 else queries @ keys.T / keys.shape[1] ** 0.5


def scaled_dot_product_attention(queries, keys, values):
    return torch.softmax(scaled_scores(queries, keys), dim=1).mm(values)


class Welford:
    def __init__(self):
        self.n, self.mean, self.m2 = 0, 0.0, 0.0

    def __iadd__(self, x):
        self.n += 1
        delta = x - self.mean
        self.mean += delta / self.n
        self.m2 += delta * (x - self.mean)
        return self

    @property
    def variance(self):
        return self.m2 / (self.n - 1)


def dot_product_variance(dim, num_trials, generator):
    before, after = Welford(), Welford()
    for q, k in torch.randn(num_trials, 2, dim, generator=generator):
        d = q @ k
        before += d
        after += d / dim ** 0.5
    return before.variance, after.variance
