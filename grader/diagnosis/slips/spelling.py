"""What a name was meant for that is misspelt, or that nobody imported: one of torch's, or of the student's own."""

from __future__ import annotations

import ast
import builtins
import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from grader.diagnosis.places.statements import methods
from grader.diagnosis.slips.vocabulary import (
    API,
    BARE,
    IMPORTS,
    KEYWORDS,
    MODULES,
    NOTEBOOK,
    NUMPYS,
    OF_DIMS,
    OF_LAYERS,
    OF_MODULES,
    OF_NN,
    OF_TORCH,
)
from grader.diagnosis.source.used import definitions_of
from grader.model.observation import Fault
from grader.model.pack import Definition, short_of
from grader.model.syntax import Definition as Defined
from grader.model.syntax import arguments_in, dotted, read_in, stored_in, walk
from grader.words import say

# A class of another exercise's, such as `CausalAttention`.
OF_A_CLASS = re.compile(r"[A-Z][a-z]+[A-Z]\w*")
OF_KEYWORDS = re.compile(r"required positional argument|unexpected keyword|invalid combination of arguments")
# What was written for `__init__`, with fewer underscores or a letter less.
LIKE_INIT = {"init", "int", "inti", "ini"}
NUMBERED = re.compile(r"_\d+$")
NEAR, NEAR_API = 0.8, 0.74
# What nothing else reads was made to be read: `querys` where `queries` lacks.
NEAR_UNREAD = 0.7
# To compare names takes time, and whose they are decides how many there are.
LONGEST_NAME, MOST_NAMES = 60, 1000
UNDEFINED = re.compile(r"name '(\w+)' is not defined")
NO_ATTRIBUTE = re.compile(r"has no attribute '(\w+)'")
# What is no tensor, no module and no file has none of their names, so that none of these is misspelt there.
OF_PYTHONS = re.compile(r"^'(NoneType|float|int|bool|str|tuple|list|dict|set|range|function|method)' object has no")
AN_OBJECTS = re.compile(r"^'(\w+)' object has no")
NO_MODULE = re.compile(r"No module named '(\w+)'")
NO_EXERCISE = re.compile(r"No module named '(?:exercises\.)?(\w+)'")
NOT_IMPORTED = re.compile(r"^cannot import name '(\w+)' from 'exercises\.")
OWN_ARGUMENT = re.compile(r"^(?:(\w+)\.)?(\w+)\(\) got an unexpected keyword argument '(\w+)'$")
MISSPELT = {"AttributeError": NO_ATTRIBUTE, "NameError": UNDEFINED}


def meant(fault: Fault, own: Collection[str] = ()) -> str:
    """Which of torch's names, or which module, a misspelt one may have been meant for; or what has to be imported.

    own: names of the student's; nothing is said where one of these is nearer, which `meant_of_own` says.
    """
    if fault.type == "ModuleNotFoundError" and (absent := NO_MODULE.match(fault.message)):
        nearest = near(absent[1], MODULES, NEAR_API)
        return say("judge.did-you-mean", name=nearest) if nearest else ""
    found = MISSPELT.get(fault.type)
    misspelt = found.search(fault.message) if found else None
    if misspelt is None or len(misspelt[1]) > LONGEST_NAME or of_pythons(fault):
        return ""
    if fault.type == "NameError" and misspelt[1] in NUMPYS:
        return ""
    if fault.type == "NameError" and misspelt[1] in IMPORTS:
        return say("judge.not-imported", line=IMPORTS[misspelt[1]])
    if fault.type == "NameError" and misspelt[1] in NOTEBOOK:
        return ""  # which nobody misspells one of torch's as
    known = BARE if fault.type == "NameError" else torchs(fault)
    if near(misspelt[1], {*known, *own}) not in ("", *known):
        return ""
    nearest = near(misspelt[1], known, NEAR_API)
    # An object's `dropout` and a variable `linear` are the student's own; a module's `linear` is torch's.
    is_own = nearest.lower() == misspelt[1].lower() and not fault.message.startswith("module ")
    if nearest and nearest != misspelt[1] and not is_own:
        return say("judge.did-you-mean", name=nearest)
    if fault.type == "NameError" and misspelt[1] in OF_NN | OF_TORCH:
        whole = f"{'nn' if misspelt[1] in OF_NN else 'torch'}.{misspelt[1]}"
        return say("judge.did-you-mean", name=whole)
    is_anothers = misspelt[1] in API or (not nearest and OF_A_CLASS.fullmatch(misspelt[1]))
    return say("judge.neither-defined-nor-imported") if fault.type == "NameError" and is_anothers else ""


def misspelt_keyword(fault: Fault, calls: Iterable[ast.Call]) -> str:
    """Which name of an argument of torch's is meant by one that it has not; "" for none. calls: of the failed line."""
    if fault.type != "TypeError" or not OF_KEYWORDS.search(fault.message):
        return ""
    torchs = (each for each in calls if isinstance(each.func, ast.Attribute) and each.func.attr not in OF_DIMS)
    torchs = (each for each in torchs if not dotted(each.func).startswith("self."))  # which is the student's own
    for call in torchs:
        is_layer = dotted(call.func).rpartition(".")[2][:1].isupper()
        known = OF_LAYERS if is_layer else KEYWORDS
        for given in (keyword.arg for keyword in call.keywords if keyword.arg):
            if given not in known and (meant := near(given, known, NEAR_API)):
                return meant
    return ""


def misspelt_class(fault: Fault, calls: Iterable[ast.Call]) -> str:
    """Which class of torch.nn's is meant where a module of its own is called; "" for none."""
    for call in calls if fault.message == "'module' object is not callable" else ():
        owner, _, name = dotted(call.func).rpartition(".")
        if owner and name.capitalize() in OF_NN and not name[:1].isupper():
            return f"{owner}.{name.capitalize()}"
    return ""


def meant_of_own(fault: Fault, tree: ast.Module, of: str, definitions: Mapping[str, Definition]) -> str:
    """The name of the student's own, or of an exercise's, that an unknown name or attribute is nearly spelt like.

    Or an argument. definitions: what the exercises ask for, by its name.
    """
    if fault.type == "TypeError" and (found := OWN_ARGUMENT.match(fault.message)):
        owner, name, given = found.groups()
        beside = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
        functions = methods(tree, owner, name) if owner else beside
        return near(given, {each for one in functions for each in arguments_in(one.args)} - {"self"})
    if fault.type == "ModuleNotFoundError" and (found := NO_EXERCISE.match(fault.message)):  # its number is enough
        exercises = {short_of(asked.exercise): asked.exercise for asked in definitions.values()}
        numbered = exercises.get(short_of(found[1]), "")
        return "" if numbered == found[1] else numbered
    if fault.type == "ImportError" and (found := NOT_IMPORTED.search(fault.message)):
        return near(found[1], definitions.keys() - {found[1]})
    pattern = MISSPELT.get(fault.type)
    found = pattern.search(fault.message) if pattern else None
    own = own_names(fault, tree, of, definitions)
    if found is None or meant(fault, own):
        return ""
    is_name = fault.type == "NameError"
    unread = {name for each in definitions_of(tree, of) for name in _unread(each)} if is_name else set()
    return near(found[1], own) or near(found[1], unread - {found[1]}, NEAR_UNREAD)


def own_names(fault: Fault, tree: ast.Module, of: str, definitions: Collection[str] = ()) -> set[str]:
    """The student's own names that an unknown name or attribute may have been meant for."""
    if fault.type == "AttributeError" and (found := NO_ATTRIBUTE.search(fault.message)):
        is_own = f"'{of}' object" in fault.message
        known = own_attributes(tree) | {method.name for method in methods(tree, of)} if is_own else set()
        owner = AN_OBJECTS.match(fault.message)
        if not is_own and owner and owner[1] in definitions:  # which this one asks for the same as others
            nodes = (node for part in definitions_of(tree, of) for node in walk(part))
            known = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    elif fault.type == "NameError" and (found := UNDEFINED.search(fault.message)):
        known = {name for each in definitions_of(tree, of) for name in _assigned(each)} | callables(tree, found[1])
    else:
        return set()
    return known - {found[1]}


def absent_attribute(fault: Fault, tree: ast.Module, of: str) -> str:
    """The attribute that a class asks itself for and that nothing in the file sets or misspells; "" for none."""
    found = NO_ATTRIBUTE.search(fault.message) if f"'{of}' object" in fault.message else None
    is_set = found is not None and found[1] in own_attributes(tree)
    return found[1] if found and not is_set and not meant(fault) else ""


def near(name: str, known: Collection[str], cutoff: float = NEAR) -> str:
    """Which of these a name is spelt nearly like, of which only so many are tried as people write; "" for none.

    Two letters that changed places are one slip of the finger, however short the name is.
    """
    short = sorted(each for each in known if len(each) <= LONGEST_NAME)[:MOST_NAMES]
    pairs = range(len(name) - 1 if 2 < len(name) <= LONGEST_NAME else 0)
    exchanged = {f"{name[:at]}{name[at + 1]}{name[at]}{name[at + 2 :]}" for at in pairs} - {name}
    if meant := next((each for each in short if each in exchanged), ""):
        return meant
    found = difflib.get_close_matches(name, short, 1, cutoff) if len(name) <= LONGEST_NAME else []
    return next(iter(found), "")


def of_pythons(fault: Fault) -> str:
    """The type of which something was asked, where that is one of Python's own; "" else."""
    found = OF_PYTHONS.match(fault.message) if fault.type == "AttributeError" else None
    return found[1] if found else ""


def misspelt_method(tree: ast.Module, of: str) -> ast.FunctionDef | None:
    """A class's method that was to be `forward`, where it has none."""
    if any(methods(tree, of, "forward")):
        return None
    return next((method for method in methods(tree, of) if near(method.name, ["forward"], NEAR_API)), None)


def misspelt_init(tree: ast.Module, of: str) -> ast.FunctionDef | None:
    """A class's method that was to be `__init__`, where it has none."""
    if any(methods(tree, of, "__init__")):
        return None
    return next((method for method in methods(tree, of) if method.name.strip("_") in LIKE_INIT), None)


# What a class whose method is misspelt raises, how that is found, and its name.
MISSPELT_TYPES = {"NotImplementedError": (misspelt_method, "forward"), "TypeError": (misspelt_init, "__init__")}


def own_attributes(tree: ast.Module) -> set[str]:
    """Names that are set on `self`, and buffers."""
    found = set()
    for node in walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and "register" in node.func.attr:
            found |= {str(arg.value) for arg in node.args[:1] if isinstance(arg, ast.Constant)}
    return found


def of_undefined(name: str, tree: ast.Module, of: str) -> str:
    """The known mistake that an undefined name is for certain; "" where it may be another, or a slip of the finger."""
    if name in own_attributes(tree) or any(methods(tree, of, name)):
        return "self-missing" if _has_self(tree, name) else "global-variable"
    if name == "self":
        return ""
    asked = next((node for node in walk(tree) if isinstance(node, Defined) and node.name == of), ast.Module([], []))
    own = (_assigned(asked) | callables(tree, name)) - {name}
    if not NUMBERED.search(name) and (near(name, own) or near(name, _unread(asked), NEAR_UNREAD)):
        return ""  # a slip of the finger, which is told
    assigned = _assigned(tree)
    if name in assigned:  # another function's
        return "global-variable"
    if name in IMPORTS or name in API:  # which is spelt right, and not there
        return ""
    is_notebooks = name in NOTEBOOK or NUMBERED.search(name)
    if near(name, [*BARE, *imported(tree)]) and not is_notebooks:
        return "api-misspelt"
    if OF_A_CLASS.fullmatch(name) or (calls_of(tree, name) and not is_notebooks):
        return ""
    # A slip of the finger is no global: `w` for `W`, `contxt` where `context` was meant.
    words = {word for known in NOTEBOOK for word in known.split("_")}
    likely = {each.lower() for each in (*assigned, *dir(builtins), *NOTEBOOK, *words)}
    return "" if near(name.lower(), likely) and not is_notebooks else "global-variable"


def of_attribute(fault: Fault, tree: ast.Module) -> str:
    """The known mistake that an attribute which is not there is for certain; "" where it may be another."""
    found = NO_ATTRIBUTE.search(fault.message)
    if found is None or of_pythons(fault):
        return ""
    name, own = found[1], own_attributes(tree)
    is_ours = name in own or near(name, own) or name in API or name in _assigned(tree)
    return "api-misspelt" if near(name, torchs(fault), NEAR_API) and not is_ours else ""


def misspelt(fault: Fault, tree: ast.Module, of: str) -> tuple[str, str]:
    """The name that api-misspelt is about, as the source has it, and the one that is meant; "" and "" where unknown."""
    if found := MISSPELT_TYPES.get(fault.type):
        method = found[0](tree, of)
        return (method.name, found[1]) if method is not None else ("", "")
    pattern = MISSPELT.get(fault.type)
    absent = pattern.search(fault.message) if pattern else None
    if absent is None:
        return "", ""
    name = absent[1]
    if fault.type == "NameError":
        meant_by = near(name, imported(tree)) or near(name, BARE)
        owners = {
            node.value.id for node in walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        }
        is_written = name in owners or bool(calls_of(tree, name))  # else it may be a variable that nobody made
    else:
        meant_by = near(name, torchs(fault), NEAR_API)
        is_written = any(isinstance(node, ast.Attribute) and node.attr == name for node in walk(tree))
    return (name, meant_by) if meant_by and is_written else ("", "")


def torchs(fault: Fault) -> Sequence[str]:
    """Which of torch's names may be meant for an attribute that is not there: a module of one's own has few of them."""
    owner = AN_OBJECTS.match(fault.message)
    return OF_MODULES if owner and OF_A_CLASS.fullmatch(owner[1]) else API


def is_a_notebooks(name: str) -> bool:
    """Whether a name is one that a notebook has, numbered or not, and a function does not."""
    return NUMBERED.sub("", name) in NOTEBOOK


def defined(tree: ast.Module) -> set[str]:
    """The functions and classes of a file."""
    return {node.name for node in tree.body if isinstance(node, Defined)}


def calls_of(tree: ast.Module, name: str) -> list[ast.Call]:
    """Every call in a file of what has a name."""
    calls = (node for node in walk(tree) if isinstance(node, ast.Call))
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == name]


def callables(tree: ast.Module, name: str) -> set[str]:
    """The functions and classes of a file, for a name that is called; else it was to be a result's."""
    return defined(tree) if calls_of(tree, name) else set()


def imported(tree: ast.Module) -> set[str]:
    """What a file calls that which it imports."""
    imports = [node for node in walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return {(alias.asname or alias.name).split(".")[0] for node in imports for alias in node.names}


def _assigned(tree: ast.AST) -> set[str]:
    """Names that are given a value somewhere: variables and parameters."""
    return stored_in(tree) | arguments_in(tree)


def _unread(tree: ast.AST) -> set[str]:
    """Names that are given a value somewhere and read nowhere."""
    return stored_in(tree) - read_in(tree)


def _has_self(tree: ast.Module, name: str) -> bool:
    """Whether any function that reads a name, and does not make it, is a method that has `self`."""
    functions = [each for each in walk(tree) if isinstance(each, ast.FunctionDef) and name in read_in(each)]
    lacking = [each for each in functions if name not in stored_in(each) | arguments_in(each)]
    return not lacking or any("self" in arguments_in(each) for each in lacking)
