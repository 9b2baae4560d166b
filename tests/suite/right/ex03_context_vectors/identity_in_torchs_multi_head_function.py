# style: torch's own multi-head function with the identity for every weight
import torch
import torch.nn.functional as F
def context_vector(weights, inputs):
    return F.linear(weights[None], inputs.T)[0]
def context_vectors(inputs):
    T, d = inputs.shape
    eye = torch.eye(d, dtype=inputs.dtype, device=inputs.device)
    x = inputs[:, None, :]
    out, _ = F.multi_head_attention_forward(
        x * d ** 0.5, x, x, d, 1, None, None, None, None, False, 0.0, eye, None, training=False, need_weights=False,
        use_separate_proj_weight=True, q_proj_weight=eye, k_proj_weight=eye, v_proj_weight=eye)
    return out[:, 0]
