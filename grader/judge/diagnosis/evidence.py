"""What the source and the traceback say of a mistake that outputs cannot tell apart from another."""

from __future__ import annotations

import ast
import builtins
import difflib
import re
from collections.abc import Collection
from dataclasses import dataclass

from grader.model.case import Case
from grader.model.observation import Fault

# Out-of-place operations whose result is lost where they stand alone as a statement.
MASKING = {"masked_fill", "where", "tril", "triu", "masked_scatter", "mul", "add"}
OTHER_AXIS = re.compile(r"(?:dim|axis)\s*=\s*(?:0|1|-2|-3)\b|softmax\(\s*[^(),]+,\s*(?:0|1|-2)\s*\)")
# Names of torch's that students misspell, as found in their code.
API = (
    "torch", "nn", "Module", "ModuleList", "Linear", "Parameter", "Dropout", "register_buffer", "functional", "softmax",
    "forward", "masked_fill", "masked_fill_", "transpose", "contiguous", "view", "reshape", "matmul", "triu", "tril",
    "ones", "zeros", "rand", "randn", "shape", "size", "dim", "unsqueeze", "squeeze", "permute", "flatten", "einsum",
    "cat", "stack", "exp", "sum", "mean", "var", "sqrt", "no_grad", "copy_", "weight", "bias", "training", "inf",
    "__init__", "float", "bool", "device", "append", "range", "len", "print", "super",
)  # fmt: skip
NEAR = 0.75
UNDEFINED = re.compile(r"name '(\w+)' is not defined")
NO_ATTRIBUTE = re.compile(r"has no attribute '(\w+)'")
NO_FORWARD = 'missing the required "forward" function'
SIZES = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known mistake, by its id. line: of the culprit in the exercise's own file; 0 where only the step's is known."""

    id: str
    line: int = 0


def certain(candidates: Collection[frozenset[str]], source: str, of: str) -> tuple[Mistake, ...]:
    """The mistakes of the one set of ids that fits the outputs; of several, the one that the source speaks for."""
    tree = parsed(source)
    if tree is None or not candidates:
        return ()
    if len(candidates) > 1:
        speaks = [ids for ids in candidates if ("softmax-wrong-axis" in ids) == names_another_axis(source, tree, of)]
        if len(speaks) != 1:
            return ()
        candidates = speaks
    (ids,) = candidates
    # The future is seen alike by who does not mask and by who lets the masked scores go.
    lost = dropped_masking(tree, of) if "mask-missing" in ids else 0
    return tuple(
        Mistake("mask-discarded", lost) if name == "mask-missing" and lost else Mistake(name) for name in sorted(ids)
    )


def parsed(source: str) -> ast.Module | None:
    """The source as a tree; None where it is no Python."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last for what is nested too deeply
        return None


def dropped_masking(tree: ast.Module, of: str) -> int:
    """The line of an expression in a definition that masks something and whose result is lost; 0 for none."""
    for node in ast.walk(_definition(tree, of) or tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            function = node.value.func
            if isinstance(function, ast.Attribute) and function.attr in MASKING:
                return node.lineno
    return 0


def names_another_axis(source: str, tree: ast.Module, of: str) -> bool:
    """Whether a definition takes softmax, or a sum, along an axis that is not the last, by its own words."""
    definition = _definition(tree, of)
    segment = ast.get_source_segment(source, definition) if definition else source
    return bool(OTHER_AXIS.search(segment or ""))


def of_fault(fault: Fault, tree: ast.Module | None) -> str:
    """The known mistake that a fault is for certain; nothing where it may be another."""
    if fault.kind != "exception" or tree is None:
        return ""
    if undefined := UNDEFINED.search(fault.message):
        return _of_undefined(undefined[1], tree)
    if fault.type == "AttributeError" and (missing := NO_ATTRIBUTE.search(fault.message)):
        own = {name for name in _own_attributes(tree) if name != missing[1]}
        return "api-misspelt" if _is_near(missing[1], API) and not _is_near(missing[1], own) else ""
    if fault.type == "NotImplementedError" and NO_FORWARD in fault.message:
        methods = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        return "api-misspelt" if difflib.get_close_matches("forward", methods, 1, NEAR) else ""
    return ""


def is_unsliced_mask(fault: Fault, line: str, case: Case) -> bool:
    """Whether a fault is a mask of the whole context meeting shorter scores. line: of the source, where it happened."""
    context_length = case.template.construct.get("context_length")
    tokens = next((array.shape[-2] for array in case.inputs.values() if array.ndim > 1), 0)
    sizes = {int(size) for size in SIZES.findall(fault.message)}
    meets = fault.type == "RuntimeError" and context_length is not None and {tokens, int(context_length)} <= sizes
    return meets and tokens < int(context_length or 0) and any(word in line.lower() for word in ("mask", "tri", "inf"))


def _of_undefined(name: str, tree: ast.Module) -> str:
    if name in _own_attributes(tree):
        return "self-missing"
    known = [*API, *dir(builtins), *_imported(tree)]
    if _is_near(name, known):
        return "api-misspelt"
    return "" if _is_near(name, _assigned(tree)) else "global-variable"


def _is_near(name: str, known: Collection[str]) -> bool:
    return bool(difflib.get_close_matches(name, list(known), 1, NEAR))


def _definition(tree: ast.Module, of: str) -> ast.AST | None:
    kinds = (ast.FunctionDef, ast.ClassDef)
    return next((node for node in ast.walk(tree) if isinstance(node, kinds) and node.name == of), None)


def _own_attributes(tree: ast.Module) -> set[str]:
    """Names that are set on `self`, and buffers."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and "register" in node.func.attr:
            found |= {str(arg.value) for arg in node.args[:1] if isinstance(arg, ast.Constant)}
    return found


def _assigned(tree: ast.Module) -> set[str]:
    """Names that are given a value somewhere: variables and parameters."""
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def _imported(tree: ast.Module) -> set[str]:
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return {(alias.asname or alias.name).split(".")[0] for node in imports for alias in node.names}
