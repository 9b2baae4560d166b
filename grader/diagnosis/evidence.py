"""What the source and the traceback say of a mistake that outputs cannot tell apart from another."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from grader.diagnosis.clues.axes import goes_one_by_one, names_another_axis, turns_scores, turns_weights
from grader.diagnosis.clues.views import cut_in_front
from grader.diagnosis.place import culprit, is_lacking, speaks_of
from grader.diagnosis.places.lost_masks import lost_masking
from grader.diagnosis.places.scores import lost_softmax, product_at, softmax_at
from grader.diagnosis.places.statements import called_by, outside_init, statements_of
from grader.diagnosis.places.texts import written
from grader.diagnosis.places.training import dropped_unasked
from grader.diagnosis.slips import spelling
from grader.diagnosis.slips.decimals import split
from grader.diagnosis.source.tree import parsed
from grader.model.case import Case
from grader.model.observation import Fault
from grader.model.pack import Exercise, Step
from grader.model.syntax import Definition, arguments_in, functions_in, read_in, stored_in, walk

# What is not missing where it is done to what softmax is given, and the scores are taken that it was done to no more.
BEFORE_SOFTMAX = {"scale-missing", "mask-missing"}
# Weights that are set to 0 between two softmaxes are scores to the second one: as a mistake that is after the first.
BETWEEN_TWO, AFTER_ONE = {"mask-zero-fill", "softmax-twice"}, {"mask-zero-fill", "mask-after-softmax"}
# Of one softmax that comes before the mask, or of a mask that adds infinity, and so of neither.
BOTH_OR_NEITHER = {"softmax-missing", "softmax-twice"}
# Mistakes that spoil no result: a bias that nobody asks for is put in as 0, and what asks for one names them itself.
OF_BIASES = frozenset({"bias-always", "bias-ignored"})
# What scores give as well that are turned on their side with their mask.
MASKED_THEN_TURNED = {"mask-inverted", "query-key-swapped"}
# Methods that end in `_`, assignments to elements or attributes, and what hands memory on.
WRITING = re.compile(r"[A-Za-z0-9]_\(|\]\s*=[^=]|[-+*/@%&|^]=|\bout=|\.data\b|setattr|setitem|numpy|inplace=")
# Numbers of the file's own that are data, not constants: nothing that is asked for needs them.
DATA = re.compile(r"tensor\(\[|torch\.rand\w*\(")
SHAPES = (
    "cannot be multiplied",
    "inconsistent tensor size",
    "must match",
    "first two dimensions of batch2",
    "size mismatch",
)
TOO_MANY_AXES = "t() expects a tensor with <= 2 dimensions"
SIDEWAYS = re.compile(
    r"(self\.\w+|\bW_\w+)\.(T\b|t\(\)|mT\b|transpose)|linear\(\w+, W_"
    r"|(@ |\b(matmul|mm|bmm)\((.*, )?)[\w.]+\.weight\b(?!\.)"
    r"|linear\(\w+, [\w.]+\.(T\b|t\(\)|mT\b|transpose)"  # F.linear turns it by itself
    r"|\.weight\b.*( = |copy_\().*\.weight\.(T\b|t\(\)|mT\b|transpose)"  # of one layer into another
)
# Columns of a layer's weight are written to, where its rows are what comes out: a head's lie below another's.
SIDE_BY_SIDE = re.compile(r"(?<!out_proj)\.weight(\.data)?\[\s*:\s*,[^\]]*:[^\]]*\](\.copy_\(| = )")
# A linear layer's weight has to be turned; any other tensor is the batch's. What is kept as `self.T` is a number.
TURNED = re.compile(r"(?<!weight)(?<!\bself)\.T\b")
NOTHING_TAKEN = "__init__() takes 1 positional argument"
NO_FORWARD = 'missing the required "forward" function'
SIZES = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known mistake, by its id. line: of the culprit in the exercise's own file; 0 where only the step's is known.

    said: what there is to say of it here, where more is certain than what the rubric says; "" elsewhere. near: whether
    the culprit is a statement that is not there, and the line one beside which it belongs.
    """

    id: str
    line: int = 0
    said: str = ""
    near: bool = False


def certain(
    candidates: Collection[frozenset[str]], source: str, of: str, *, is_flat: bool = False, crashed: bool = False
) -> tuple[Mistake, ...]:
    """The mistakes of the one set of ids that fits the outputs; of several, the one that the source speaks for, or what
    all have alike.

    is_flat: whether scores have two axes alone, of which 1 is the last. crashed: whether nothing is known but a crash,
    which others may share.
    """
    tree = parsed(source)
    # What a number with a comma does looks like another mistake.
    if not tree.body or not candidates or split(tree, of):
        return ()
    candidates = {ids for ids in candidates if not (ids >= BETWEEN_TWO and ids ^ AFTER_ONE in candidates)}
    candidates = {ids for ids in candidates if not ids >= BOTH_OR_NEITHER}
    if not candidates:
        return ()
    if len(candidates) > 1:
        speaks = _spoken_for(candidates, tree, of, is_flat)
        candidates = speaks if len(speaks) == 1 else [frozenset.intersection(*candidates)]  # which is so in any case
    (ids,) = candidates
    if "softmax-missing" in ids and lost_softmax(statements_of(tree, of)):
        ids -= BEFORE_SOFTMAX
    if _may_be_axes(ids, tree, of, is_flat) or (ids >= MASKED_THEN_TURNED and turns_scores(tree, of)):
        return ()
    # Behind a crash nothing is seen, so of two mistakes that only together crash so neither is certain.
    if crashed and (len(ids) > 1 or not all(speaks_of(tree, of, name) for name in ids)):
        return ()
    # The future is seen alike by who does not mask and by who lets the masked scores go.
    lost = lost_masking(tree, of) if "mask-missing" in ids else 0
    return tuple(
        Mistake("mask-discarded", lost) if name == "mask-missing" and lost else placed(name, tree, of)
        for name in sorted(ids)
    )


def _may_be_axes(ids: frozenset[str], tree: ast.Module, of: str, is_flat: bool) -> bool:
    """Whether other mistakes of axes may be what the source has, which give the same.

    Of three two are as the third: to exchange queries and keys, to turn the weights, and softmax along another axis.
    Scores that are given and turned before softmax and behind it are softmax along the other axis, in other words.
    """
    statements = outside_init(statements_of(tree, of))
    before = called_by(statements[: softmax_at(statements) + 1], statements)
    if product_at(statements) < 0 and product_at(before) < 0:
        return False
    is_another, is_turned = names_another_axis(tree, of, is_flat=is_flat), turns_weights(tree, of)
    if "softmax-wrong-axis" in ids:
        return is_turned and not is_another
    return is_another and ("weights-transposed" in ids or ("query-key-swapped" in ids and is_turned))


def _spoken_for(
    candidates: Collection[frozenset[str]], tree: ast.Module, of: str, is_flat: bool
) -> list[frozenset[str]]:
    """Those of several sets of ids that have a mistake of axes just where the source has its words."""
    axes = {"softmax-wrong-axis", "weights-transposed"}
    alike = {ids ^ axes for ids in candidates if len(ids & axes) == 1} & {*candidates}
    is_another = names_another_axis(tree, of, is_flat=is_flat or bool(alike))
    if not alike:
        return [ids for ids in candidates if ("softmax-wrong-axis" in ids) == is_another]
    # Scores are symmetric, so both give the same, and one that is not read in the source is not certain.
    if goes_one_by_one(tree, of):
        return []
    is_turned = turns_weights(tree, of)
    speaks = [ids for ids in candidates if ("softmax-wrong-axis" in ids) == is_another]
    return [ids for ids in speaks if ids not in alike or ("weights-transposed" in ids) == is_turned]


def drops_unasked(tree: ast.Module, exercise: Exercise, step: Step) -> bool:
    """Whether a step asks what is done outside training, where something is dropped for certain."""
    is_asked = any(exercise.cases[name].inputs.get("training") is False for name in step.cases)
    return is_asked and dropped_unasked(tree, step.of) > 0


def may_write(source: str) -> bool:
    """Whether a source has anything that could change a tensor it was given."""
    return bool(WRITING.search(source))


@lru_cache(maxsize=8)
def placed(mistake: str, tree: ast.Module, of: str, about: str = "") -> Mistake:
    """A mistake with its line in the source. about: the slot that is wrong, "" for none."""
    return Mistake(mistake, culprit(tree, of, mistake, about), near=is_lacking(tree, of, mistake))


@lru_cache(maxsize=8)  # asked for every step of an exercise that fails
def global_read(tree: ast.Module, of: str, faulty_line: str = "") -> int:
    """The line where a definition reads a variable of the whole file's instead of its own; 0 for none.

    Certain where one of its parameters is never read, where the variable is one that only a notebook has, or where the
    very line that failed reads it. faulty_line: its text.
    """
    made = {
        target.id: written(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        and not isinstance(node.value, ast.Lambda)
        and not _is_librarys(node.value, tree)
        for target in node.targets
        if isinstance(target, ast.Name) and not target.id.isupper()
    }
    notebooks = {name for name, value in made.items() if DATA.search(value) or spelling.is_a_notebooks(name)}
    made = {name: value for name, value in made.items() if name in notebooks or not _is_called(name, tree)}
    failed = set(re.findall(r"\w+", faulty_line))
    definition = _definition(tree, of)
    for function in functions_in(definition) if definition else ():
        parameters = arguments_in(function.args)
        is_argument = bool(parameters - read_in(function) - {"self"}) and function.name != "__init__"
        foreign = made.keys() - stored_in(function) - parameters
        certain = foreign if is_argument else foreign & (notebooks | failed)
        for node in walk(function):
            if isinstance(node, ast.Name) and node.id in certain:
                return node.lineno
    return 0


def _is_called(name: str, tree: ast.Module) -> bool:
    """Whether a call gave what a file calls by this name, as a layer or a class: no argument should have given that."""
    values = (node.value for node in tree.body if isinstance(node, ast.Assign) and name in stored_in(node))
    return any(isinstance(value, ast.Call) for value in values) and bool(spelling.calls_of(tree, name))


def _is_librarys(value: ast.expr, tree: ast.Module) -> bool:
    """Whether a value is what a library calls something, such as `torch.sqrt`."""
    while isinstance(value, ast.Attribute):
        value = value.value
        if isinstance(value, ast.Name) and value.id in spelling.imported(tree):
            return True
    return False


def of_fault(fault: Fault, tree: ast.Module, of: str, line: str = "") -> str:
    """The known mistake that a definition's fault is for certain; nothing where it may be another. line: its text."""
    if fault.kind == "weights" and fault.names and all(name.endswith(".bias") for name in fault.names):
        return "bias-ignored"
    if fault.kind != "exception" or not tree.body:
        return ""
    if undefined := spelling.UNDEFINED.search(fault.message):
        return spelling.of_undefined(undefined[1], tree, of)
    if fault.type == "RuntimeError" and fault.message.startswith(TOO_MANY_AXES):
        return "batch-transpose"
    if fault.type == "RuntimeError" and any(word in fault.message for word in SHAPES):
        if SIDE_BY_SIDE.search(line):
            return "heads-wrong-axis"
        if SIDEWAYS.search(line):
            return "weights-transposed"
        return "batch-transpose" if TURNED.search(line) and "must be 2D" not in fault.message else ""
    if cut_in_front(fault, tree, of):
        return "heads-not-transposed"
    if fault.type == "AttributeError":
        return spelling.of_attribute(fault, tree)
    if fault.type == "NotImplementedError" and NO_FORWARD in fault.message:
        return "api-misspelt" if spelling.misspelt_method(tree, of) else ""
    if fault.type == "TypeError" and NOTHING_TAKEN in fault.message:
        return "api-misspelt" if spelling.misspelt_init(tree, of) else ""
    return ""


def is_unsliced_mask(fault: Fault, line: str, case: Case) -> bool:
    """Whether a fault is a mask of the whole context meeting shorter scores. line: of the source, where it happened."""
    tokens, most = _tokens(case)
    # The whole of it, or what is left where rows or columns alone are cut off.
    masks = {(most, most), (tokens, most), (most, tokens)}
    is_of_its_size = any(shape[-2:] in masks for _, shape in fault.shapes)
    is_named = any(word in line.partition("#")[0].lower() for word in ("mask", "tri", "inf"))
    return meets_whole_context(fault, case) and (is_of_its_size or is_named)


def meets_whole_context(fault: Fault, case: Case) -> bool:
    """Whether a fault is something of the whole context's size meeting a shorter sequence."""
    tokens, most = _tokens(case)
    sizes = {int(size) for size in SIZES.findall(fault.message)}
    return fault.type == "RuntimeError" and is_shorter(case) and {tokens, most} <= sizes


def may_be_of_whole_context(fault: Fault | None, case: Case) -> bool:
    """Whether what came of a case may be due to something of the whole context's size, if there is such.

    A single token's scores are stretched to any mask that they meet: that fails further on, or nowhere.
    """
    is_of_one_token = is_shorter(case) and _tokens(case)[0] == 1
    return is_of_one_token or (fault is not None and meets_whole_context(fault, case))


def is_shorter(case: Case) -> bool:
    """Whether a case has fewer tokens than its module's context has room for."""
    tokens, most = _tokens(case)
    return tokens < most


def _tokens(case: Case) -> tuple[int, int]:
    """How many tokens a case has, and its module's context_length; 0 where there is none."""
    tokens = next((array.shape[-2] for array in case.inputs.values() if array.ndim > 1), 0)
    return tokens, int(case.template.construct.get("context_length") or 0)


def _definition(tree: ast.Module, of: str) -> ast.AST | None:
    return next((node for node in walk(tree) if isinstance(node, Definition) and node.name == of), None)
