# style: a masked tensor that is filled with minus infinity, and a mask of running sums
# only: float32, float64, float16; masked tensors know no bfloat16
import torch
from torch.masked import masked_tensor
import warnings
def causal_mask(context_length):
    return torch.ones(context_length, context_length).cumsum(1) > torch.arange(1, context_length + 1)[:, None]
def mask_scores(scores, mask):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return masked_tensor(scores, ~mask.expand(scores.shape)).to_tensor(-torch.inf)
def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    z = mask_scores(scores, causal_mask(T).to(scores.device)) / d_k ** 0.5
    return z.softmax(-1)
