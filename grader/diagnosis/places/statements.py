"""The statements of a definition as Python would write them, and the first or last that looks like something.

Nothing is executed; every pattern meets statements of a bounded length.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from grader.diagnosis.places.calls import as_they_run, handed_over, signatures
from grader.diagnosis.places.constants import constants
from grader.diagnosis.places.softmaxes import softmaxes
from grader.diagnosis.places.texts import written
from grader.diagnosis.source.reached import never_reached
from grader.diagnosis.source.used import definitions_of, given_to, nodes_of
from grader.judge.binding import paths
from grader.model.syntax import Definition, functions_in, only_says, walk

HANDED_ON = re.compile(r"^return (?:self\.)?(\w+)\(")
CALLED = re.compile(r"(?<![\w.])(\w+)\(")
NAME = re.compile(r"\w+")
# Everything up to what is assigned, or added or the like to what is there.
ASSIGNED = re.compile(r"^.*? (?:[-+*/%@&|^]|//|\*\*|<<|>>)?= ")
# What keeps modules under a name that ends with a number which it puts in, and what stands before that.
NUMBERED = re.compile(
    r"(?:setattr\(self, |self\.(?:add_module|register_module|register_parameter)\()f?'([a-zA-Z_]\w*?)[%{']"
)
# What is assigned to: a name or an attribute, of several each; and where in it.
TARGET, INDEX = re.compile(r"[a-zA-Z_][\w.]*"), re.compile(r"\[.*?\]")
# What has names of its own.
OF_ITS_OWN = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Statement:
    """A simple statement of the source. target: what it is assigned to.

    text: as Python would write it, but that what is called is softmax where it is that by another name, and a number
    stands for a name that is given it once and for all. given: the line that gives it; 0 for none.

    is_own: whether it stands in the definition that was asked, and not in one that it makes use of. handed: parameters
    of what it calls, with what each is given.
    """

    line: int
    text: str
    target: str
    function: str
    is_return: bool
    node: ast.stmt = field(repr=False, compare=False)
    is_own: bool = True
    handed: tuple[tuple[str, str], ...] = ()
    given: int = 0

    @cached_property
    def value(self) -> str:
        """The text without the target."""
        return ASSIGNED.sub("", self.text, count=1) if self.target else self.text


# A sentence, and the line that it speaks of; 0 for the one that failed, or for no single one.
Told = tuple[str, int]
Finder = Callable[[Sequence[Statement]], Statement | None]


@lru_cache(maxsize=4)  # each of a definition's mistakes is looked for in them
def statements_of(tree: ast.Module, of: str) -> tuple[Statement, ...]:
    """The simple statements of a definition, then those of the functions and classes that it makes use of."""
    return tuple(_statements_of(tree, of))


def _statements_of(tree: ast.Module, of: str) -> Iterator[Statement]:
    definitions, names = definitions_of(tree, of), "|".join(sorted(softmaxes(tree)))
    numbers = constants(tree)
    softmax = re.compile(rf"(?<![\w.])(?:self\.)?(?:{names})\(") if names else None
    for number, value in enumerate(given_to(tree, of)):
        said = ast.copy_location(ast.Return(value), value)
        yield Statement(value.lineno, f"return {written(value)}", "", of, True, said, is_own=number == 0)
    for definition in definitions:
        called = signatures((*definitions, *definition.body))
        for base in map(written, definition.bases if isinstance(definition, ast.ClassDef) else ()):
            called |= {"super": called[base]} if base in called else {}
        unused = {id(node) for node in _unused(tree, definition)}
        functions = [node for node in walk(definition) if isinstance(node, ast.FunctionDef) and id(node) not in unused]
        found: dict[str, list[Statement]] = {"__init__": [], "forward": []}  # a class is made before it is called
        for function in sorted(functions, key=lambda function: function.lineno):
            found.setdefault(function.name, []).extend(sorted(simple(function), key=lambda each: each.line))
        # What is handed on to be called, as to `map`, is called there too.
        for statement in as_they_run(found, lambda each: NAME.findall(each.value)):
            handed = tuple(handed_over(statement.node, called))
            text, given = numbers.put_in(softmax.sub("softmax(", statement.text) if softmax else statement.text)
            yield replace(statement, text=text, is_own=definition.name == of, handed=handed, given=given)


def _unused(tree: ast.Module, definition: Definition) -> list[ast.FunctionDef]:
    """The methods of a class that nothing calls which is called itself, such as an earlier version of `forward`."""
    unused = {node.name: node for node in definition.body if isinstance(node, ast.FunctionDef)}
    if isinstance(definition, ast.FunctionDef) or "forward" not in unused:
        return []
    waiting: list[ast.AST] = [node for node in tree.body if node is not definition]
    waiting += [node for node in definition.body if not isinstance(node, ast.FunctionDef)]
    by_python = [name for name, node in unused.items() if name == "forward" or name[:2] == "__" or node.decorator_list]
    waiting += [unused.pop(name) for name in by_python]
    while waiting:
        for node in walk(waiting.pop()):
            if (called := unused.pop(_named(node), None)) is not None:
                waiting.append(called)
    return list(unused.values())


def _named(node: ast.AST) -> str:
    """What a node may call a method by: a name, an attribute, or a text, as for `getattr`."""
    match node:
        case ast.Name(name) | ast.Attribute(attr=name) | ast.Constant(str(name)):
            return name
        case _:
            return ""


def simple(function: ast.FunctionDef) -> Iterator[Statement]:
    """A function's statements that hold no others, and what its loops go through.

    Without what never runs and what is only said.
    """
    waiting: list[ast.stmt] = list(function.body)
    unreached = never_reached(function)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) or id(node) in unreached:
            continue
        inner = [part for name in ("body", "orelse", "finalbody") for part in getattr(node, name, [])]
        inner += [part for case in getattr(node, "cases", []) for part in case.body]
        if isinstance(node, ast.For):  # what it goes through is made there, and its variable is a part of that
            taken = ast.copy_location(ast.Assign([node.target], node.iter), node)
            yield Statement(node.lineno, written(taken), "", function.name, False, taken)
        waiting += inner
        if inner or only_says(node):
            continue
        target = ""
        if isinstance(node, ast.Assign):
            target = written(node.targets[0])
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
            target = written(node.target)
        yield Statement(node.lineno, written(node), target, function.name, isinstance(node, ast.Return), node)


def last_line(tree: ast.Module, of: str) -> int:
    """Where a function, a class's `forward`, or what that hands back the result of, ends without handing anything back.

    That is a bare `return`, or the end of the branch that has none, or else the last line.
    """
    functions = functions_in(tree)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == of]
    own = [node for node in (classes[0].body if classes else functions) if isinstance(node, ast.FunctionDef)]
    function = next((node for node in own if node.name in (of, "forward")), None)
    if function is None:
        return 0
    handed_on = _handed_on(function)
    called = [*(node for node in functions if node.name in handed_on), *_called_objects(tree, handed_on)]
    silent = (node for node in called if not any(s.is_return for s in simple(node)))
    function = next(silent, function)
    bare = [s.line for s in simple(function) if s.text in ("return", "return None")]
    is_returning = any(s.is_return for s in simple(function))
    if not bare and is_returning and (line := _open_end(function.body)):
        return line
    return next(iter(bare), max(node.lineno for node in walk(function) if isinstance(node, ast.stmt)))


def _handed_on(function: ast.FunctionDef) -> set[str]:
    """The functions whose results a function hands back, as they come or by names that they were given last."""
    given = {s.target: f"return {s.value}" for s in sorted(simple(function), key=lambda each: each.line) if s.target}
    found: set[str] = set()
    for text in (s.text for s in simple(function) if s.is_return):
        while (handed := given.pop(text.removeprefix("return "), None)) is not None:
            text = handed
        found.update(HANDED_ON.findall(text))
    return found


def _called_objects(tree: ast.Module, names: set[str]) -> Iterator[ast.FunctionDef]:
    """What is called of an object of a class: one that is made by a name, or that the file keeps under it."""
    for node in tree.body:
        match node:
            case ast.ClassDef(name) if name in names:
                yield from methods(tree, name, "__call__")
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name(made))) if name in names:
                yield from methods(tree, made, "__call__")


def _open_end(body: Sequence[ast.stmt]) -> int:
    """Where a block that returns in some branch ends without; 0 where it ends in no branch that does not."""
    match body[-1]:
        case ast.If(orelse=[]) as choosing:
            return _open_end(choosing.body) or choosing.lineno
        case ast.If(body=inner, orelse=others):
            return _open_end(inner) or _open_end(others)
        case ast.Return():
            return 0
        case statement:
            return statement.lineno


def methods(tree: ast.Module, of: str, name: str = "") -> Iterator[ast.FunctionDef]:
    """The method of a class of the file that has a name, if there is one; all of its methods by no name."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == of:
            yield from (each for each in node.body if isinstance(each, ast.FunctionDef) and name in ("", each.name))


def asked(tree: ast.Module, of: str) -> Iterator[ast.FunctionDef]:
    """The function that was asked, or a class's `forward`."""
    yield from (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == of)
    yield from methods(tree, of, "forward")


def functions_of(tree: ast.Module, of: str) -> list[ast.FunctionDef]:
    """The functions of a definition, and of what it makes use of."""
    return [node for node in nodes_of(tree, of) if isinstance(node, ast.FunctionDef)]


def nodes_asked(tree: ast.Module, of: str) -> Iterator[ast.AST]:
    """All that the function that was asked, or a class's `forward`, is written in."""
    for function in asked(tree, of):
        yield from walk(function)


def own_nodes(function: ast.FunctionDef) -> list[ast.AST]:
    """What a function is written in, but for what has names of its own, which may be those of what is around it."""
    inner = [node for node in walk(function) if isinstance(node, OF_ITS_OWN) and node is not function]
    below = {id(node) for each in inner for node in walk(each)}
    return [node for node in walk(function) if id(node) not in below]


def nodes_of_init(tree: ast.Module, of: str) -> Iterator[ast.AST]:
    """All that a class's `__init__` is written in."""
    for init in methods(tree, of, "__init__"):
        yield from walk(init)


def first(statements: Sequence[Statement], pattern: re.Pattern[str] | str) -> Statement | None:
    """The first statement whose text matches."""
    return next((s for s in statements if re.search(pattern, s.text)), None)


def last(statements: Sequence[Statement], pattern: re.Pattern[str] | str) -> Statement | None:
    """The last statement whose text matches."""
    return first(list(reversed(statements)), pattern)


def called_by(some: Sequence[Statement], statements: Sequence[Statement]) -> list[Statement]:
    """The statements of other functions of the file that some statements call by their names."""
    called = {name for s in some for name in CALLED.findall(s.text)}
    return [s for s in statements if not s.is_own and s.function in called]


def outside_init(statements: Sequence[Statement]) -> list[Statement]:
    """What happens when it is called, rather than when it is made."""
    return [s for s in statements if s.function != "__init__"]


def handing(statements: Sequence[Statement], parameter: str, given: str) -> Statement | None:
    """The first statement of the definition's own that hands a parameter of such a name such a thing."""
    own = (s for s in statements if s.is_own)
    return next((s for s in own if any(re.search(parameter, p) and re.search(given, g) for p, g in s.handed)), None)


def is_unread(statement: Statement, statements: Sequence[Statement]) -> bool:
    """Whether a statement gives something a name that no other one reads."""
    names = "|".join(map(re.escape, TARGET.findall(INDEX.sub("", statement.target))))
    reading = re.compile(rf"(?<![\w.])(?:{names})\b(?! = )")
    return bool(names) and not any(reading.search(s.text) for s in statements if s is not statement)


def maker_of(name: str, statements: Sequence[Statement]) -> Statement | None:
    """The statement that gives a variable, or an attribute, its value."""
    return next((s for s in statements if s.target and bare_name(s.target) == name), None)


def bare_name(target: str) -> str:
    """What is assigned to, without an index and without `self.`."""
    return target.split("[")[0].removeprefix("self.")


def maker(tree: ast.Module, of: str, slot: str) -> Statement | None:
    """The statement that gives a module what a slot is called after, or else what that lies in; None for none."""
    made = [s for s in statements_of(tree, of) if s.value != "None"]
    for place, part in reversed([*enumerate(paths.parts(paths.layer(slot)))]):
        name = re.escape(part)
        called = re.compile(rf"self\.({name}$|(register_parameter|register_buffer|add_module)\('{name}')")
        some = [s for s in made if not s.is_own] if place else made
        if found := next((s for s in some if any(map(called.match, _targets(s)))), None):
            return found
    return next((s for s in made if s.is_own and _is_numbered_by(s, paths.parts(slot)[0])), None)


def _targets(statement: Statement) -> list[str]:
    """What a statement gives something to, one by one; the statement itself where it gives nothing a name."""
    return statement.target.strip("()").split(", ") if statement.target else [statement.text]


def _is_numbered_by(statement: Statement, name: str) -> bool:
    """Whether a statement keeps something under a name into which it puts a number, and that may be this one."""
    found = NUMBERED.search(statement.text)
    return found is not None and name.startswith(found[1]) and name[len(found[1]) :].isdigit()


def making(made: Statement, statements: Sequence[Statement]) -> list[Statement]:
    """All statements but those that give a module something else than one of them does."""
    own = bare_name(made.target)
    return [s for s in statements if s is made or bare_name(s.target) == own or not s.target.startswith("self.")]


def last_return(statements: Sequence[Statement]) -> Statement | None:
    """Where the definition itself hands something back for the last time."""
    return next((s for s in reversed(statements) if s.is_return and s.is_own), None)


def end(statements: Sequence[Statement]) -> Statement | None:
    """What `forward` hands back; of a function the last statement."""
    own = [s for s in statements if s.is_own]
    return last([s for s in own if s.function == "forward" and s.is_return], "") or (own[-1] if own else None)
