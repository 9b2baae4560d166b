"""Modules of exercises 9 and 11: dropout by hand, and the wrapper of heads."""

from __future__ import annotations

from .plan import HEADER, Plan, done, of_class

OFF = "if not training:\n    return weights"
RAND = "torch.rand(weights.shape, generator=generator, device=weights.device)"
DROPPED = Plan(
    "ex09_attention_dropout",
    f"""{HEADER}def dropout_weights(weights, p, training, generator=None):
    {{off}}
    {{drawn}}
    {{kept}}
    {{ended}}
    {{scaled}}
    {{returned}}
""",
    {
        "off": done(OFF, f"{OFF}.clone()", "if training is False or p == 0:\n    return weights * 1.0"),
        "drawn": done(
            f"keep = {RAND} >= p",
            f"gone = {RAND} < p\nkeep = ~gone",
            "noise = torch.empty_like(weights).uniform_(generator=generator)\nkeep = noise >= p",
            "keep = torch.bernoulli(torch.full_like(weights, 1 - p), generator=generator).bool()",
            "keep = torch.rand(*weights.size(), generator=generator).ge(p)",
        ),
        "kept": done(
            "survivors = weights * keep",
            "survivors = weights.masked_fill(~keep, 0.0)",
            "survivors = torch.where(keep, weights, torch.zeros_like(weights))",
            "survivors = weights.clone()\nsurvivors[~keep] = 0",
        ),
        "ended": done(
            "if p == 1:\n    return survivors",
            "if p >= 1.0:\n    return torch.zeros_like(weights)",
            "if 1 - p == 0:\n    return weights * 0",
        ),
        "scaled": done(
            "dropped = survivors / (1 - p)",
            "dropped = survivors * (1.0 / (1.0 - p))",
            "q = 1 - p\ndropped = torch.div(survivors, q)",
        ),
        "returned": done("return dropped", "result = dropped\nreturn result"),
    },
    {
        "dropout-missing": ("kept", done("survivors = weights", "survivors = weights.clone()")),
        "dropout-unscaled": ("scaled", done("dropped = survivors", "dropped = survivors.clone()")),
        "dropout-in-eval": ("off", done(
            "",
            "if p == 0:\n    return weights",
            "if not training:\n    return weights * (1 - p)  # <-",
        )),
        "input-mutated": ("kept", done(
            "survivors = weights.mul_(keep)  # <-",
            "weights[~keep] = 0.0  # <-\nsurvivors = weights",
            "weights *= keep  # <-\nsurvivors = weights",
            "survivors = weights.masked_fill_(~keep, 0)  # <-",
        )),
        "global-variable": ("drawn", done(
            f"keep = {RAND} >= drop_rate  # <-",
            f"noise = {RAND.replace('weights.shape', 'attn_weights.shape')}  # <-\nkeep = noise >= p",
        )),
        "returns-none": ("returned", done("", "result = dropped", "print(dropped.shape)")),
        "api-misspelt": ("drawn", done(
            f"keep = {RAND.replace('rand', 'randd')} >= p  # <-",
            "keep = torch.bernouli(torch.full_like(weights, 1 - p), generator=generator).bool()  # <-",
            f"keep = {RAND}.greater_eqal(p)  # <-",
        )),
    },
    # What drops nothing and does not rescale gives weights back as they were; and which argument a name from outside
    # stands for, and so what comes of it outside training, is not known.
    uncertain=(({"dropout-missing"}, {"dropout-unscaled"}), ({"global-variable"}, {"dropout-in-eval"})),
    names={"survivors": ("kept_weights", "s"), "dropped": ("out", "y"), "keep": ("m", "kept")},
)  # fmt: skip

IMPORTED = "from exercises.ex10_causal_attention import CausalAttention\n\n\nclass"
ARGUMENTS = "d_in, d_out, context_length, dropout, num_heads, qkv_bias=False"
FORWARD = ("called", "joined", "finished", "returned")
MADE = """        {opened}
            CausalAttention(
                d_in,
                d_out,
                context_length,
                {rate}
                {biased}
            )
            for _ in range(num_heads)
        )
"""
GROWN = """        {opened}
        for _ in range(num_heads):
            {rate}
            {biased}
            {added}
"""
CALLED = done(
    "contexts = [head(x) for head in self.heads]",
    "contexts = []\nfor head in self.heads:\n    contexts.append(head(x))",
    "contexts = tuple(map(lambda head: head(x), self.heads))",
    "contexts = [self.heads[i](x) for i in range(len(self.heads))]",
)
JOINED = done(
    "context = torch.cat(contexts, dim=-1)",
    "context = torch.concat(list(contexts), axis=2)",
    "context = torch.stack(contexts, dim=2).flatten(2)",
    "context = torch.stack(contexts).permute(1, 2, 0, 3).flatten(start_dim=-2)",
    "context = torch.dstack(contexts)",
    "context = contexts[0]\nfor more in contexts[1:]:\n    context = torch.cat((context, more), dim=-1)",
)
MISTAKES = {
    "heads-summed": ("joined", done(
        "context = sum(contexts)  # <-",
        "context = torch.stack(contexts).sum(dim=0)  # <-",
        "context = contexts[0]\nfor more in contexts[1:]:\n    context = context + more  # <-",
    )),
    "heads-wrong-axis": ("joined", done(
        "context = torch.cat(contexts, dim=1)  # <-",
        "context = torch.cat(contexts)  # <-",
        "context = torch.stack(contexts, dim=1)  # <-",
        "context = torch.stack(contexts, dim=-1).flatten(2)  # <-",
        "context = contexts[0]\nfor more in contexts[1:]:\n    context = torch.cat((context, more), dim=-2)  # <-",
    )),
    "dropout-on-context": ("finished", [
        ("self.dropout = nn.Dropout(dropout)", "context = self.dropout(context)  # <-"),
        ("self.p = dropout", "context = F.dropout(context, self.p, training=self.training)  # <-"),
    ]),
    "dropout-in-eval": ("called", done(
        "contexts = [head.train()(x) for head in self.heads]  # <-",
        "contexts = []\nfor head in self.heads:\n    head.train()  # <-\n    contexts.append(head(x))",
    )),
    "input-mutated": ("called", done(
        "contexts = [head(x.mul_(1.5)) for head in self.heads]  # <-",
        "x.mul_(1.5)  # <-\ncontexts = [head(x) for head in self.heads]",
        "contexts = [head(x) for head in self.heads]\nx.zero_()  # <-",
    )),
    "global-variable": ("called", done(
        "contexts = [head(inputs) for head in self.heads]  # <-",
        "contexts = []\nfor head in self.heads:\n    contexts.append(head(batch))  # <-",
    )),
    "self-missing": ("called", done(
        "contexts = [head(x) for head in heads]  # <-",
        "contexts = []\nfor head in heads:  # <-\n    contexts.append(head(x))",
    )),
    "returns-none": ("returned", done("joined = context", "print(context.shape)")),
    "api-misspelt": ("joined", done(
        "context = torch.catt(contexts, dim=-1)  # <-",
        "context = torch.stak(contexts, dim=2).flatten(2)  # <-",
    )),
}  # fmt: skip
# Heads that drop nothing give the same in training, and what drops features in their place is one mistake; heads that
# are in no list of modules never leave it.
UNCERTAIN = (
    ({"dropout-missing"}, {"dropout-in-eval", "dropout-on-context"}),
    ({"heads-unregistered"}, {"dropout-in-eval"}),
)
NAMES = {"contexts": ("outs", "results", "ys"), "context": ("out", "y", "z"), "head": ("h", "layer")}


def of_heads(made: str) -> str:
    """The template of a wrapper that makes its list of heads so."""
    template = of_class("MultiHeadAttentionWrapper", ARGUMENTS, FORWARD).replace("class", IMPORTED, 1)
    return template.replace("        {made}\n", f"        {{made}}\n{made}")


FINISHED = {"finished": done(""), "returned": done("return context", "joined = context\nreturn joined")}
LISTED = Plan(
    "ex11_multi_head_wrapper",
    of_heads(MADE),
    {
        "opened": done("self.heads = nn.ModuleList(", "self.heads = nn.ModuleList()\nself.heads.extend("),
        "rate": done("dropout,", "float(dropout),"),
        "biased": done("qkv_bias,", "qkv_bias=qkv_bias,"),
        "called": CALLED,
        "joined": JOINED,
        **FINISHED,
    },
    {
        **MISTAKES,
        "heads-unregistered": ("opened", done("self.heads = list(  # <-", "self.heads = tuple(  # <-")),
        "bias-ignored": ("biased", done("", "False,  # <-", "qkv_bias=False,  # <-")),
        "bias-always": ("biased", done("True,  # <-", "qkv_bias=True,  # <-")),
        "dropout-missing": ("rate", done("0.0,  # <-", "0,  # <-")),
    },
    UNCERTAIN,
    names=NAMES,
)
ADDED = "self.heads.append(CausalAttention(d_in, d_out, context_length, rate, bias))"
APPENDED = Plan(
    "ex11_multi_head_wrapper",
    of_heads(GROWN),
    {
        "opened": done("self.heads = nn.ModuleList()", "self.heads = nn.ModuleList([])"),
        "rate": done("rate = dropout"),
        "biased": done("bias = qkv_bias"),
        "added": done(ADDED, ADDED.replace("append(", "extend([").replace("))", ")])")),
        "called": CALLED,
        "joined": JOINED,
        **FINISHED,
    },
    {
        **MISTAKES,
        "heads-unregistered": ("opened", done("self.heads = []  # <-", "self.heads = list()  # <-")),
        "bias-ignored": ("biased", done("bias = False  # <-")),
        "bias-always": ("biased", done("bias = True  # <-")),
        "dropout-missing": ("rate", done("rate = 0.0  # <-")),
        "api-misspelt": ("opened", done("self.heads = nn.ModulList()  # <-", "self.heads = nn.Modulelist()  # <-")),
    },
    UNCERTAIN,
    names=NAMES,
)
