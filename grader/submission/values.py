"""What a notebook's assignments give their names, as far as it can be read: constants, functions, or what is computed.

What belongs to a module is kept: a number that is written down, a logger, a configuration, a table, a function that is
made of others. Tensors are what a cell computes: inputs of the lesson's, its scores and weights. No function that is
right needs them, so they are left out, with all that follows from them.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Container, Iterator

from grader.model import syntax

# Python's own functions that wait for the world, or run what nobody here has read.
WAITING = {"__import__", "breakpoint", "compile", "eval", "exec", "exit", "help", "input", "open", "quit"}
# Whose modules make no tensors.
LIBRARY = sys.stdlib_module_names
# What notebooks ask of the machine in their first cells, and numbers that are written as a call.
ASKED = {
    "torch.device", "torch.cuda.is_available", "torch.cuda.device_count", "torch.backends.mps.is_available",
    "torch.finfo", "torch.iinfo", "torch.Generator",
    *(f"{numpy}.{name}" for numpy in ("np", "numpy") for name in ("sqrt", "finfo", "iinfo", "float32", "float64")),
}  # fmt: skip
# What a number that is written down may be made of, as in `-torch.inf`.
OF_NUMBERS = {"float", "math", "np", "numpy", "torch"}
# What makes a function of another one, or of nothing.
FUNCTIONS = {
    "functools.partial", "partial", "functools.cache", "cache", "functools.lru_cache", "lru_cache", "torch.vmap",
    "torch.func.vmap", "vmap", "torch.nn.Softmax", "nn.Softmax", "torch.compile", "torch.jit.script",
}  # fmt: skip
# What makes something that makes a function of another one.
WRAPPERS = {
    "functools.lru_cache", "lru_cache", "functools.partial", "partial", "torch.no_grad", "torch.inference_mode",
    "torch.enable_grad",
}  # fmt: skip
NODES = (
    ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp,
    ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Starred, ast.JoinedStr, ast.FormattedValue, ast.keyword,
    ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context, ast.ListComp, ast.SetComp, ast.DictComp,
    ast.GeneratorExp, ast.comprehension,
)  # fmt: skip


def is_kept(value: ast.expr) -> bool:
    """Whether a value may belong to a module: nothing in it is computed of tensors, or waits for the world."""
    return all(
        _is_kept_call(node) if isinstance(node, ast.Call) else isinstance(node, NODES)
        for node in _outside_functions(value)
    )


def makers(*nodes: ast.AST) -> frozenset[str]:
    """The names that are called in a value, or in statements, and are not Python's own.

    Only of a class, of Python's library, or of what is harmless is it sure that no tensor comes of them.
    """
    calls = (node.func for node in _outside_functions(*nodes) if isinstance(node, ast.Call))
    return frozenset(func.id for func in calls if isinstance(func, ast.Name) and not hasattr(builtins, func.id))


def is_of_library(node: ast.stmt) -> bool:
    """Whether a statement imports from those of Python's own modules that make no tensors."""
    return isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in LIBRARY


def is_harmless(function: ast.FunctionDef) -> bool:
    """Whether a function neither loops nor calls what makes tensors, but for names; functions in it are not called."""
    for node in _outside_functions(function.args, *function.body):
        if isinstance(node, (ast.For, ast.While)) or (isinstance(node, ast.Call) and not _is_kept_call(node)):
            return False
    return True


def _outside_functions(*nodes: ast.AST) -> Iterator[ast.AST]:
    waiting = [*nodes]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, (ast.Lambda, ast.FunctionDef)):
            yield node
            waiting.extend(ast.iter_child_nodes(node))


def is_function(value: ast.expr, makers: Container[str] = ()) -> bool:
    """Whether a value is a function or a class that has another name, or is made on the spot.

    makers: what gives a function where it is called, beside what is known to.
    """
    if isinstance(value, ast.Call):
        is_wrapped = isinstance(value.func, ast.Call) and syntax.dotted(value.func.func) in WRAPPERS
        name = syntax.dotted(value.func)
        return is_wrapped or name in FUNCTIONS or name in makers
    return isinstance(value, (ast.Lambda, ast.Name, ast.Attribute))


def makes_functions(node: ast.stmt) -> bool:
    """Whether what a statement defines gives a function where it is called, or what can be called like one."""
    if isinstance(node, ast.ClassDef):
        return any(isinstance(part, ast.FunctionDef) and part.name in ("__call__", "forward") for part in node.body)
    if not isinstance(node, ast.FunctionDef):
        return False
    inner = {part.name for part in ast.walk(node) if isinstance(part, ast.FunctionDef)}
    for part in _outside_functions(*node.body):
        match part:
            case ast.Return(ast.Lambda()):
                return True
            case ast.Return(ast.Name(name)) if name in inner:
                return True
            case ast.Return(ast.Call() as call) if is_function(call):
                return True
    return False


def _is_kept_call(call: ast.Call) -> bool:
    """Whether a call makes something that may belong to a module; what has no dots is for `makers` to say."""
    match call.func:
        case ast.Name(name):
            return name not in WAITING
        case ast.Call(made):
            return syntax.dotted(made) in WRAPPERS
        case ast.Attribute(ast.Constant() | ast.JoinedStr()):
            return True  # a method of a text
        case ast.Attribute(ast.Call(made), "manual_seed"):
            return syntax.dotted(made) == "torch.Generator"
    name = syntax.dotted(call.func)
    if name == "torch.tensor":  # of a number that is written down
        named = {node.id for each in call.args for node in ast.walk(each) if isinstance(node, ast.Name)}
        return named <= OF_NUMBERS and not any(isinstance(each, (ast.List, ast.Tuple)) for each in call.args)
    return name.partition(".")[0] in LIBRARY or name in ASKED | FUNCTIONS | WRAPPERS
