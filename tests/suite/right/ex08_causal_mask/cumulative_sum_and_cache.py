# style: lru_cache on the mask, which is a cumulative sum; French comments
from functools import lru_cache

import torch


@lru_cache(maxsize=None)
def _masque(n):
    # la somme cumulée de l'identité vaut 1 sur la diagonale et à sa droite
    identité = torch.eye(n, dtype=torch.int64)
    return (identité.cumsum(dim=1) - identité).bool()


def causal_mask(context_length):
    return _masque(context_length).clone()  # une copie, pour que personne n'abîme le cache


def mask_scores(scores, mask):
    return torch.masked_fill(scores, mask, value=float('-inf'))


def causal_attention_weights(scores, d_k):
    # d'abord l'échelle, ensuite le masque, enfin softmax
    masqués = mask_scores(scores.mul(1 / d_k ** .5), causal_mask(scores.shape[-1]).to(scores.device))
    exps = (masqués - masqués.amax(-1, keepdim=True)).exp()
    return exps / exps.sum(-1, keepdim=True)
