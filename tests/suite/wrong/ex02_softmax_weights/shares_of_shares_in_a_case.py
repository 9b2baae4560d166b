# mistakes: softmax-twice
import torch


def softmax(scores: torch.Tensor) -> torch.Tensor:
    highest = torch.amax(scores, dim=0)
    powers = scores.sub(highest).exp_()
    return powers.mul(powers.sum().reciprocal())


attention_weights = torch.vmap(softmax)


def sharpened_weights(scores: torch.Tensor, factor: float = 2.0) -> torch.Tensor:
    match factor:
        case 1 | 1.0:
            return softmax(scores)
        case _:
            return softmax(softmax(torch.mul(scores, factor)))  # <- softmax-twice
