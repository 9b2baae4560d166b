# mistakes: projection-reused
def project(inputs, W_query, W_key, W_value):
    queries = inputs @ W_query
    keys = inputs @ W_key

    values = inputs @ W_value

    return queries, values, keys  # <- projection-reused


def attention_score(query, key):
    return query @ key


def context_vector_for_query(query, keys, values):
    scores = keys @ query / keys.shape[-1] ** 0.5
    return scores.softmax(dim=-1) @ values
