# style: log_softmax and exp, tensordot, addmv; Japanese comments
import torch


def context_vector(weights, inputs):
    # 重み付き和
    零 = inputs.new_zeros(inputs.shape[1])
    return torch.addmv(零, inputs.t(), weights)


def context_vectors(inputs):
    # 内積 → ソフトマックス → 重み付き和
    対数 = torch.log_softmax(torch.tensordot(inputs, inputs, dims=([1], [1])), dim=1)
    return torch.tensordot(torch.exp(対数), inputs, dims=1)
