# style: the mask that torch.nn.Transformer makes, as truth values and added
import torch
from torch.nn import Transformer
def causal_mask(context_length):
    return Transformer.generate_square_subsequent_mask(context_length) == float("-inf")
def mask_scores(scores, mask):
    out = scores.detach().clone()
    out[..., mask] = -torch.inf
    return out
def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    z = scores / d_k ** 0.5
    z = z + Transformer.generate_square_subsequent_mask(T).to(z)
    return torch.exp(z.log_softmax(-1))
