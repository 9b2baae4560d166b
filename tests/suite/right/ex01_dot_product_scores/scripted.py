# style: both functions compiled by torch.jit.script, as an old tutorial does it
import torch


@torch.jit.script
def attention_scores_for_query(query: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    return torch.matmul(inputs, query)


@torch.jit.script
def attention_scores(inputs: torch.Tensor) -> torch.Tensor:
    return torch.matmul(inputs, inputs.t())
