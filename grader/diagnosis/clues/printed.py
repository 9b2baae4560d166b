"""What is handed back in the place of a result: what `print` gives, or a method that is not called."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.diagnosis.places.shares import as_given
from grader.diagnosis.places.statements import Told, asked, last_line
from grader.diagnosis.places.texts import written
from grader.model.syntax import LIBRARIES, functions_around, functions_in, walk
from grader.model.text import clean
from grader.words import say

# What Python calls a method of a tensor's.
A_METHOD = "builtin_function_or_method"
# What a tensor, or what gives several of them, has that is no method.
NO_METHODS = {
    "H", "T", "data", "device", "dtype", "grad", "grad_dtype", "grad_fn", "imag", "indices", "is_cpu", "is_cuda",
    "is_ipu", "is_leaf", "is_maia", "is_meta", "is_mkldnn", "is_mps", "is_mtia", "is_nested", "is_quantized",
    "is_sparse", "is_sparse_csr", "is_vulkan", "is_xla", "is_xpu", "itemsize", "layout", "mH", "mT", "name", "names",
    "nbytes", "ndim", "output_nr", "real", "requires_grad", "retains_grad", "shape", "values", "volatile",
}  # fmt: skip


def printed(tree: ast.Module, of: str) -> Told | None:
    """What to say of a value that is printed at the end, or `print`'s own handed back, and the line.

    Only in the function that gives None: elsewhere what is printed is there to be looked at.
    """
    line = last_line(tree, of)
    for function in functions_around(tree, line)[-1:]:
        inner = {id(node) for each in functions_in(function)[1:] for node in walk(each)}
        nodes = (node for node in walk(function) if id(node) not in inner)
        own = [node for node in nodes if isinstance(node, ast.Return | ast.Expr)]
        is_end = function.body[-1].lineno == line or any(isinstance(node, ast.Return) for node in own)
        for node in own:
            match node.value:
                case ast.Call(ast.Name("print"), [_, *_] as given) as shown:
                    is_result = is_end and node.lineno == line and not all(map(_is_remark, given))
                    if is_result or isinstance(node, ast.Return):
                        return say("judge.print-returned", code=clean(written(shown), 80)), node.lineno
    return None


def uncalled(tree: ast.Module, of: str, summary: str) -> Told | None:
    """What to say of the one method that is handed back itself, as a summary tells, and the line."""
    found = [each for function in asked(tree, of) if A_METHOD in summary for each in _methods_returned(function)]
    if len(found) != 1:
        return None
    (method,) = found
    return say("judge.not-called", code=clean(f".{method.attr}", 60)), method.end_lineno or method.lineno


def _methods_returned(function: ast.FunctionDef) -> Iterator[ast.Attribute]:
    """What a function returns that may be a tensor's method."""
    for node in (each for each in walk(function) if isinstance(each, ast.Return)):
        match as_given(node.value, function, node.lineno) if node.value is not None else None:
            case ast.Attribute(ast.Name(owner)) if owner in {"self", *LIBRARIES}:
                continue
            case ast.Attribute(attr=name) as found if name not in NO_METHODS:
                yield found


def _is_remark(shown: ast.expr) -> bool:
    """Whether it is a text, or what a tensor is like."""
    match shown:
        case ast.Constant() | ast.JoinedStr() | ast.Attribute(attr="shape" | "dtype" | "device"):
            return True
        case ast.Call(ast.Attribute(attr="size" | "dim" | "format")):
            return True
        case _:
            return False
