"""Names that a student may have meant: torch's, those of what is imported, and a notebook's."""

from __future__ import annotations

# Names of torch's that students misspell, as found in their code.
API = (
    "torch", "nn", "Module", "ModuleList", "Linear", "Parameter", "Dropout", "register_buffer", "functional", "softmax",
    "forward", "masked_fill", "masked_fill_", "transpose", "contiguous", "view", "reshape", "matmul", "triu", "tril",
    "ones", "zeros", "rand", "randn", "shape", "size", "dim", "unsqueeze", "squeeze", "permute", "flatten", "einsum",
    "cat", "stack", "exp", "sum", "mean", "var", "sqrt", "no_grad", "copy_", "weight", "bias", "training", "inf",
    "__init__", "device", "concatenate", "concat", "load_state_dict", "state_dict", "parameters", "bmm", "arange",
    "full", "multiply", "divide", "clone", "detach", "amax", "bernoulli", "rand_like", "empty", "where", "log_softmax",
    "expand", "split", "chunk", "baddbmm", "tensordot", "eye", "zeros_like", "ones_like", "Identity", "Sequential",
    "unflatten", "scaled_dot_product_attention", "dot", "greater_equal", "less_equal", "uniform_", "bernoulli_",
    "full_like", "empty_like", "randint",
)  # fmt: skip
# Names of arguments of torch's, and those of numpy's that it takes as well.
KEYWORDS = (
    "dim", "keepdim", "dtype", "device", "diagonal", "generator", "bias", "requires_grad", "training", "start_dim",
    "end_dim", "dim0", "dim1", "chunks", "correction", "unbiased", "persistent", "axis", "keepdims", "input", "out",
    "size", "mask", "value", "high", "low", "other", "sections", "memory_format", "non_blocking", "inplace",
)  # fmt: skip
# All that the layers take that students make.
OF_LAYERS = ("in_features", "out_features", "bias", "p", "inplace", "dim", "data", "requires_grad", "device", "dtype")
OF_DIMS = {"permute", "flip", "tensordot", "roll", "rot90"}  # whose argument is `dims`
# What only objects have, and nobody imports, or is too short: a variable is no misspelt one of these.
OF_OBJECTS = {
    "weight", "bias", "shape", "training", "device", "forward", "parameters", "state_dict", "load_state_dict", "dot",
    "uniform_", "bernoulli_",
}  # fmt: skip
BARE = [name for name in API if name not in OF_OBJECTS]
# All that a module of the student's own has of these.
OF_MODULES = ("register_buffer", "forward", "training", "parameters", "state_dict", "load_state_dict", "__init__")
# What is written with its module before it, by whoever imports that.
OF_NN = {"Module", "ModuleList", "Linear", "Parameter", "Dropout", "Identity", "Sequential"}
OF_TORCH = {
    "softmax", "log_softmax", "transpose", "reshape", "matmul", "triu", "tril", "ones", "zeros", "rand", "randn",
    "unsqueeze", "squeeze", "permute", "flatten", "einsum", "cat", "stack", "exp", "mean", "var", "sqrt", "no_grad",
    "concatenate", "concat", "bmm", "arange", "full", "multiply", "divide", "amax", "bernoulli", "rand_like", "empty",
    "where", "chunk", "baddbmm", "tensordot", "eye", "zeros_like", "ones_like", "unflatten", "masked_fill",
}  # fmt: skip
# Names that a file has if it imports them, and how: who forgot has neither misspelt them nor taken them for globals.
IMPORTS = {
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
    "math": "import math",
    "np": "import numpy as np",
    "numpy": "import numpy",
    "sqrt": "from math import sqrt",
    "inf": "from math import inf",
    "cast": "from typing import cast",
    "rearrange": "from einops import rearrange",
    "Tensor": "from torch import Tensor",
}
# Of these it is told that torch alone will do.
NUMPYS = {"np", "numpy"}
# Names that a notebook has and a function does not.
NOTEBOOK = {
    "inputs", "x", "batch", "mask", "query", "keys", "values", "queries", "d_k", "d_in", "d_out", "num_heads", "key",
    "value", "scores", "attn_scores", "attn_weights", "context_vec", "all_context_vecs", "context_length", "dropout",
    "mask_simple", "masked", "masked_simple", "batch_size", "sa_v1", "sa_v2", "weights", "context",
}  # fmt: skip
# What a solution may have meant to import.
MODULES = ("torch", "math", "typing", "numpy", "einops", "functools", "itertools", "collections", "exercises")
