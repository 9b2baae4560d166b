"""Modules of exercises 1 to 3: scores, softmax and context vectors, in functions."""

from __future__ import annotations

from .plan import HEADER, Plan, done

# What softmax by hand begins with.
RAISED = "e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)\n"

DOT_PRODUCTS = Plan(
    "ex01_dot_product_scores",
    f"""{HEADER}def attention_scores_for_query(query, inputs):
    {{query}}
    {{query_given}}


def attention_scores(inputs):
    {{all}}
    {{all_given}}
""",
    {
        "query": done(
            "found = inputs @ query",
            "found = torch.mv(inputs, query)",
            "found = torch.matmul(query, inputs.T)",
            "found = torch.einsum('td,d->t', inputs, query)",
            "found = (inputs * query).sum(dim=-1)",
            "found = torch.stack([token @ query for token in inputs])",
            "found = torch.empty(inputs.shape[0])\nfor i, token in enumerate(inputs):\n"
            "    found[i] = torch.dot(token, query)",
            "found = inputs.new_zeros(len(inputs))\nfor i in range(len(inputs)):\n"
            "    for j in range(len(query)):\n        found[i] += inputs[i, j] * query[j]",
        ),
        "query_given": done("return found", "answer = found\nreturn answer"),
        "all": done(
            "found = inputs @ inputs.T",
            "found = torch.matmul(inputs, inputs.transpose(0, 1))",
            "found = torch.einsum('id,jd->ij', inputs, inputs)",
            "found = (inputs[:, None, :] * inputs[None, :, :]).sum(-1)",
            "found = torch.stack([attention_scores_for_query(token, inputs) for token in inputs])",
            "found = torch.stack([torch.stack([a @ b for b in inputs]) for a in inputs])",
            "found = torch.empty(len(inputs), len(inputs))\nfor i, a in enumerate(inputs):\n"
            "    for j, b in enumerate(inputs):\n        found[i, j] = torch.dot(a, b)",
            "rows = []\nfor token in inputs:\n    rows.append(torch.mv(inputs, token))\nfound = torch.stack(rows)",
        ),
        "all_given": done("return found", "answer = found\nreturn answer"),
    },
    {
        "global-variable in query": ("query", done(
            "found = inputs @ query_2  # <-",
            "found = torch.stack([torch.dot(token, query) for token in embeddings])  # <-",
            "found = torch.empty(inputs.shape[0])\nfor i, token in enumerate(inputs):\n"
            "    found[i] = torch.dot(token, query_2)  # <-",
        )),
        "global-variable in all": ("all", done(
            "found = embeddings @ embeddings.T  # <-",
            "found = torch.einsum('id,jd->ij', inputs, x)  # <-",
            "found = torch.stack([torch.stack([a @ b for b in embeddings]) for a in inputs])  # <-",
        )),
        "input-mutated in query": ("query", done(
            "query *= 2  # <-\nfound = inputs @ query",
            "found = torch.stack([query.mul_(token).sum() for token in inputs])  # <-",
            "inputs /= inputs.max()  # <-\nfound = torch.mv(inputs, query)",
        )),
        "input-mutated in all": ("all", done(
            "found = inputs.mul_(2) @ inputs.T  # <-",
            "inputs /= inputs.max()  # <-\nfound = torch.mm(inputs, inputs.t())",
            "inputs[0] = 0  # <-\nfound = torch.einsum('id,jd->ij', inputs, inputs)",
        )),
        "returns-none in query": ("query_given", done("answer = found  # <-", "print(found)  # <-")),
        "returns-none in all": ("all_given", done("answer = found  # <-", "return  # <-")),
        "api-misspelt in query": ("query", done(
            "found = torch.matmull(inputs, query)  # <-",
            "found = torch.stack([torch.dott(token, query) for token in inputs])  # <-",
            "found = (inputs * query).summ(dim=-1)  # <-",
        )),
        "api-misspelt in all": ("all", done(
            "found = inputs.matmull(inputs.T)  # <-",
            "found = torch.eisnum('id,jd->ij', inputs, inputs)  # <-",
            "found = torch.zeroes(len(inputs), len(inputs))  # <-\nfor i, token in enumerate(inputs):\n"
            "    found[i] = inputs @ token",
        )),
    },
    names={"found": ("scores", "s", "attn_scores", "omega"), "answer": ("result", "res"), "token": ("x_i", "row")},
)  # fmt: skip

SOFTMAX = Plan(
    "ex02_softmax_weights",
    f"""{HEADER}def softmax(scores):
    {{shifted}}
    {{raised}}
    {{shared}}
    {{softmax_given}}


def attention_weights(scores):
    {{rows}}
    {{rows_given}}


def sharpened_weights(scores, factor):
    {{grown}}
    {{sharp}}
    {{sharp_given}}
""",
    {
        "shifted": done(
            "z = scores - scores.max()",
            "z = torch.sub(scores, torch.max(scores))",
            "top = scores[0]\nfor s in scores:\n    top = torch.maximum(top, s)\nz = scores - top",
            "z = scores - max(scores.tolist())",
            "z = scores - scores.amax(dim=0, keepdim=True)",
        ),
        "raised": done(
            "e = torch.exp(z)",
            "e = z.exp()",
            "e = math.e**z",
            "e = torch.stack([torch.exp(s) for s in z])",
            "e = torch.tensor([math.exp(s) for s in z])",
        ),
        "shared": done(
            "weights = e / e.sum()",
            "weights = e / torch.sum(e, dim=0, keepdim=True)",
            "total = 0.0\nfor s in e:\n    total = total + s\nweights = e / total",
            "weights = torch.stack([s / sum(e) for s in e])",
        ),
        "softmax_given": done("return weights", "out = weights\nreturn out"),
        "rows": done(
            "weights = torch.softmax(scores, dim=-1)",
            "weights = scores.softmax(1)",
            "weights = torch.stack([softmax(row) for row in scores])",
            "weights = torch.zeros_like(scores)\nfor i in range(len(scores)):\n    weights[i] = softmax(scores[i])",
            f"{RAISED}weights = e / e.sum(dim=-1, keepdim=True)",
            f"{RAISED}weights = torch.einsum('ij,i->ij', e, 1 / e.sum(1))",
            "weights = F.softmax(scores.T, dim=0).T",
        ),
        "rows_given": done("return weights", "out = weights\nreturn out"),
        "grown": done(
            "grown = scores * factor",
            "grown = torch.mul(scores, factor)",
            "grown = torch.stack([s * factor for s in scores])",
            "grown = scores.clone()\ngrown *= factor",
        ),
        "sharp": done(
            "weights = softmax(grown)",
            "weights = torch.softmax(grown, dim=0)",
            "e = torch.exp(grown - grown.max())\nweights = e / e.sum()",
        ),
        "sharp_given": done("return weights", "out = weights\nreturn out"),
    },
    {
        "softmax-missing in softmax": ("shared", done("weights = e")),
        "softmax-missing in rows": ("rows", done(
            "weights = scores",
            "weights = scores.clone()\nfor row in weights:\n    row = softmax(row)  # <-",
        )),
        "softmax-missing in sharp": ("sharp", done("weights = grown")),
        "softmax-wrong-axis": ("rows", done(
            "weights = torch.softmax(scores, dim=0)  # <-",
            "weights = scores.softmax(-2)  # <-",
            "weights = torch.stack([softmax(column) for column in scores.T], dim=1)  # <-",
            "weights = F.softmax(scores.T, dim=1).T  # <-",
            f"{RAISED}weights = e / e.sum(-1)  # <-",
            f"{RAISED}weights = e / e.sum(dim=0)  # <-",
            "weights = softmax(scores)  # <-",
            "weights = torch.zeros_like(scores)\nfor j in range(len(scores)):\n"
            "    weights[:, j] = softmax(scores[:, j])  # <-",
            "weights = torch.softmax(scores.flatten(), dim=0).view(scores.shape)  # <-",
        )),
        "softmax-twice in softmax": ("shared", done(
            "weights = e / e.sum()\nweights = weights.exp() / weights.exp().sum()  # <-",
            "weights = torch.softmax(e / e.sum(), dim=-1)  # <-",
        )),
        "softmax-twice in rows": ("rows", done(
            "weights = torch.softmax(torch.softmax(scores, dim=-1), dim=-1)  # <-",
            "weights = torch.softmax(scores, dim=1)\nweights = weights.softmax(dim=1)  # <-",
            "once = scores.softmax(-1)\nweights = torch.stack([softmax(row) for row in once])  # <-",
        )),
        "softmax-twice in sharp": ("sharp", done(
            "weights = softmax(softmax(grown))  # <-",
            "weights = softmax(grown)\nweights = torch.softmax(weights, dim=0)  # <-",
        )),
        "scale-missing": ("grown", done("grown = scores  # <-", "grown = scores + factor  # <-")),
        "scale-inverted": ("grown", done(
            "grown = scores / factor  # <-",
            "grown = torch.div(scores, factor)  # <-",
            "grown = torch.stack([s / factor for s in scores])  # <-",
        )),
        "input-mutated in softmax": ("shifted", done(
            "z = scores - scores.max()\nscores *= 2  # <-\nz = z + scores",
            "z = scores.mul_(2) - scores.max()  # <-",
        )),
        "input-mutated in rows": ("rows", done(
            "scores *= 2  # <-\nweights = torch.softmax(scores, dim=-1)",
            "for i in range(1, len(scores)):\n    scores[i] += scores[i - 1]  # <-\nweights = scores.softmax(-1)",
        )),
        "input-mutated in sharp": ("grown", done(
            "scores *= factor  # <-\ngrown = scores * factor",
            "grown = scores.mul_(factor) * factor  # <-",
            "for i in range(len(scores)):\n    scores[i] *= factor  # <-\ngrown = torch.mul(scores, factor)",
        )),
        "global-variable in softmax": ("shifted", done(
            "z = attn_scores_2 - attn_scores_2.max()  # <-",
            "z = scores - attn_scores_2.max()  # <-",
        )),
        "global-variable in rows": ("rows", done(
            "weights = torch.softmax(attn_scores, dim=-1)  # <-",
            "weights = torch.stack([softmax(row) for row in attn_scores])  # <-",
        )),
        "global-variable in sharp": ("grown", done("grown = attn_scores_2 * factor  # <-", "grown = scores * t  # <-")),
        "returns-none in softmax": ("softmax_given", done("out = weights  # <-", "print(weights)  # <-")),
        "returns-none in rows": ("rows_given", done("out = weights  # <-", "return  # <-")),
        "returns-none in sharp": ("sharp_given", done("out = weights  # <-")),
        "api-misspelt in softmax": ("raised", done("e = torch.expp(z)  # <-", "e = z.epx()  # <-")),
        "api-misspelt in rows": ("rows", done(
            "weights = torch.sofmax(scores, dim=-1)  # <-",
            "weights = F.softmx(scores, dim=-1)  # <-",
            "weights = torch.stak([softmax(row) for row in scores])  # <-",
        )),
        "api-misspelt in sharp": ("grown", done("grown = torch.mulitply(scores, factor)  # <-")),
    },
    needs={"softmax-wrong-axis": ("shared", ("", "weights = e / e.sum()"))},  # else one axis is as wrong as the other
    uncertain=(
        # What comes of scores that were written over is not as it is known of any other mistake.
        ({"input-mutated"}, {"softmax", "scale"}),
        # What is added to all scores alike is only nothing to softmax.
        ({"softmax-missing in sharp"}, {"scale-missing"}),
        # The other functions ask this one, perhaps: of two softmaxes one is none, two are along the other axis, or what
        # is wrong is told in a note alone where this one gives nothing.
        ({"softmax-missing in softmax"}, {"softmax-twice"}),
        ({"softmax-twice in softmax"}, {"softmax-wrong-axis"}),
        ({"returns-none in softmax"}, {"softmax-twice", "softmax-wrong-axis"}),
    ),
    names={"weights": ("probs", "w", "p"), "grown": ("scaled", "x"), "e": ("exps", "powers"), "out": ("res",)},
)  # fmt: skip

CONTEXTS = Plan(
    "ex03_context_vectors",
    f"""{HEADER}def context_vector(weights, inputs):
    {{one}}
    {{one_given}}


def context_vectors(inputs):
    {{scored}}
    {{weighted}}
    {{blended}}
    {{all_given}}
""",
    {
        "one": done(
            "context = weights @ inputs",
            "context = torch.matmul(inputs.T, weights)",
            "context = torch.einsum('t,td->d', weights, inputs)",
            "context = (weights[:, None] * inputs).sum(dim=0)",
            "context = torch.zeros(inputs.shape[1])\nfor w, token in zip(weights, inputs):\n    context += w * token",
            "context = sum(weights[i] * inputs[i] for i in range(len(inputs)))",
        ),
        "one_given": done("return context", "out = context\nreturn out"),
        "scored": done(
            "scores = inputs @ inputs.T",
            "scores = torch.einsum('id,jd->ij', inputs, inputs)",
            "scores = torch.stack([inputs @ token for token in inputs])",
            "scores = torch.empty(len(inputs), len(inputs))\nfor i, a in enumerate(inputs):\n"
            "    for j, b in enumerate(inputs):\n        scores[i, j] = torch.dot(a, b)",
        ),
        "weighted": done(
            "attn = torch.softmax(scores, dim=-1)",
            "attn = scores.softmax(1)",
            "attn = torch.stack([row.softmax(0) for row in scores])",
            f"{RAISED}attn = e / e.sum(dim=-1, keepdim=True)",
        ),
        "blended": done(
            "context = attn @ inputs",
            "context = torch.einsum('ij,jd->id', attn, inputs)",
            "context = torch.stack([row @ inputs for row in attn])",
            "context = torch.stack([context_vector(row, inputs) for row in attn])",
            "context = torch.zeros_like(inputs)\nfor i, row in enumerate(attn):\n"
            "    for w, token in zip(row, inputs):\n        context[i] += w * token",
        ),
        "all_given": done("return context", "out = context\nreturn out"),
    },
    {
        "softmax-missing": ("weighted", done("attn = scores")),
        "softmax-wrong-axis": ("weighted", done(
            "attn = torch.softmax(scores, dim=0)  # <-",
            "attn = scores.softmax(-2)  # <-",
            "e = scores.exp()\nattn = e / e.sum(dim=0, keepdim=True)  # <-",
        )),
        "softmax-twice in one": ("one", done(
            "context = torch.softmax(weights, dim=-1) @ inputs  # <-",
            "weights = weights.softmax(0)  # <-\ncontext = torch.einsum('t,td->d', weights, inputs)",
            "weights = torch.exp(weights) / torch.exp(weights).sum()  # <-\n"
            "context = sum(w * token for w, token in zip(weights, inputs))",
        )),
        "softmax-twice in all": ("weighted", done(
            "attn = torch.softmax(torch.softmax(scores, dim=-1), dim=-1)  # <-",
            "attn = scores.softmax(-1)\nattn = F.softmax(attn, dim=1)  # <-",
            "e = scores.exp()\nattn = torch.softmax(e / e.sum(dim=-1, keepdim=True), dim=-1)  # <-",
        )),
        "weights-transposed": ("blended", done(
            "context = attn.T @ inputs  # <-",
            "context = torch.einsum('ij,id->jd', attn, inputs)  # <-",
            "context = torch.stack([column @ inputs for column in attn.T])  # <-",
        )),
        "input-mutated in one": ("one", done(
            "inputs *= weights[:, None]  # <-\ncontext = weights @ inputs",
            "weights /= weights.max()  # <-\ncontext = torch.einsum('t,td->d', weights, inputs)",
            "context = inputs[0].mul_(2)  # <-\nfor w, token in zip(weights, inputs):\n    context += w * token",
        )),
        "input-mutated in all": ("scored", done(
            "scores = inputs.mul_(1.5) @ inputs.T  # <-",
            "inputs /= inputs.max()  # <-\nscores = torch.mm(inputs, inputs.t())",
        )),
        "global-variable in one": ("one", done(
            "context = weights @ embeddings  # <-",
            "context = sum(w * token for w, token in zip(attn_weights_2, inputs))  # <-",
        )),
        "global-variable in all": ("scored", done(
            "scores = inputs @ embeddings.T  # <-",
            "scores = torch.stack([x @ token for token in inputs])  # <-",
        )),
        "returns-none in one": ("one_given", done("out = context  # <-", "print(context)  # <-")),
        "returns-none in all": ("all_given", done("out = context  # <-", "return  # <-")),
        "api-misspelt in one": ("one", done(
            "context = torch.matmull(weights, inputs)  # <-",
            "context = torch.eisnum('t,td->d', weights, inputs)  # <-",
        )),
        "api-misspelt in all": ("weighted", done(
            "attn = torch.sofmax(scores, dim=-1)  # <-",
            "attn = F.softmx(scores, dim=1)  # <-",
        )),
    },
    # Scores of tokens with themselves are symmetric: on its side such a matrix is the same.
    uncertain=(
        ({"softmax-missing", "softmax-wrong-axis"}, {"weights-transposed"}),
        # What is written over makes scores of its own, with which nothing else that is wrong is as it is known.
        ({"input-mutated"}, {"softmax", "weights-transposed", "global-variable in one"}),
        # The function for all may ask the one for one: a row at a time, and whatever that gives. What is wrong with it
        # then is told in a note alone.
        ({"softmax-twice in one"}, {"softmax", "weights-transposed"}),
        ({"returns-none in one"}, {"softmax", "weights-transposed"}),
    ),
    # Nor is it certain which of the two it is where softmax is taken of rows, or columns, one at a time.
    needs={"weights-transposed": ("weighted", ("", "attn = torch.softmax(scores, dim=-1)"))},
    names={"scores": ("s", "omega"), "attn": ("probs", "alpha"), "context": ("contexts", "ctx"), "token": ("x_i",)},
)  # fmt: skip
