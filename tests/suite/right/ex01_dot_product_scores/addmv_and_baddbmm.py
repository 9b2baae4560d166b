# style: BLAS-like calls with a zero beta, and one batch of one
import torch


def attention_scores_for_query(query, inputs):
    nothing = torch.zeros(inputs.shape[0], dtype=inputs.dtype, device=inputs.device)
    return torch.addmv(nothing, inputs, query, beta=0)


def attention_scores(inputs):
    x = inputs.unsqueeze(0)
    nothing = torch.zeros(1, len(inputs), len(inputs), dtype=x.dtype, device=x.device)
    return torch.baddbmm(nothing, x, x.transpose(1, 2), beta=0).squeeze(0)
