"""The line of a known mistake: the statement a teacher would point at, found in the student's source.

Which mistake it is has been decided by then, by what came back; here the source is only searched for the place. Each
mistake says what its statement looks like; where nothing does, the line is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from grader.judge.diagnosis.places.dropout import in_evaluation, never_dropped, survivors
from grader.judge.diagnosis.places.heads import cut, joined, layer, summed
from grader.judge.diagnosis.places.masks import after_softmax, mask_inverted, mask_made, zero_filled
from grader.judge.diagnosis.places.patterns import DROPOUT, SOFTMAX, WEIGHT_TURNED
from grader.judge.diagnosis.places.roles import exchanged, output_layer, reused, turned, unprojected
from grader.judge.diagnosis.places.scores import (
    first_use_of_scores,
    handed_on,
    inverted,
    scaling,
    second_softmax,
    values_blended,
    wrong_axis,
)
from grader.judge.diagnosis.places.statements import (
    Finder,
    bias_by_default,
    end,
    first,
    last,
    last_line,
    last_return,
    outside_init,
    statements_of,
)
from grader.judge.diagnosis.places.writing import changed


def culprit(tree: ast.Module, of: str, mistake: str) -> int:
    """The line of a mistake in a definition; 0 where nothing looks like it."""
    if mistake == "returns-none":
        return last_line(tree, of)
    if mistake == "bias-always" and (line := bias_by_default(tree, of)):
        return line
    finder = FINDERS.get(mistake)
    statements = statements_of(tree, of)
    found = finder(statements) if finder else None
    return found.line if found else 0


def speaks_of(tree: ast.Module, of: str, mistake: str) -> bool:
    """Whether the source has the words that a mistake takes, if it takes any of its own: of heads, after the blend."""
    words = WORDS.get(mistake)
    statements = outside_init(statements_of(tree, of))
    if mistake == "weights-transposed":
        return first(statements, WEIGHT_TURNED) is not None
    blended = values_blended(statements)
    after = statements[statements.index(blended) :] if blended else statements
    return words is None or first(after, words) is not None


# What has to stand in the source where all that is known of a mistake is a crash.
WORDS: Mapping[str, str] = {
    "heads-summed": r"(?<!ein)sum\(|\+=",
    "heads-wrong-axis": r"cat\w*\(|stack\(|flatten\(|reshape\(|view\(",
}
FINDERS: Mapping[str, Finder] = {
    "scale-missing": first_use_of_scores,
    "scale-no-sqrt": scaling,
    "scale-wrong-width": scaling,
    "scale-inverted": inverted,
    "softmax-missing": lambda s: values_blended(s) or last_return(s),
    "softmax-wrong-axis": wrong_axis,
    "softmax-twice": second_softmax,
    "mask-missing": lambda s: first(s, SOFTMAX) or handed_on(s),
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
    "out-proj-missing": end,
    "dropout-missing": never_dropped,
    "dropout-on-scores": lambda s: first(outside_init(s), DROPOUT),
    "dropout-on-context": lambda s: last(outside_init(s), DROPOUT),
    "dropout-in-eval": in_evaluation,
    "dropout-unscaled": survivors,
    "bias-ignored": lambda s: (
        first(s, r"bias=False|False\)|=not \w")
        or first(outside_init(s), r"^(?!.*\.bias).*\.weight\b")
        or first(s, r"^self\.\w+ = (\w+\.)*Parameter\(")
        or layer(s)
    ),
    "bias-always": lambda s: (
        first(s, r"bias=True|=not \w|Linear\(.*True\)|Attention\(.*True\)")
        or first(s, r"Linear\((?!.*bias)")
        or layer(s)
    ),
    "out-proj-wrong-width": output_layer,
    "input-mutated": changed,
}
