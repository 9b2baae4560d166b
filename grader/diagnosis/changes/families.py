"""Operators, comparisons and functions that are taken for one another."""

from __future__ import annotations

import ast

OPERATORS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.MatMult, ast.Div, ast.Add),
    ast.Div: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.FloorDiv: (ast.Div,),
}
COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
}
# Functions and methods that are taken for one another.
FAMILIES = (
    ("sum", "mean"), ("var", "std"), ("tril", "triu"), ("zeros", "ones"), ("zeros_like", "ones_like"),
    ("new_zeros", "new_ones"), ("softmax", "log_softmax"), ("softmax", "softmin"), ("softmax", "sigmoid"),
    ("randn", "rand"), ("randn_like", "rand_like"), ("max", "min"), ("amax", "amin"), ("argmax", "argmin"),
    ("exp", "log"), ("exp", "expm1"), ("exp", "exp2"), ("exp", "sqrt"), ("cat", "stack"), ("hstack", "vstack"),
    ("add_", "sub_"), ("add_", "copy_"), ("mul", "div"), ("mul", "matmul"), ("cumsum", "sum"), ("sqrt", "square"),
    ("sum", "prod"), ("inner", "outer"), ("dot", "mul"), ("rsqrt", "sqrt"), ("log", "log2"), ("max", "sum"),
    ("view", "reshape"), ("append", "extend"), ("eye", "ones"),
)  # fmt: skip
# What gives something to begin with, in which a loop collects or adds up.
BLANK = {"zeros", "empty", "zeros_like", "empty_like", "new_zeros", "new_empty", "list"}
