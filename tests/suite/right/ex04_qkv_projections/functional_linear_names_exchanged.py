# style: F.linear; the local names of queries and keys exchanged, and given back in the right order
import torch.nn.functional as F


def project(inputs, W_query, W_key, W_value):
    keys = F.linear(inputs, W_query.T)
    queries = F.linear(inputs, W_key.T)
    return keys, queries, F.linear(inputs, W_value.mT)


def attention_score(key, query):
    return key @ query


def context_vector_for_query(query, keys, values):
    logits = F.linear(query[None], keys) * (1 / keys.shape[1] ** 0.5)
    return F.linear(F.softmax(logits, dim=1), values.T)[0]
