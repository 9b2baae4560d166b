# style: plain Python loops over rows and entries, written into a tensor made beforehand
# only: cpu, float32; torch.empty(n) fixes both
import torch


def attention_scores_for_query(query, inputs):
    scores = torch.empty(inputs.shape[0])
    for i in range(inputs.shape[0]):
        total = 0.0
        for j in range(inputs.shape[1]):
            total += query[j] * inputs[i, j]
        scores[i] = total
    return scores


def attention_scores(inputs):
    T = len(inputs)
    result = torch.empty(T, T)
    for i in range(T):
        for j in range(T):
            result[i, j] = torch.dot(inputs[i], inputs[j])
    return result
