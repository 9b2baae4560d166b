# style: dropped row by row, with lists
import torch


def dropout_weights(weights, p, training, generator=None):
    if training:
        keep_p = 1.0 - p
        rows = []
        for row in weights.reshape(-1, weights.shape[-1]):
            coin = torch.bernoulli(torch.full(row.shape, keep_p, device=row.device), generator=generator).bool()
            rows.append(torch.where(coin, row / keep_p if keep_p else row, torch.zeros_like(row)))
        return torch.stack(rows).view(weights.shape)
    return weights
