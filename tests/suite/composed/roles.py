"""Modules of exercise 4: queries, keys and values, and what one query makes of them."""

from __future__ import annotations

from .plan import HEADER, Plan, done

EACH = "queries = inputs @ W_query\nkeys = inputs @ W_key\nvalues = inputs @ W_value"
MATMUL = EACH.replace("inputs @ ", "torch.matmul(inputs, ").replace("\n", ")\n") + ")"
TOGETHER = "queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value"
ROWS = EACH.replace("inputs @ ", "torch.stack([x @ ").replace("\n", " for x in inputs])\n") + " for x in inputs])"
EINSUM = "queries, keys, values = (torch.einsum('ti,io->to', inputs, W) for W in (W_query, W_key, W_value))"

PROJECTIONS = Plan(
    "ex04_qkv_projections",
    f"""{HEADER}def project(inputs, W_query, W_key, W_value):
    {{projected}}
    {{roles}}


def attention_score(query, key):
    {{score}}
    {{score_given}}


def context_vector_for_query(query, keys, values):
    {{scored}}
    {{scaled}}
    {{weighted}}
    {{blended}}
    {{given}}
""",
    {
        "projected": done(
            EACH,
            MATMUL,
            TOGETHER,
            EINSUM,
            "queries, keys, values = [torch.mm(inputs, W) for W in (W_query, W_key, W_value)]",
            "queries, keys, values = (inputs @ torch.cat([W_query, W_key, W_value], dim=1)).chunk(3, dim=-1)",
            "queries, keys, values = (F.linear(inputs, W.T) for W in (W_query, W_key, W_value))",
            ROWS,
        ),
        "roles": done("return queries, keys, values", "roles = (queries, keys, values)\nreturn roles"),
        "score": done(
            "found = query @ key",
            "found = torch.dot(query, key)",
            "found = (query * key).sum()",
            "found = torch.einsum('d,d->', query, key)",
            "found = sum(q * k for q, k in zip(query, key))",
        ),
        "score_given": done("return found", "answer = found\nreturn answer"),
        "scored": done(
            "scores = keys @ query",
            "scores = torch.matmul(query, keys.T)",
            "scores = torch.einsum('td,d->t', keys, query)",
            "scores = torch.stack([attention_score(query, key) for key in keys])",
            "scores = torch.zeros(len(keys))\nfor i, key in enumerate(keys):\n    scores[i] = torch.dot(query, key)",
        ),
        "scaled": done(
            "scores = scores / WIDTH**0.5",
            "scores = scores / math.sqrt(WIDTH)",
            "d_k = WIDTH\nscores = scores * d_k**-0.5",
            "scores = torch.stack([s / math.sqrt(WIDTH) for s in scores])",
        ),
        "weighted": done(
            "weights = torch.softmax(scores, dim=-1)",
            "weights = scores.softmax(0)",
            "weights = F.softmax(scores, dim=0)",
            "e = torch.exp(scores - scores.max())\nweights = e / e.sum()",
        ),
        "blended": done(
            "context = weights @ values",
            "context = torch.einsum('t,td->d', weights, values)",
            "context = (weights[:, None] * values).sum(dim=0)",
            "context = sum(w * v for w, v in zip(weights, values))",
            "context = torch.zeros(values.shape[1])\nfor w, v in zip(weights, values):\n    context += w * v",
        ),
        "given": done("return context", "out = context\nreturn out"),
    },
    {
        "query-key-swapped in projected": ("projected", done(
            TOGETHER.replace("queries, keys,", "keys, queries,") + "  # <-",
            EINSUM.replace("W_query, W_key,", "W_key, W_query,") + "  # <-",
            EACH.replace("W_query", "W_other").replace("W_key", "W_query").replace("W_other", "W_key  # <-"),
        )),
        "query-key-swapped in roles": ("roles", done("return keys, queries, values  # <-")),
        "projection-reused in projected": ("projected", done(
            EACH.replace("W_query", "W_key  # <-"),
            EACH.replace("W_query", "W_value  # <-"),
            MATMUL.replace("W_key)", "W_query)  # <-"),
            EACH.replace("W_key", "W_value  # <-"),
            TOGETHER.replace("W_value", "W_query  # <-"),
            EINSUM.replace("W_value", "W_key") + "  # <-",
            ROWS.replace("W_key for x in inputs])", "W_query for x in inputs])  # <-"),
        )),
        "projection-reused in roles": ("roles", done(
            "return queries, keys, keys  # <-", "return queries, values, keys  # <-"
        )),
        "projection-reused in scored": ("scored", done(
            "scores = values @ query  # <-",
            "scores = torch.mv(values, query)  # <-",
        )),
        "projection-reused in blended": ("blended", done(
            "context = weights @ keys  # <-",
            "context = torch.einsum('t,td->d', weights, keys)  # <-",
            "context = sum(w * k for w, k in zip(weights, keys))  # <-",
        )),
        "values-unprojected": ("projected", done(
            EACH.replace("inputs @ W_value", "inputs  # <-"),
            TOGETHER.replace("inputs @ W_value", "inputs  # <-"),
        )),
        "weights-transposed": ("projected", done(
            EACH.replace("W_query", "W_query.T  # <-"),
            MATMUL.replace("W_value)", "W_value.t())  # <-"),
            "queries = inputs @ W_query\nkeys = F.linear(inputs, W_key)  # <-\nvalues = inputs @ W_value",
        )),
        "scale-missing": ("scaled", done("")),
        "scale-no-sqrt": ("scaled", done(
            "scores = scores / WIDTH  # <-",
            "scores = scores / (WIDTH ** 1 / 2)  # <-",
            "scores = torch.stack([s / WIDTH for s in scores])  # <-",
        )),
        "scale-inverted": ("scaled", done(
            "scores = scores * WIDTH**0.5  # <-",
            "scores = torch.stack([s * math.sqrt(WIDTH) for s in scores])  # <-",
        )),
        "scale-wrong-width": ("scaled", done(
            "scores = scores / keys.shape[0] ** 0.5  # <-",
            "scores = scores / math.sqrt(len(keys))  # <-",
            "scores = scores / values.shape[-1] ** 0.5  # <-",
            "d_v = values.size(1)\nscores = scores * d_v**-0.5  # <-",
        )),
        "softmax-missing": ("weighted", done("weights = scores")),
        "softmax-wrong-axis": ("weighted", done(
            "weights = torch.softmax(scores.unsqueeze(0), dim=0).squeeze(0)  # <-",
            "weights = torch.softmax(scores[:, None], dim=-1)[:, 0]  # <-",
        )),
        "softmax-twice": ("weighted", done(
            "weights = torch.softmax(torch.softmax(scores, dim=-1), dim=-1)  # <-",
            "weights = F.softmax(scores, dim=0)\nweights = F.softmax(weights, dim=0)  # <-",
        )),
        "input-mutated in scored": ("scored", done(
            "scores = keys.mul_(1.5) @ query  # <-",
            "keys *= query  # <-\nscores = keys @ query",
        )),
        "input-mutated in score": ("score", done(
            "query *= key  # <-\nfound = query @ key",
            "found = torch.dot(query.mul_(2), key)  # <-",
        )),
        "global-variable in score": ("score", done(
            "found = query @ key_2  # <-", "found = torch.dot(query_2, key)  # <-"
        )),
        "global-variable in scored": ("scored", done(
            "scores = keys @ query_2  # <-",
            "scores = torch.stack([attention_score(query, key) for key in inputs])  # <-",
        )),
        "returns-none in roles": ("roles", done("roles = (queries, keys, values)  # <-")),
        "returns-none in score": ("score_given", done("answer = found  # <-", "print(found)  # <-")),
        "returns-none in given": ("given", done("out = context  # <-", "return  # <-")),
        "api-misspelt in score": ("score", done(
            "found = torch.dott(query, key)  # <-", "found = query.matmull(key)  # <-"
        )),
        "api-misspelt in weighted": ("weighted", done(
            "weights = torch.sofmax(scores, dim=-1)  # <-",
            "weights = F.softmx(scores, dim=0)  # <-",
        )),
    },
    uncertain=(
        # Weights that are all 1 tell nothing of the scores.
        ({"softmax-wrong-axis"}, {"scale", "projection-reused in scored"}),
        # Scores of values come to an end only where these are as wide as the query: a width of 2, or of no other size.
        ({"projection-reused in scored"}, {"scale"}),
        # What is written over makes scores of its own, with which nothing else that is wrong is as it is known.
        ({"input-mutated"}, {"scale", "softmax", "projection-reused in blended"}),
        # What one score asks is told in a note alone where that gives nothing.
        ({"returns-none in score"}, {"api-misspelt in weighted", "projection-reused", "scale", "softmax"}),
        # Nobody sees how the values were made that are not handed back, nor which of two is on its side.
        ({"projection-reused in roles"}, {"values-unprojected", "query-key-swapped", "weights-transposed"}),
        ({"query-key-swapped in roles"}, {"projection-reused in projected", "weights-transposed"}),
    ),
    names={
        "queries": ("q", "Q"), "scores": ("s", "att", "logits"), "weights": ("probs", "attn"), "context": ("ctx", "y"),
        "found": ("score", "dot"), "out": ("result",),
    },
    widths=("keys.shape[-1]", "query.size(-1)", "len(query)"),
)  # fmt: skip
