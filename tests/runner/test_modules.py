"""While it is graded, `exercises` is the submission: one module object, whatever it is called."""

from __future__ import annotations

import pytest

from grader.model.observation import Ending
from grader.model.run import OWN, Call, Import, Made, Make, Tensor, Value, World

from .asking import EX, OTHER, X, call, load, observe, saying, sources, text
from .conftest import Ask


def test_every_way_to_import_a_module_gives_one_object(solve: Ask) -> None:
    solver = solve(
        sources(
            (EX, "class Head: ...\n"),
            (OTHER, f"""
                import {EX} as bare
                import exercises.{EX} as dotted
                from exercises import {EX} as named
                from . import {EX} as relative
                from .{EX} import Head as from_relative
                from {EX} import Head as from_bare
                def f(x):
                    assert bare is dotted is named is relative
                    assert from_relative is from_bare is bare.Head
                    return x
            """),
        )
    )  # fmt: skip

    seen = observe(solver, call("f", "x", module=OTHER), x=X)

    assert seen.fault is None


def test_a_bare_import_first_gives_the_same_object(solve: Ask) -> None:
    reader = f"""
        import {EX}
        {EX}.loads.append(1)
        import exercises.{EX} as again
        def f(x): return x + len(again.loads)
    """
    solver = solve(sources((EX, "loads = []\n"), (OTHER, reader)))

    seen = observe(solver, call("f", "x", module=OTHER), x=X)

    assert seen.tensors["result"].tolist() == (X + 1).tolist()


@pytest.mark.parametrize("name", ["torch", "json", "safetensors", "numpy", "os", "grader"])
def test_a_module_called_like_something_installed_changes_nothing(solve: Ask, name: str) -> None:
    source = f"import {name}\nimport torch\ndef f(x): return torch.exp(x) * (not hasattr({name}, 'mine'))\n"
    solver = solve(sources((EX, source), (name, "mine = True\nraise SystemExit\n")))

    seen = observe(solver, call("f", "x"), x=0 * X)

    assert seen.tensors["result"].tolist() == (0 * X + 1).tolist()


def test_a_module_called_like_something_installed_is_there_under_exercises(solve: Ask) -> None:
    solver = solve(
        sources((EX, "from exercises.torch import mine\ndef f(x): return x + mine\n"), ("torch", "mine = 5\n"))
    )

    assert observe(solver, call("f", "x"), x=X).tensors["result"].tolist() == (X + 5).tolist()


def test_the_students_own_other_modules_can_be_imported(solve: Ask) -> None:
    solver = solve(
        sources((EX, "import extra\ndef f(x): return extra.double(x)\n"), extra="def double(x): return 2 * x\n")
    )

    assert observe(solver, call("f", "x"), x=X).tensors["result"].tolist() == (2 * X).tolist()


def test_two_modules_that_import_each_other_are_told_as_python_tells_it(solve: Ask) -> None:
    solver = solve(sources((EX, f"from {OTHER} import g\n"), (OTHER, f"from {EX} import f\n")))

    fault = load(solver).fault

    assert fault is not None
    assert (fault.type, fault.frames[0].file) == ("ImportError", f"{EX}.py")


def test_a_module_that_fails_to_load_does_not_spoil_another(solve: Ask) -> None:
    solver = solve(sources((EX, "1 / 0\n"), (OTHER, "def f(x): return x\n")))

    broken = load(solver)
    seen = observe(solver, call("f", "x", module=OTHER), x=X)

    assert broken.fault is not None
    assert seen.fault is None


def test_the_source_of_a_module_can_be_read_by_those_who_look_for_it(solve: Ask) -> None:
    solver = solve(saying("import inspect\ndef f():\n    return say(inspect.getsource(f).strip())\n"))

    assert text(observe(solver)) == "def f():\n    return say(inspect.getsource(f).strip())"


@pytest.mark.parametrize("apart", ["\f\n", "# \u2028\n", "# \x85\n", "# \x0b\n", "# \x1c\n"])
def test_what_ends_no_line_for_python_ends_none_of_the_source_that_is_read_back(solve: Ask, apart: str) -> None:
    solver = solve(saying(f"import inspect\n{apart}def f():\n    return say(inspect.getsource(f).strip())\n"))

    assert text(observe(solver)) == "def f():\n    return say(inspect.getsource(f).strip())"


@pytest.mark.parametrize(
    "module", ["solutions", "solutions.reference", "tests", "benchmarks", "exercises.ex03_context_vectors"]
)
def test_what_a_student_may_not_see_cannot_be_imported(solve: Ask, module: str) -> None:
    fault = load(solve(sources((EX, f"import {module}\n")))).fault

    assert fault is not None
    assert fault.type == "ModuleNotFoundError"


def test_a_missing_exercise_is_never_the_stub(solve: Ask) -> None:
    fault = load(solve(sources((EX, "def f(x): return x\n"))), OTHER).fault

    assert fault is not None
    assert (fault.type, fault.message) == ("ModuleNotFoundError", f"No module named 'exercises.{OTHER}'")


def test_the_import_path_holds_installed_packages_alone(solve: Ask) -> None:
    solver = solve(saying("import os, sys\ndef f():\n    return say(os.pathsep.join(sys.path))\n"))

    paths = text(observe(solver)).split(":")

    assert paths
    assert all("python3" in path for path in paths)
    assert not any(path.endswith(("/main", "/exercises", "/solutions", "/tests")) for path in paths)


# Stand-ins.

HEAD = """
    from torch import nn
    class Head(nn.Module):
        def __init__(self, factor):
            super().__init__()
            self.factor = factor
        def forward(self, x):
            return {formula}
"""
WRAPPER = f"""
    from {EX} import Head
    def f(x):
        return Head(1)(x)
"""


def formula(text: str) -> str:
    return HEAD.replace("{formula}", text)


def test_a_stand_in_takes_the_place_of_a_module_for_those_that_import_it(solve: Ask) -> None:
    modules = sources((EX, formula("0 * x")), (OTHER, WRAPPER))
    solver = solve(modules, sources((EX, formula("3 * x"))))
    world = World(frozenset({EX}), OTHER)

    own = observe(solver, call("f", "x", module=OTHER), x=X)
    helped = observe(solver, call("f", "x", module=OTHER), world=world, x=X)

    assert own.tensors["result"].tolist() == (0 * X).tolist()
    assert helped.tensors["result"].tolist() == (3 * X).tolist()


def test_a_stand_in_never_takes_the_place_of_the_exercise_that_is_asked(solve: Ask) -> None:
    modules = sources((EX, formula("2 * x") + "\n    def f(x): return Head(1)(x)\n"))
    solver = solve(modules, sources((EX, formula("3 * x"))))

    seen = observe(solver, call("f", "x"), world=World(frozenset({EX}), EX), x=X)

    assert seen.tensors["result"].tolist() == (2 * X).tolist()


def test_what_is_made_for_a_function_is_the_stand_ins(solve: Ask) -> None:
    solver = solve(sources((EX, formula("0 * x")), (OTHER, "")), sources((EX, formula("3 * x"))))
    run = (Make("head", EX, "Head", (Value(1),)), Call("result", of="head", arguments=(Tensor("x"),)))

    seen = observe(solver, *run, world=World(frozenset({EX}), OTHER), x=X)

    assert seen.tensors["result"].tolist() == (3 * X).tolist()


def test_what_is_made_is_of_the_class_that_the_exercise_imports(solve: Ask) -> None:
    asking = f"from {EX} import Head\ndef f(head, x): return x + isinstance(head, Head)\n"
    solver = solve(sources((EX, formula("0 * x")), (OTHER, asking)), sources((EX, formula("3 * x"))))
    call_ = Call("result", module=OTHER, definition="f", arguments=(Made("head"), Tensor("x")))

    for world in (OWN, World(frozenset({EX}), OTHER)):
        seen = observe(solver, Make("head", EX, "Head", (Value(1),)), call_, world=world, x=X)

        assert seen.tensors["result"].tolist() == (X + 1).tolist()


def test_a_stand_in_is_nowhere_but_in_a_world_that_has_it(solve: Ask) -> None:
    looking = f"""
        import gc, importlib.util
        def f():
            held = [each for each in gc.get_objects() if type(each) is dict and "stand_ins.{OTHER}" in each]
            return say((importlib.util.find_spec("stand_ins.{OTHER}") is not None, len(held)))
    """
    solver = solve(saying(looking, (OTHER, "")), sources((OTHER, "")))

    before = text(observe(solver))
    during = text(observe(solver, world=World(frozenset({OTHER}), EX)))
    after = text(observe(solver))

    assert (before, after) == ("(False, 0)", "(False, 0)")
    assert during.startswith("(True, ")


def test_a_stand_in_serves_where_the_students_module_does_not_load(solve: Ask) -> None:
    solver = solve(sources((EX, "def f(:\n"), (OTHER, WRAPPER)), sources((EX, formula("3 * x"))))

    seen = observe(solver, call("f", "x", module=OTHER), world=World(frozenset({EX}), OTHER), x=X)

    assert seen.tensors["result"].tolist() == (3 * X).tolist()


def test_each_world_has_modules_of_its_own_and_finds_them_again(solve: Ask) -> None:
    counting = f"""
        import sys
        from {OTHER} import whose
        def f():
            from {OTHER} import calls
            calls.append(1)
            return say((whose, len(calls), sys.modules[__name__].f is f))
    """
    solver = solve(
        saying(counting, (OTHER, "calls, whose = [], 'own'")), sources((OTHER, "calls, whose = [], 'other'"))
    )
    other = World(frozenset({OTHER}), EX)

    said = [text(observe(solver, world=world)) for world in (OWN, other, OWN, other, other)]

    assert said == [str((*each, True)) for each in (("own", 1), ("other", 1), ("own", 2), ("other", 2), ("other", 3))]


def test_what_is_installed_is_the_same_in_each_world(solve: Ask) -> None:
    modules = saying("import json\ndef f():\n    return say(id(json))\n", ("json", "raise SystemExit"), (OTHER, ""))
    solver = solve(modules, sources((OTHER, "")))

    assert text(observe(solver)) == text(observe(solver, world=World(frozenset({OTHER}), EX)))


def test_a_line_of_a_stand_in_is_never_called_the_students(solve: Ask) -> None:
    modules = sources((EX, "def f(x): return x\n"), (OTHER, f"from {EX} import f as g\ndef f(x): return g(x)\n"))
    solver = solve(modules, sources((EX, "\n\ndef f(x): return x.nothing\n")))

    seen = observe(solver, call("f", "x", module=OTHER), world=World(frozenset({EX}), OTHER), x=X)

    assert seen.fault is not None
    assert [(frame.file, frame.line) for frame in seen.fault.frames] == [(f"{OTHER}.py", 2)]


def test_importing_is_an_action_of_its_own(solve: Ask) -> None:
    solver = solve(sources((EX, "x = 1\n")))

    seen = observe(solver, Import(EX))

    assert (seen.ending, seen.fault, seen.returned) == (Ending.ANSWERED, None, {})


DEMO = """
def f(x): return x + 1
def shows(x): raise ValueError("a demo")
print(shows(3))
def g(x): return x
"""


def test_what_stands_before_and_behind_demo_code_that_fails_can_be_asked(solve: Ask) -> None:
    solver = solve(sources((EX, DEMO)))

    assert observe(solver, call("f", "x"), x=X).tensors["result"].tolist() == (X + 1).tolist()
    assert observe(solver, call("g", "x"), x=X).tensors["result"].tolist() == X.tolist()


def test_what_stands_before_demo_code_that_ends_the_program_can_be_asked(solve: Ask) -> None:
    solver = solve(sources((EX, DEMO.replace("print(shows(3))", "raise SystemExit(3)"))))

    assert observe(solver, call("f", "x"), x=X).tensors["result"].tolist() == (X + 1).tolist()
    missing = observe(solver, call("g", "x"), x=X).fault
    assert missing is not None
    assert (missing.kind, missing.type, missing.frames[0].line) == ("exit", "SystemExit", 4)


NEEDED = """
from __future__ import annotations
first = 1; table = open("/nowhere/table"); last = 2
import of_nobody.deep as deep
@deep.cached
def decorated(x): return x
def f(x: Missing) -> Missing: return x + table
def g(x): return decorated(x)
def h(x): return deep.h(x)
def unset(x): return x + nowhere
def guarded(x): return x * first * last
late = guarded.missing
match [][0]:
    case [head, *rest]:
        def inner(): slipped = 1
def matched(x): return x + head
def slip(x): return x + slipped
import sys; sys.exit()
def below(x): return x
"""


@pytest.mark.parametrize(
    ("name", "type", "line"),
    [
        pytest.param("f", "FileNotFoundError", 3, id="a name on a line of several statements"),
        pytest.param("g", "ModuleNotFoundError", 4, id="what raised for want of another"),
        pytest.param("h", "ModuleNotFoundError", 4, id="an import"),
        pytest.param("late", "AttributeError", 12, id="a name that is itself asked for"),
        pytest.param("below", "SystemExit", 18, id="what stands below the program's end"),
        pytest.param("matched", "IndexError", 13, id="what a pattern was to name"),
        pytest.param("slip", "NameError", 17, id="a name of another function's own"),
        pytest.param("unset", "NameError", 10, id="a name that was never to be made"),
    ],
)
def test_who_needs_what_a_statement_was_to_make_is_told_why_it_is_missing(
    name: str, type: str, line: int, solve: Ask
) -> None:
    fault = observe(solve(sources((EX, NEEDED))), call(name, "x"), x=X).fault

    assert fault is not None
    assert (fault.type, fault.frames[0].line) == (type, line)


ENDED = """
from math import *
def f(x): return inputss + x
raise SystemExit
"""


@pytest.mark.parametrize("source", [ENDED, ENDED.replace("raise SystemExit", "f(3)")])
def test_what_stands_above_is_not_missing_for_what_stands_below(source: str, solve: Ask) -> None:
    solver = solve(sources((EX, source)))
    typo, absent = (observe(solver, call(name, "x"), x=X).fault for name in ("f", "g"))

    assert typo is not None
    assert absent is not None
    assert (typo.type, typo.frames[-1].line) == ("NameError", 3)
    assert absent.kind == "missing"


@pytest.mark.parametrize("raised", ["raise NameError('q', name=['x'])", "globals().update(__stumbles__=(1,)); nowhere"])
def test_an_odd_error_is_a_fault_like_any_other(raised: str, solve: Ask) -> None:
    source = f"__spec__ = None\nprint(nowhere)\ndef f(x): return x\ndef g(x): {raised}\n"
    solver = solve(sources((EX, source)))

    fault = observe(solver, call("g", "x"), x=X).fault

    assert fault is not None
    assert (fault.kind, fault.type) == ("exception", "NameError")
    assert observe(solver, call("f", "x"), x=X).fault is None


def test_what_stands_beside_a_statement_that_failed_is_made(solve: Ask) -> None:
    seen = observe(solve(sources((EX, NEEDED))), call("guarded", "x"), x=X)

    assert seen.tensors["result"].tolist() == (X * 2).tolist()


def test_a_refusal_that_is_asked_for_is_not_what_a_statement_above_raised(solve: Ask) -> None:
    source = "def raises(): raise ValueError\ntable = raises()\ndef f(x): return table\n"
    asked = Call(name="result", module=EX, definition="f", arguments=(Tensor("x"),), may_fail=True)

    seen = observe(solve(sources((EX, source))), asked, x=X)

    assert seen.refused["result"].type == "NameError"


def test_what_demo_code_raised_is_known_of_a_module_that_loads(solve: Ask) -> None:
    solver = solve(sources((EX, DEMO), (OTHER, "def f(x): return x\n")))

    assert solver.load(EX, OWN, 10.0) is None
    assert solver.load(OTHER, OWN, 10.0) is None
    fault = solver.stumbled(EX, OWN)
    assert fault is not None
    assert (fault.type, fault.frames[0].line) == ("ValueError", 4)
    assert solver.stumbled(OTHER, OWN) is None


def test_who_imports_what_demo_code_was_to_make_is_told_of_the_demo(solve: Ask) -> None:
    importing = f"from {EX} import f\ndef h(x):\n    from {EX} import g\n    return g(f(x))\n"
    making = DEMO.replace("print(shows(3))\ndef g(x): return x", "g = shows(3)")
    solver = solve(sources((EX, making), (OTHER, importing)))

    fault = observe(solver, call("h", "x", module=OTHER), x=X).fault

    assert fault is not None
    assert (fault.type, fault.message) == ("ValueError", "a demo")


def test_a_module_that_fails_and_defines_nothing_does_not_load(solve: Ask) -> None:
    seen = solve(sources((EX, "import torch\nraise ValueError\n"))).load(EX, OWN, 10.0)

    assert seen is not None
    assert seen.fault is not None
    assert seen.fault.type == "ValueError"


@pytest.mark.parametrize(
    "importing",
    ["from utils.shift import f", "import utils.shift as shift\nf = shift.f", "from utils import shift\nf = shift.f",
     "from .utils.shift import f", "from exercises.utils.shift import f", "from utils.deep.er import f",
     "import utils.shift, exercises.utils.shift\nassert utils.shift is exercises.utils.shift\nf = utils.shift.f"],
)  # fmt: skip
def test_modules_in_folders_are_imported_as_they_are_anywhere(solve: Ask, importing: str) -> None:
    folder = {
        "utils/__init__": "from utils.deep import er\n",
        "utils/shift": "from ..one import ONE\ndef f(x): return x + ONE\n",
        "utils/deep/er": "from ..shift import *\n",
    }

    solver = solve(sources((EX, importing), *folder.items(), one="ONE = 1\n"))

    assert observe(solver, call("f", "x"), x=X).tensors["result"].tolist() == (X + 1).tolist()


def test_a_folder_of_ones_own_is_no_part_of_what_is_installed(solve: Ask) -> None:
    own = {"torch/mine": "def f(x): return x + 1\n", "torch/__init__": "softmax = None\n"}
    trying = "try:\n    from torch.mine import f\nexcept ImportError:\n    from torch import softmax\n    f = softmax\n"

    solver = solve(sources((EX, trying + "def g(x): return f(x, -1)\n"), *own.items()))

    assert observe(solver, call("g", "x"), x=X).tensors["result"].sum(-1).tolist() == pytest.approx([1.0, 1.0])


PLOTS = """
import matplotlib.pyplot as plt
import seaborn as sns
from IPython.display import display
from matplotlib import cm
fig, axes = plt.subplots(1, 2, figsize=(3, 4))
axes[0].imshow([[1]], cmap=cm.viridis)
for axis in axes.flat: axis.set_title("heads")
with plt.style.context("dark"): sns.heatmap([[1]]).set(xlabel="keys")
plt.rcParams["font.size"] = 3
fig, (left, right) = plt.subplots(nrows=1, ncols=2)
fig, ((a, b), (c, d)) = plt.subplots(2, 2)
line, = left.plot([1])
counts, bins, patches = plt.hist([1])
import matplotlib
print(matplotlib.__version__, len(fig.axes))
def f(x):
    plt.plot(x)
    display(fig)
    return x
"""


INSTALLED = """
import sys, tempfile
from pathlib import Path
folder = tempfile.mkdtemp()
Path(folder, "matplotlib.py").write_text("raise ImportError('a real one')")
sys.path.insert(0, folder)
import matplotlib.pyplot as plt
def f(x):
    plt.plot(x)
    return x
"""


def test_plots_with_a_library_that_is_installed_do_nothing_either(solve: Ask) -> None:
    seen = observe(solve(sources((EX, INSTALLED))), call("f", "x"), x=X)

    assert seen.fault is None
    assert seen.tensors["result"].tolist() == X.tolist()


def test_plots_with_a_library_that_is_not_there_do_nothing(solve: Ask) -> None:
    seen = observe(solve(sources((EX, PLOTS))), call("f", "x"), x=X)

    assert seen.fault is None
    assert seen.tensors["result"].tolist() == X.tolist()


def test_a_module_of_ones_own_may_be_called_like_a_plotting_library(solve: Ask) -> None:
    solver = solve(sources((EX, "from plotly import f\n"), plotly="def f(x): return x + 1\n"))

    assert observe(solver, call("f", "x"), x=X).tensors["result"].tolist() == (X + 1).tolist()


def test_what_does_not_draw_is_missed_as_ever(solve: Ask) -> None:
    seen = solve(sources((EX, "import sklearn_of_nobody\n"))).load(EX, OWN, 10.0)

    assert seen is not None
    assert seen.fault is not None
    assert seen.fault.type == "ModuleNotFoundError"


def test_a_name_that_stands_nowhere_is_missed_although_demo_code_failed(solve: Ask) -> None:
    fault = observe(solve(sources((EX, DEMO))), call("h", "x"), x=X).fault

    assert fault is not None
    assert (fault.kind, fault.names) == ("missing", ("f", "shows", "g"))


def test_who_imports_what_an_attribute_error_kept_from_being_made_is_told_of_it(solve: Ask) -> None:
    demo = "import torch\ndef f(x): return x\ng = torch.sofmax\n"
    importing = f"def h(x):\n    from {EX} import g\n    return g(x)\n"

    fault = observe(solve(sources((EX, demo), (OTHER, importing))), call("h", "x", module=OTHER), x=X).fault

    assert fault is not None
    assert (fault.type, "sofmax" in fault.message) == ("ImportError", True)
