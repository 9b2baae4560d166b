"""What an expression reads of a tensor's shape."""

from __future__ import annotations

import ast


def first_size(value: ast.expr) -> str:
    """Of what an expression gives the size of the first axis; "" for another one."""
    match value:
        case ast.Subscript(ast.Attribute(ast.Name(name), "shape"), ast.Constant(0)):
            return name
        case ast.Call(ast.Attribute(ast.Name(name), "size"), [ast.Constant(0)]) | ast.Call(
            ast.Name("len"), [ast.Name(name)]
        ):
            return name
        case _:
            return ""


def whole_shape(value: ast.expr) -> str:
    """Of what an expression gives all sizes; "" for another one."""
    match value:
        case ast.Attribute(ast.Name(name), "shape") | ast.Call(ast.Attribute(ast.Name(name), "size"), []):
            return name
        case _:
            return ""
