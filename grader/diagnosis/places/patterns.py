"""What statements of each kind look like."""

from __future__ import annotations

import re

PRODUCT = re.compile(
    r"@|scaled_dot_product|matmul|einsum|\bbmm|\bmm\(|\.dot\(|\.mv\(|baddbmm|inner\(|tensordot"
    r"|torch\.sum\(.*\*|\(.* \* .*\)\.sum|(?<![.\w])sum\(.* \* .* for |\+= .* \* "
)
SOFTMAX = re.compile(r"scaled_dot_product|softmax\(|Softmax\(|\bexp\(|\.exp\(|exp_\(|torch\.exp")
# An argument of softmax that is followed by its axis; calls may stand in it.
ARGUMENT = r"(?:[^(),]|\((?:[^()]|\([^()]*\))*\))+"
OTHER_AXIS = re.compile(
    rf"(?:dim|axis)\s*=\s*(?:0|1|-2|-3)\b|softmax\({ARGUMENT},\s*(?:0|1|-2)\s*\)|(?:softmax|sum)\((?:0|-2)\b"
)
OTHER_AXIS_OF_TWO = re.compile(
    rf"(?:dim|axis)\s*=\s*(?:0|-2)\b|softmax\({ARGUMENT},\s*(?:0|-2)\s*\)|(?:softmax|sum)\((?:0|-2)\b"
)
ROOT = re.compile(r"sqrt|\*\* ?-?\(?-?(0?\.5|1 / 2)|math\.pow")
MASKING = re.compile(
    r"masked_fill|where\(|tril|triu|\* .*(mask|allowed|keep|visible|past|causal|simple|bias)|mask.* \*|\[.*\] = "
)
MASK_MADE = re.compile(r"tril|triu|arange|positions?\b.*[<>]|\[.*:.*\] = (True|1)|[<>]=? |\] \* .* \+ \[.*\] \* ")
COMPARED = re.compile(r"[<>]=? |\.(gt|ge|lt|le)\(")
DROPOUT = re.compile(r"drop|bernoulli|rand")
# A layer's weight that is used as it comes, or a weight on its side; keys are turned as they should be.
WEIGHT_TURNED = re.compile(
    r"\b(self\.\w+|[wW]\w*|layer\w*|lin\w*|proj\w*|matrix)\.(T\b|t\(|mT\b|transpose|permute|swapaxes|reshape|view)"
    r"|\.weight\b|linear\(|einsum\("
)
# What functions and methods are called that divide.
DIVIDING = {"div", "div_", "divide", "divide_", "true_divide", "true_divide_"}
ROLES = {
    "query": re.compile(r"quer|(?<![a-z])q(?![a-z])|_q\b|\bq_|\bQ\b"),
    "key": re.compile(r"key|(?<![a-z])k(?![a-z])|_k\b|\bk_|\bK\b"),
    "value": re.compile(r"val|(?<![a-z])v(?![a-z])|_v\b|\bv_|\bV\b"),
}
IN_PLACE = re.compile(r"\w_\(|\] = ")
# The name at the root of what a method in place, an index or an operator writes to.
WRITTEN_TO = re.compile(
    r"\b(\w+)(?:\.\w+|\[[^\]]*\])*\.\w*[a-z]_\(|^(\w+)(?:\.\w+)*\[.*\] = |^(\w+)\S* [-+*/]= |^(\w+)(?:\.\w+)*\.data = "
)
SUMMED = re.compile(r"(?<!ein)sum\(|mean\(|\+=|reduce\(| \+ ")
# Called, or handed to `partial` or the like.
HEAD_MADE = re.compile(r"^(?!super\().*(Attention|Head)\w*[(,]")
