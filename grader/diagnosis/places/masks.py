"""Where a mask is made and where it is used."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.diagnosis.places.branches import exchanged
from grader.diagnosis.places.patterns import COMPARED, MASK_MADE, MASKING, SOFTMAX
from grader.diagnosis.places.scores import product_at, softmax_at
from grader.diagnosis.places.statements import (
    Statement,
    bare_name,
    called_by,
    first,
    handing,
    maker_of,
    outside_init,
)

# As in `scores[:, i, i + 1:] = -torch.inf`; not where a mask is the index.
FILLED = r"\[(?!(\.\.\., )?~?\w{3,}\])[^\]]*\] = .*(inf\b|-1e)"
# As in `keys[:, :i]` of a loop over the tokens.
CUT_OFF = re.compile(r"\[[^\]]*(?<!\w):[a-z]\w*( [+-] \d+)?[,\]]|\[[^\]]*\b[a-z]\w*( [+-] \d+)?:[,\]]")
USED = re.compile(r"masked_fill|where\(")
# What is cut along one axis at most, and not as `mask[:t, :t]`.
WHOLE = r"^[^:]*(:[^:]*)?$"
# As in `torch.triu(torch.ones(n, n))`, and not `torch.tril(weights)`.
TRIANGLE = re.compile(r"(ones|full|zeros).*tri[ul]\(|tri[ul]\(.*(ones|full|zeros)")
# As in `softmax(scores, -1).masked_fill(mask, 0)`, `softmax(scores, -1) * mask` and `tril(softmax(scores, -1))`.
MASKED_AT_ONCE = re.compile(
    r"softmax\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)(\.(masked_fill|tril|triu)\b"
    r"| \* .*(mask|allowed|keep|visible|past|causal|tri))|(tri[ul]|where)\(.*softmax\("
)
# Within a call: whatever closes again what it opens.
BALANCED = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"
# By its keywords.
KEPT_AS = re.compile(r"register_buffer\(.*\bname=['\"](\w+)['\"]")
REGISTERED = re.compile(r"register_buffer\(['\"](\w+)['\"]")


def mask_inverted(statements: Sequence[Statement]) -> Statement | None:
    """Where the mask is used, or handed on, the wrong way round, by what it was made with; else where it is made."""
    if branches := exchanged(statements):
        return branches[0]
    made = mask_made(statements)
    handed = handing(statements, "^(?!attn_).*mask", r"^~|logical_not|bitwise_not|\.(T|mT|t\(|transpose)")
    if made is None or not re.search("tril|triu", made.text):
        return handed or made
    infinity = r"(float\('-inf'\)|-\w*\.?inf\b|-1e)"
    # To scaled_dot_product_attention True means visible.
    mask = r"where\((?:[^()]|\(\))*(\[.*\])?"
    visible = rf"masked_fill_?\(.* == (1|True)|{mask}, {infinity}|attn_mask=~"
    hidden = rf"masked_fill_?\((.* == (0|False)|~)|{mask}, \w+, .*{infinity}|attn_mask=(?!~)"
    own = [statement for statement in statements if statement.is_own]
    if turned := _laid_on_its_side(own, made):
        return turned
    if not re.search(r"triu\(.*(?<!-)1\)", made.text):
        return first(statements, visible) or made
    # It is right, and used or handed on the wrong way round.
    negated = r"^\w+ = \(?~|logical_not|bitwise_not" if made.is_own else r"~\w|logical_not|bitwise_not"
    name = "|".join(map(re.escape, _names_of(made, statements))) or "mask"
    negated += rf"|^\w*mask\w* = .* == (0|False)\b|\b1(\.0)? - \(?(self\.)?(\w*mask|{name})\b"
    # What is multiplied by it keeps what is to be hidden; no number is, which hides by it.
    kept = rf"[A-Za-z)\]] \* \(?((self\.)?({name})\b|{re.escape(made.function)}\()(?!.*(inf|1e\d))"
    return first(statements, hidden) or first(own, negated) or first(own, kept) or handed or made


def _names_of(made: Statement, statements: Sequence[Statement]) -> list[str]:
    """What a mask is called where it is made, and then where it is kept, cut or converted and nothing else."""
    names = [_called(made)] if _called(made) else []
    for statement in statements[statements.index(made) + 1 :] if names else ():
        mask = rf"(?:self\.)?(?:{'|'.join(map(re.escape, names))})"
        kept = REGISTERED.search(statement.text) or KEPT_AS.search(statement.text)
        if kept and re.search(rf"[ =]{mask}\b[^(]*\)?$", statement.text):
            names.append(kept[1])
        elif re.match(rf"{mask}(\[[^\]]*\])?(\.(to|bool|float|int|long)\([^()]*\))?$", statement.value):
            names.append(bare_name(statement.target))
    return [name for name in names if name]


def _laid_on_its_side(statements: Sequence[Statement], made: Statement) -> Statement | None:
    """Where a mask is turned, or a column taken for a row, which hides the past: one of that name, or `made`'s own."""
    mask = None if re.search("masked_fill|where", made.text) else made
    given = rf"\b{made.function}\(.*\)"
    names = [re.escape(s.target) for s in statements if s.target and (s is mask or re.search(given, s.value))]
    name = "|".join([r"\w*mask", *names, *map(re.escape, REGISTERED.findall(made.text))])
    then = r"(\.\w+\([^()]*\)){0,2}"
    column = rf"\b({name})\[(\.\.\., )?:\w*, \w+\]"
    return first(statements, rf"(\b({name}){then}(\[.*\])?{then}|{given})\.(T\b|mT\b|t\(|transpose)|{column}")


def taken_whole(statements: Sequence[Statement], line: int) -> Statement | None:
    """Where the mask that does not fit in a line is given a name, or handed on, as it is; else the line's statement."""
    failed = next((s for s in statements if s.line <= line <= (s.node.end_lineno or 0)), None)
    if failed is None:
        return None
    near = [s for s in statements if s.function == failed.function != "__init__"]
    masks = [s for s in near if re.search("mask|tri", s.value) and re.search(WHOLE, s.value)]
    for name in re.findall(r"(?<![.\w])[a-z]\w*", failed.text):
        handed = handing(statements, f"^{name}$", WHOLE) if "mask" in name and not failed.is_own else None
        if made := maker_of(name, masks) or handed:
            return made
    return failed


def mask_made(statements: Sequence[Statement]) -> Statement | None:
    """Where the mask is made; of positions, where they are compared."""
    made = _made_and_read(statements) or first(outside_init(statements), FILLED)  # a triangle that nobody reads is none
    cutting = [s for s in outside_init(statements) if not USED.search(s.text)]  # not a mask, to use it
    made = made or first(outside_init(statements), r"tril|triu") or first(cutting, CUT_OFF)
    made = made or first(statements, r"tril|triu") or first(statements, MASK_MADE)
    made = made or first(outside_init(statements), MASKING)
    if made is None or "arange" not in made.text or COMPARED.search(made.text):
        return made
    # Positions alone are no mask yet: it is made where they are compared.
    after = statements[statements.index(made) + 1 :]
    return next((s for s in after if COMPARED.search(s.text) and made.target in s.value), made)


def _made_and_read(statements: Sequence[Statement]) -> Statement | None:
    """Where a triangle is made that is not kept under a name alone which nobody reads."""
    for made in (s for s in statements if re.search(r"tril|triu", s.text)):
        kept, name = REGISTERED.search(made.text), re.escape(_called(made))
        owner = r"\w\." if kept or made.target.startswith("self.") else r"(?<![\w.])"
        others = (s.text for s in statements if s is not made)
        if not name or any(re.search(rf"{owner}{name}\b(?! = )", text) for text in others):
            return made
    return None


def _called(made: Statement) -> str:
    """What a mask is called where it is made; "" for nothing."""
    kept = REGISTERED.search(made.text)
    return bare_name(kept[1] if kept else made.target)


def after_softmax(statements: Sequence[Statement]) -> Statement | None:
    """The first masking behind softmax: where a triangle is used, which may be made there as well."""
    end = softmax_at(statements)
    behind = statements[end + 1 :]
    triangles = [s for s in statements if TRIANGLE.search(s.text)]
    makers = "|".join([r"\w*mask", *sorted({re.escape(s.function) for s in triangles if not s.is_own})])
    making = re.compile(rf"(?<![\w.])(\w+\.)*({makers})\(")
    made = {_called(s) for s in (*triangles, *(s for s in statements if making.match(s.value)))} - {""}
    names = "|".join(map(re.escape, made)) or "(?!)"
    read = re.compile(rf"(?<![\w.])(self\.)?({names})\b|{making.pattern}")
    near = (s for s in behind if s.function == statements[end].function and bare_name(s.target) not in made)
    helpers = "|".join(sorted({re.escape(s.function) for s in statements if not s.is_own and MASKING.search(s.text)}))
    at_once = rf"{MASKED_AT_ONCE.pattern}|\b(?:{helpers or '(?!)'})\({BALANCED}(?:{SOFTMAX.pattern})"
    if end < len(statements) and re.search(at_once, statements[end].text):
        return statements[end]
    if using := next((s for s in near if read.search(s.value)), None):
        return using
    return first(behind, MASKING) or first(statements[end:], MASKING)


def infinite_late(statements: Sequence[Statement]) -> Statement | None:
    """Where minus infinity is filled in only behind softmax, there or in a function that is called there."""
    found, end = after_softmax(statements), softmax_at(statements)
    if found is None or found not in statements[end:] or found.function != statements[end].function:
        return None
    texts = [found.text, *(each.text for each in called_by([found], statements))]
    return found if any(re.search(r"\binf\b|-inf", text) for text in texts) else None


def zero_filled(statements: Sequence[Statement]) -> Statement | None:
    """The masking between product and softmax."""
    within = statements[max(product_at(statements), 0) : softmax_at(statements) + 1]
    helping = called_by(within, statements)
    return (
        first(within, r"masked_fill|where\(")
        or first(helping, r"masked_fill|where\(|\* .*mask|mask.* \*|\] = 0")
        or first(within, r"tril\(|triu\(| \* | \*= ")
        or first(within, MASKING)
        or first(statements, r"masked_fill|where\(")
    )
