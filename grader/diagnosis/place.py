"""The line of a known mistake: the statement a teacher would point at, found in the student's source.

Which mistake it is has been decided by then, by what came back; here the source is only searched for the place. Each
mistake says what its statement looks like; where nothing does, the line is not known.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence

from grader.diagnosis.places.biases import always, ignored
from grader.diagnosis.places.copies import OUT_PROJ, unmixed
from grader.diagnosis.places.dropout import dropped_early, dropped_late, never_dropped, survivors
from grader.diagnosis.places.heads import all_moved, cut, joined, summed
from grader.diagnosis.places.lost_masks import lost_masking
from grader.diagnosis.places.masks import after_softmax, mask_inverted, mask_made, taken_whole, zero_filled
from grader.diagnosis.places.patterns import MASKING, SOFTMAX, WEIGHT_TURNED
from grader.diagnosis.places.roles import exchanged, input_as_values, output_layer, reused, turned, unprojected
from grader.diagnosis.places.scores import (
    first_use_of_scores,
    handed_on,
    inverted,
    scaled_again,
    scaling,
    scores_blended,
    second_softmax,
    values_blended,
    wrong_axis,
    wrong_width,
)
from grader.diagnosis.places.statements import (
    Finder,
    Statement,
    first,
    handing,
    last,
    last_line,
    last_return,
    maker,
    making,
    outside_init,
    statements_of,
)
from grader.diagnosis.places.texts import written
from grader.diagnosis.places.training import chosen_wrongly, in_evaluation
from grader.diagnosis.places.writing import changed, written_through
from grader.model.syntax import walk

# More no statement has that anybody writes; each is searched.
MOST_PIECES = 300
# What a number that is handed on makes, wherever that gets its name.
OF_NUMBERS = {"softmax-wrong-axis", "heads-wrong-axis", "mask-diagonal", "mask-zero-fill"}
SCALED = re.compile(r"sqrt|\*\*| [/*] |\.(div|mul)\w*\(")
ALONG = re.compile(r"^(dim|axis)=")


def culprit(tree: ast.Module, of: str, mistake: str, about: str = "") -> int:
    """The line of a mistake in a definition; 0 where nothing looks like it. about: the slot that is wrong."""
    if mistake == "returns-none":
        return last_line(tree, of)
    if mistake == "input-mutated" and (line := written_through(tree, of)):
        return line
    if mistake in OF_BIASES and (line := OF_BIASES[mistake](tree, of, about)):
        return line
    if mistake == "dropout-in-eval" and (line := chosen_wrongly(tree, of)):
        return line
    finder = FINDERS.get(mistake)
    statements: Sequence[Statement] = statements_of(tree, of)
    made = maker(tree, of, about) if about else None
    if made:
        statements = making(made, statements)
    found = (finder(statements) if finder else None) or made
    if found is not None and mistake in OF_NUMBERS and found.given:
        return found.given
    return _piece(found, INSIDE.get(mistake)) if found else 0


def is_lacking(tree: ast.Module, of: str, mistake: str) -> bool:
    """Whether a mistake is that a function, such as a copy, has no statement at all of what it is to deal with."""
    is_function = any(isinstance(node, ast.FunctionDef) and node.name == of for node in tree.body)
    words = LACKED.get(mistake) if is_function else None
    return words is not None and first(statements_of(tree, of), words) is None


def unsliced(tree: ast.Module, of: str, line: int) -> int:
    """Where a mask that is too wide is taken whole, by the line where it does not fit."""
    found = taken_whole(statements_of(tree, of), line)
    return _piece(found, INSIDE["mask-not-sliced"]) if found else line


def _piece(found: Statement, looks: re.Pattern[str] | None) -> int:
    """The line of a statement; of one that has several, that of the smallest piece which looks like the mistake."""
    pieces = [node for node in walk(found.node)[:MOST_PIECES] if isinstance(node, ast.expr | ast.keyword)]
    if looks is None or found.node.lineno == found.node.end_lineno:
        return found.line
    alike = [(len(text), piece.lineno) for piece in pieces if looks.search(text := written(piece))]
    return min(alike, default=(0, found.line))[1]


def speaks_of(tree: ast.Module, of: str, mistake: str) -> bool:
    """Whether the source has the words that a mistake takes, if it takes any of its own: of heads, after the blend.

    And none of those that it lacks.
    """
    words = WORDS.get(mistake)
    statements = outside_init(statements_of(tree, of))
    if mistake == "mask-missing":
        return bool(lost_masking(tree, of)) or first(statements, MASKING) is None
    if mistake == "heads-not-transposed":
        return not all_moved(statements)
    if mistake == "weights-transposed":
        return first(statements, WEIGHT_TURNED) is not None
    if mistake == "values-unprojected":
        return input_as_values(statements) is not None
    blended = values_blended(statements)
    after = statements[statements.index(blended) :] if blended else statements
    return words is None or first(after, words) is not None


# What the piece of a statement of several lines looks like that has to be another.
INSIDE: Mapping[str, re.Pattern[str]] = {
    "scale-no-sqrt": SCALED,
    "scale-wrong-width": SCALED,
    "scale-inverted": SCALED,
    "softmax-wrong-axis": ALONG,
    "heads-wrong-axis": ALONG,
    "dropout-missing": re.compile(r"^[\w.]*(Attention|Head|Dropout)\w*\("),
    "mask-diagonal": re.compile(r"^diagonal=|^[\w.]*tri[ul]\("),
    "mask-inverted": re.compile(r"^[\w.]*tri[ul]\(|^~| == [01]$"),
    "mask-not-sliced": re.compile(r"^self\.\w+$"),
    # A product of one tensor with itself.
    "projection-reused": re.compile(r"^([\w.]+) @ \1(?:\.|$)|^(?:\w+\.)?(?:matmul|mm|bmm)\(([\w.]+), \2[.)]"),
}
# What has to stand in the source where all that is known of a mistake is a crash.
WORDS: Mapping[str, str] = {
    "heads-summed": r"(?<!ein)sum\(|\+=",
    "heads-wrong-axis": r"cat\w*\(|stack\(|flatten\(|reshape\(|view\(",
}
# What the statements speak of that are lacking where a function does nothing about it.
LACKED: Mapping[str, str] = {"out-proj-missing": OUT_PROJ, "bias-ignored": rf"^(?!.*{OUT_PROJ}).*bias"}
OF_BIASES: Mapping[str, Callable[[ast.Module, str, str], int]] = {"bias-always": always, "bias-ignored": ignored}
FINDERS: Mapping[str, Finder] = {
    "scale-missing": first_use_of_scores,
    "scale-no-sqrt": lambda s: scaled_again(s) or scaling(s),
    "scale-wrong-width": wrong_width,
    "scale-inverted": inverted,
    "softmax-missing": lambda s: scores_blended(s) or last_return(s),
    "softmax-wrong-axis": wrong_axis,
    "softmax-twice": second_softmax,
    "mask-missing": lambda s: (
        handing(s, "mask|causal", r"^(None|False)$") or first(outside_init(s), SOFTMAX) or handed_on(s)
    ),
    "mask-inverted": mask_inverted,
    "mask-diagonal": mask_made,
    "mask-after-softmax": after_softmax,
    "mask-zero-fill": zero_filled,
    "query-key-swapped": exchanged,
    "projection-reused": reused,
    "values-unprojected": unprojected,
    "weights-transposed": turned,
    "heads-not-transposed": cut,
    "merge-not-transposed": lambda s: last(outside_init(s), r"view\(|reshape\(|flatten\("),
    "heads-summed": summed,
    "heads-wrong-axis": joined,
    "heads-unregistered": lambda s: first(s, r"^self\.\w+ = \w*(\[|heads|list|layers)") or first(s, r"heads?\w* = "),
    "out-proj-missing": unmixed,
    "dropout-missing": never_dropped,
    "dropout-on-scores": dropped_early,
    "dropout-on-context": dropped_late,
    "dropout-in-eval": in_evaluation,
    "dropout-unscaled": survivors,
    "out-proj-wrong-width": output_layer,
    "input-mutated": changed,
}
