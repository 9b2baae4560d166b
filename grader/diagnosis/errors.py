"""What the source says of an error whose own message does not say enough, and the line that says it."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from grader.diagnosis import sentences
from grader.diagnosis.clues.arguments import axes_given, misplaced
from grader.diagnosis.clues.batch import counted_or_written_over, unpacked
from grader.diagnosis.clues.cut_off import cut_off
from grader.diagnosis.clues.heads import of_sizes
from grader.diagnosis.clues.list_of_heads import chained
from grader.diagnosis.clues.lost import compared, lost
from grader.diagnosis.clues.mask_axes import from_the_front
from grader.diagnosis.clues.mask_cuts import cut_before
from grader.diagnosis.clues.reductions import TOO_MANY, too_many_at_once
from grader.diagnosis.clues.spans import of_one_size
from grader.diagnosis.clues.turns import multiplied, turned_wrongly, unsummed, weight_in_front, weights_behind
from grader.diagnosis.clues.views import out_of_order
from grader.diagnosis.clues.widths import divided_by_heads, width_of_a_head, width_of_the_input, widths_turned
from grader.diagnosis.places.statements import Told
from grader.diagnosis.places.texts import short
from grader.diagnosis.slips import spelling
from grader.diagnosis.slips.classes import of_class
from grader.diagnosis.slips.copied import copied
from grader.diagnosis.slips.decimals import of_fault as decimal_comma
from grader.diagnosis.slips.layers import kept_number, layer
from grader.diagnosis.slips.messages import slip
from grader.diagnosis.slips.newer import of_fault as newer_python
from grader.diagnosis.slips.pasted import of_fault as pasted
from grader.diagnosis.slips.torch_messages import advice
from grader.model.observation import Fault
from grader.model.pack import Definition
from grader.model.syntax import functions_around, is_of_a_stub, positional
from grader.model.text import clean
from grader.words import say

# What waits for somebody to type, and what comes of it where nobody does.
WAITING = {"input": ("EOFError",), "breakpoint": ("BdbQuit",), "set_trace": ("BdbQuit",)}
NO_GPU = re.compile(r"not compiled with (CUDA|MPS) enabled|No CUDA GPUs are available|Found no NVIDIA driver")
# What torch says where two are put together number by number.
BROADCAST = "must match the size of tensor"
OF_FILES = {"FileNotFoundError", "PermissionError", "OSError", "IsADirectoryError"}
OPENING = re.compile(r"\b(open|load\w*|read_\w+|save\w*|savefig|to_csv|mkdir|makedirs|write_\w+)\(")


def cause(
    fault: Fault,
    tree: ast.Module,
    of: str,
    text: str,
    is_fresh: bool,
    definitions: Mapping[str, Definition] = MappingProxyType({}),
    axes: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Told | None:
    """What there is to say of an error, and a line, 0 for the one that failed; None where nothing is certain.

    text: of the line that failed. definitions: what the exercises ask for, by its name. axes: of the
    exercise's inputs.
    """
    if comma := decimal_comma(fault, tree, of, text):
        return comma
    if unread := newer_python(fault, text) or pasted(fault, text):
        return unread, 0
    if unwritten := _not_written(fault):
        return unwritten, 0
    if not is_fresh and (said := _not_there(fault, text)):
        return said, 0
    if sentences.wants_whole_number(fault) and not is_fresh and (quotient := divided_by_heads(tree)):
        return say("judge.no-whole-number", code=short(quotient)), quotient.lineno
    if found := of_class(fault, tree, of):
        return found
    if fault.kind == "detached":
        return cut_off(tree, of)
    if (
        slipped := kept_number(fault, tree, of, text)
        or slip(fault, tree, of, text)
        or layer(fault, tree, of, text)
        or misplaced(tree, of, definitions)
    ):
        return slipped
    if joined := copied(fault, tree, of, text):
        return joined
    if said := advice(fault, tree, of, text):
        return said, 0
    # Of a fresh case the message may be made of the inputs.
    if not is_fresh and (near := spelling.meant_of_own(fault, tree, of, definitions)):
        return _due(fault, tree, of, near, definitions) or (say("judge.did-you-mean", name=clean(near, 60)), 0)
    if not is_fresh and (absent := spelling.absent_attribute(fault, tree, of)):
        return _no_method(absent, tree, of, text) or (say("judge.not-kept", name=clean(absent, 60)), 0)
    return widths_turned(fault, tree, of, text) or _of_axes(fault, tree, of, text, definitions, axes)


def _no_method(name: str, tree: ast.Module, of: str, text: str) -> Told | None:
    """What there is to say of what a class calls of its own and does not have, a method or a layer."""
    if f"self.{name}(" not in text:
        return None
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    function = next(functions, None)
    if function is None:
        return say("judge.neither-kept-nor-method", name=clean(name, 60)), 0
    if positional(function)[:1] == ["self"]:  # which was to be one
        return say("judge.stands-outside", name=clean(name, 60), of=of), function.lineno
    return say("judge.function-for-a-method", name=clean(name, 60)), 0


def _due(fault: Fault, tree: ast.Module, of: str, near: str, definitions: Mapping[str, Definition]) -> Told | None:
    """What there is to say of a name that the exercise asks for where it is misspelt in its definition, not its call.

    near: the name that it may have been meant for.
    """
    absent = spelling.UNDEFINED.search(fault.message) if fault.type == "NameError" else None
    asked_by = {name: asked.exercise for name, asked in definitions.items()}
    if absent is None or near in asked_by or asked_by.get(absent[1], "") != asked_by.get(of):
        return None
    kinds = (ast.FunctionDef, ast.ClassDef)
    defined = next((node for node in tree.body if isinstance(node, kinds) and node.name == near), None)
    if defined is None:
        return None
    return say("judge.name-due", of=absent[1], name=clean(near, 60)), defined.lineno


def _not_written(fault: Fault) -> str:
    """What there is to say where a function of another file is called that is a stub still; "" elsewhere."""
    if not sentences.is_of_a_stub(fault) or not fault.frames or fault.frames[0].file == fault.frames[-1].file:
        return ""
    return say("judge.not-written", of=clean(fault.frames[-1].function, 60), file=clean(fault.frames[-1].file, 80))


def _of_axes(
    fault: Fault,
    tree: ast.Module,
    of: str,
    text: str,
    definitions: Mapping[str, Definition],
    axes: Mapping[str, Sequence[str]],
) -> Told | None:
    """What there is to say of an error where a result is lost, or an axis is taken for another one."""
    failed = fault.frames[-1].line if len({each.file for each in fault.frames}) == 1 else 0
    if TOO_MANY.search(fault.message):  # whatever the size of what it is written to
        found = too_many_at_once(tree, fault.message, failed, axes_given(tree, of, definitions, axes))
    elif sentences.is_of_shapes(fault.type, fault.message):
        found = (
            from_the_front(fault, tree, failed)
            or lost(tree, of, shaping=True)
            or chained(tree, of)
            or width_of_the_input(fault, tree, of, axes)
            or width_of_a_head(fault, tree, of)
            or of_sizes(fault, tree, of, text)
            or counted_or_written_over(tree, of, axes, failed)
            or cut_before(failed, tree, of, axes)
            or multiplied(tree, failed, dict(fault.shapes), fault.message)
            or (unsummed(tree, of, failed, dict(fault.shapes)) if BROADCAST in fault.message else None)
            or weights_behind(tree, of, failed)
            or weight_in_front(tree, failed, dict(fault.shapes))
            or turned_wrongly(tree, of)
            or _of_one_size(fault, tree, of)
        )
    else:
        found = unpacked(fault, tree, of, text, axes) or width_of_the_input(fault, tree, of, axes)
    return found or out_of_order(fault, tree, of) or compared(tree, of)


def _of_one_size(fault: Fault, tree: ast.Module, of: str) -> Told | None:
    """What there is to say where something is made in one size, which is in a message about sizes, or counts so far."""
    told = {int(number) for number in re.findall(r"\b\d{1,6}\b", fault.message)}
    told |= {size for _, shape in fault.shapes for size in shape}
    beyond = re.search(r"index (\d+) is out of bounds for dimension \d+ with size (\d+)", fault.message)
    told = {int(beyond[1]) + 1} - {int(beyond[2])} if beyond else told
    return of_one_size(tree, of, told)


def _not_there(fault: Fault, text: str) -> str:
    """What to say of what code finds at home and not where it is graded: somebody who types, a GPU, files."""
    for call in WAITING:
        if fault.type in WAITING[call] and f"{call}(" in text:
            return say("judge.nobody-types", call=f"{call}()")
    if NO_GPU.search(fault.message):
        return say("judge.no-gpu")
    return say("judge.no-files") if fault.type in OF_FILES and OPENING.search(text) else ""


def has_work(tree: ast.Module, line: int) -> bool:
    """Whether the function that a line lies in has more than a stub has: a docstring, its parent's call, one error."""
    around = functions_around(tree, line)
    if not around:
        return False
    return any(not is_of_a_stub(statement) for statement in around[-1].body)
