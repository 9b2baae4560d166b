# style: the blend is the gradient of a logsumexp, by autograd
import torch
def context_vector(weights, inputs):
    q = torch.zeros(inputs.shape[1], dtype=inputs.dtype, device=inputs.device, requires_grad=True)
    with torch.enable_grad():
        (g,) = torch.autograd.grad((weights * (inputs @ q)).sum(), q)
    return g
def context_vectors(inputs):
    energy = lambda q: torch.logsumexp(inputs @ q, 0)
    return torch.func.vmap(torch.func.grad(energy))(inputs)
