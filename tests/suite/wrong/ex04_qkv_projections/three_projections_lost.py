# mistakes: returns-none
import torch


def project(inputs, W_query, W_key, W_value):
    queries = inputs.mm(W_query)
    keys = inputs.mm(W_key)
    values = inputs.mm(W_value)
    print(queries.shape, keys.shape, values.shape)  # <- returns-none


def attention_score(query, key):
    return torch.einsum("d,d->", query, key)


def context_vector_for_query(query, keys, values):
    logits = torch.einsum("d,td->t", query, keys) / query.shape[-1] ** 0.5
    return torch.einsum("t,tv->v", logits.softmax(-1), values)
