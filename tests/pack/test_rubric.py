"""A broken rubric is told with file, line and column, and all of its problems at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.model.pack import Definition, Draw, Generator, SoftmaxOf
from grader.pack.rubric import read_rubric
from grader.pack.schema import DRAW_KINDS
from grader.pack.yaml import read
from grader.plugins.registry import Plugins

from .broken import RUBRIC, changed, problems, written

RUBRIC_FILE = "ex01_scaling.yaml"


def found(tmp_path: Path, plugins: Plugins, rubric: str) -> list[str]:
    """What is wrong with this rubric of ex01_scaling."""
    return problems(written(tmp_path / "pack", {"ex01_scaling": rubric}), plugins.checks)


def test_the_sound_rubric_has_no_problem(tmp_path: Path, plugins: Plugins) -> None:
    assert found(tmp_path, plugins, RUBRIC) == []


def test_a_rubric_becomes_an_exercise(tmp_path: Path, plugins: Plugins) -> None:
    rubric = RUBRIC.replace("steps:", "after: It is a product.\nsteps:", 1)
    folder = written(tmp_path / "pack", {"ex01_scaling": rubric}).exercises

    exercise, told = read_rubric(read((folder / RUBRIC_FILE).read_text("utf-8"), RUBRIC_FILE), plugins.checks)

    assert told == []
    assert exercise is not None
    assert (exercise.id, exercise.short, exercise.title, exercise.points) == ("ex01_scaling", "ex01", "Scaling", 5)
    assert [step.id for step in exercise.steps] == ["ex01.all", "ex01.layer"]
    assert exercise.steps[1].options == {"rate": "bias", "copies": 2}
    assert exercise.mistakes == {"scale-missing": "It is not scaled."}
    assert exercise.after == "It is a product."
    assert exercise.definitions == {
        "scale": Definition("scale", "(x, factor, generator=None)", ("x", "factor", "generator"), is_class=False),
        "Layer": Definition("Layer", "(d_in, d_out, bias=False)", ("d_in", "d_out", "bias"), is_class=True),
    }
    random, wide = exercise.cases["random"], exercise.cases["wide"]
    assert random.inputs == {"x": Draw("normal", (2, 3), {"std": 1.0}), "factor": 2.0, "generator": Generator(7)}
    assert wide.construct == {"d_in": 3, "d_out": 5, "bias": True}
    assert wide.inputs == {"x": Draw("uniform", (2, 3), {"low": 0.5, "high": 1.0})}


@pytest.mark.parametrize(
    ("text", "draw"),
    [
        ("[2, 3]", Draw("normal", (2, 3), {"std": 1.0})),
        ("{normal: [4], std: 0.5}", Draw("normal", (4,), {"std": 0.5})),
        ("{zeros: []}", Draw("zeros", ())),
        ("{eye: 3}", Draw("eye", (3,))),
        ("{triangle: 3}", Draw("triangle", (3,))),
        ("{values: [[1, 2]]}", Draw("values", settings={"of": [[1, 2]]})),
        ("{lesson: embeddings.two}", Draw("lesson", settings={"of": "embeddings.two"})),
        (
            "{join: [[1, 2], {eye: 2}], axis: -1}",
            Draw("join", settings={"axis": -1}, parts=(Draw("normal", (1, 2), {"std": 1.0}), Draw("eye", (2,)))),
        ),
        ("{stack: [{eye: 2}]}", Draw("stack", parts=(Draw("eye", (2,)),))),
        ("{integer: [2, 9]}", Draw("integer", settings={"of": [2, 9]})),
        ("{repeat: {eye: 2}, times: 3}", Draw("repeat", settings={"axis": 0, "times": 3}, parts=(Draw("eye", (2,)),))),
    ],
)
def test_every_way_to_draw_a_tensor_is_understood(tmp_path: Path, plugins: Plugins, text: str, draw: Draw) -> None:
    rubric = changed(("x: {uniform: [2, 3], low: 0.5}", f"x: {text}"))
    folder = written(tmp_path / "pack", {"ex01_scaling": rubric}).exercises

    exercise, told = read_rubric(read((folder / RUBRIC_FILE).read_text("utf-8"), RUBRIC_FILE), plugins.checks)

    assert told == []
    assert exercise is not None
    assert exercise.cases["wide"].inputs == {"x": draw}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        pytest.param(
            "points: 3",
            "points: 3\n    point: 4",
            "7:5: unknown key 'point'; did you mean 'points'?",
            id="unknown key, with a suggestion",
        ),
        pytest.param(
            "title: Scaling\n", "title: Scaling\nquux: 1\n", "2:1: unknown key 'quux'", id="unknown key, like no other"
        ),
        pytest.param(
            "{uniform: [2, 3], low: 0.5}",
            "{uniform: [2, 3], lou: 0.5}",
            "30:28: unknown key 'lou'; did you mean 'low'?",
            id="unknown key, inside a tensor",
        ),
        pytest.param("points: 3", "points: 3\n    points: 4", "7:5: 'points' stands here twice", id="duplicate key"),
        pytest.param(
            "points: 3",
            "points: three",
            "6:13: points must be a whole number; found the text 'three'",
            id="word for number",
        ),
        pytest.param("points: 3", "points: 0", "6:13: points must be more than 0; found 0", id="no points"),
        pytest.param(
            "points: 3", "points: 1.5", "6:13: points must be a whole number; found the number 1.5", id="half a point"
        ),
        pytest.param(
            "title: Scaling\n",
            "title: 3\n",
            "1:8: title must be a text; found the number 3; put it in quotes",
            id="number for text",
        ),
        pytest.param("task: Make a tensor larger.\n", "", "1:1: the key 'task' is missing", id="missing key"),
        pytest.param("    points: 3\n", "", "4:5: the key 'points' is missing", id="missing key, of a step"),
        pytest.param(
            "cases: [random]",
            "cases: []",
            "9:12: cases must have at least one entry; found none",
            id="no cases",
        ),
        pytest.param(
            "x: {uniform: [2, 3], low: 0.5}",
            "x: {uniform: [2], eye: 2}",
            f"30:10: x: name exactly one kind of tensor ({', '.join(DRAW_KINDS)}); found 2",
            id="two kinds of tensor",
        ),
        pytest.param(
            "x: {uniform: [2, 3], low: 0.5}",
            "x: {low: 0.5}",
            f"30:10: x: name exactly one kind of tensor ({', '.join(DRAW_KINDS)}); found 0",
            id="no kind of tensor",
        ),
        pytest.param("d_in: 3", "d_in: no", "28:23: 'no' means false in YAML; write that, or quote it", id="no"),
        pytest.param(
            "factor: 2.0",
            "factor: 012",
            "25:15: '012' is not a plain decimal number or a word; quote it, or write it out",
            id="octal",
        ),
        pytest.param(
            "id: all",
            "id: All_of_it",
            "4:9: id must be small letters, digits and single hyphens, such as `rows-sum`, with a letter first; "
            "found the text 'All_of_it'",
            id="an id that is no word",
        ),
        pytest.param(
            "points: 3",
            "points: '3'",
            "6:13: points must be a whole number; found the text '3'; write 3 without quotes",
            id="a number in quotes",
        ),
        pytest.param(
            "cases: [random]",
            "cases: random",
            "9:12: cases must be a list; found the text 'random'; write [random]",
            id="one for a list of one",
        ),
        pytest.param(
            "points: 3",
            "points: 3\n    visibility: hiden",
            "7:17: visibility must be 'visible', 'hidden' or 'after_due_date'; found the text 'hiden'; "
            "did you mean 'hidden'?",
            id="a word of a few",
        ),
        pytest.param(
            "d_in: 3",
            "d_in: three",
            "28:23: d_in must be a number or true or false; found the text 'three'",
            id="word for any number",
        ),
        pytest.param(
            "d_in: 3",
            "d in: 3",
            "28:17: a key of construct must be a name as Python has it, such as `d_in`; found the text 'd in'",
            id="a key that is no name",
        ),
        pytest.param(
            "x: {uniform: [2, 3], low: 0.5}",
            "x: [2, -3]",
            "30:10: an entry of x must be 0 or more; found -3",
            id="a negative size",
        ),
        pytest.param(
            "x: {uniform: [2, 3], low: 0.5}",
            "x: lots",
            "30:10: x must be a shape, such as [2, 3], or a tensor, such as {eye: 4}; found the text 'lots'",
            id="a word for a tensor",
        ),
        pytest.param(
            "  scale-missing: It is not scaled.",
            "  scale-missing:",
            "32:17: scale-missing must be a text; found nothing",
            id="nothing for a text",
        ),
    ],
)
def test_a_part_of_the_wrong_form_is_told_where_it_stands(
    tmp_path: Path, plugins: Plugins, old: str, new: str, told: str
) -> None:
    assert found(tmp_path, plugins, changed((old, new))) == [f"ex01_scaling.yaml:{told}"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        pytest.param(
            "check: output",
            "check: outptu",
            "8:12: there is no check called 'outptu'; did you mean 'output'?",
            id="check",
        ),
        pytest.param(
            "of: scale",
            "of: scales",
            "7:9: there is no function or class under defines called 'scales'; did you mean 'scale'?",
            id="of",
        ),
        pytest.param("of: scale", "of: forward", "7:9: there is no function or class under defines called 'forward'"),
        pytest.param(
            "cases: [random]",
            "cases: [random, randm]",
            "9:21: there is no case called 'randm'; did you mean 'random'?",
            id="case",
        ),
        pytest.param(
            "points: 3",
            "points: 1\n    stages: [large]\n    credit: {large: 1}",
            "8:21: large must be more than 0 and less than the step's points, 1; found 1",
            id="credit for all of it",
        ),
        pytest.param(
            "points: 3",
            "points: 3\n    stages: [large]\n    credit: {large: 0}",
            "8:21: large must be more than 0 and less than the step's points, 3; found 0",
            id="credit of nothing",
        ),
        pytest.param("id: layer", "id: all", "11:9: the step 'ex01.all' stands here twice", id="step twice"),
        pytest.param(
            "copies: 2",
            "copy: 2",
            "19:7: there is no option of the check 'dropout' called 'copy'; did you mean 'copies'?",
            id="option",
        ),
        pytest.param(
            "rate: bias",
            "rate: bais",
            "18:13: there is no argument called 'bais'; did you mean 'bias'?",
            id="option that names an argument",
        ),
        pytest.param(
            "check: dropout\n    cases: [wide]\n    with:\n      rate: bias\n      copies: 2",
            "check: kernels\n    cases: [wide]\n    with:\n      argument: x\n      values: [2]",
            "18:17: there is no argument of the constructor called 'x'",
            id="option that names an argument of the constructor",
        ),
        pytest.param(
            "copies: 2",
            "copies: two",
            "19:15: copies must be a whole number; found the text 'two'",
            id="word for a number",
        ),
        pytest.param("rate: bias", "rate: 3", "18:13: rate must be a text; found the number 3", id="number for a word"),
        pytest.param(
            "d_in: 3, d_out: 5",
            "d_out: 5, d_in: 3",
            "28:16: construct are d_out, d_in, bias; Layer takes d_in, d_out, bias",
            id="constructor arguments in another order",
        ),
        pytest.param(
            "      x: [2, 3]\n      factor: 2.0\n",
            "      factor: 2.0\n      x: [2, 3]\n",
            "24:7: inputs are factor, x, generator; scale takes x, factor, generator",
            id="arguments in another order",
        ),
        pytest.param(
            "factor: 2.0",
            "times: 2.0",
            "24:7: inputs are x, times, generator; scale takes x, factor, generator",
            id="an argument that there is none of",
        ),
        pytest.param(
            '"class (d_in, d_out, bias=False)"',
            '"(d_in, d_out, bias=False)"',
            "30:7: inputs are x; Layer takes d_in, d_out, bias",
            id="a class that is called a function",
        ),
    ],
)
def test_a_name_that_leads_nowhere_is_told_where_it_stands(
    tmp_path: Path, plugins: Plugins, old: str, new: str, told: str
) -> None:
    assert found(tmp_path, plugins, changed((old, new))) == [f"ex01_scaling.yaml:{told}"]


def test_a_signature_that_is_none_is_told(tmp_path: Path, plugins: Plugins) -> None:
    told = found(tmp_path, plugins, changed(("(x, factor, generator=None)", "(x, factor, generator=)")))

    assert "ex01_scaling.yaml:34:10: '(x, factor, generator=)' is no signature" in told


def test_a_case_that_no_step_uses_is_told(tmp_path: Path, plugins: Plugins) -> None:
    rubric = changed(("mistakes:", "  idle:\n    inputs:\n      x: [2, 3]\nmistakes:"))

    assert found(tmp_path, plugins, rubric) == ["ex01_scaling.yaml:31:3: no step uses the case 'idle'"]


def test_an_option_that_is_a_whole_number_does_for_a_float(tmp_path: Path, plugins: Plugins) -> None:
    rubric = changed(("check: output", "check: output\n    with: {minus_infinity: -5}"))

    assert found(tmp_path, plugins, rubric) == []


def test_fewer_than_three_hints_are_told(tmp_path: Path, plugins: Plugins) -> None:
    first = RUBRIC.replace("hints: [one, two, three]", "hints: [one]", 1)

    (told,) = found(tmp_path, plugins, first)

    assert told.startswith("ex01_scaling.yaml:10:12: hints must have at least 3 entries; found 1")


def test_a_rubric_that_is_a_list_is_told(tmp_path: Path, plugins: Plugins) -> None:
    (told,) = found(tmp_path, plugins, "- title\n- task\n")

    assert told == "ex01_scaling.yaml:1:1: the file must be keys with their values; found a list"


def test_every_key_that_is_missing_is_told(tmp_path: Path, plugins: Plugins) -> None:
    told = found(tmp_path, plugins, changed(("    points: 3\n    of: scale\n", "")))

    assert told == [f"ex01_scaling.yaml:4:5: the key {key!r} is missing" for key in ("of", "points")]


def test_everything_that_is_wrong_is_told_at_once(tmp_path: Path, plugins: Plugins) -> None:
    rubric = changed(
        ("check: output", "check: outptu"),
        ("of: Layer", "of: Lager"),
        ("cases: [wide]", "cases: [wide, wider]"),
        ("copies: 2", "copies: two"),
    )

    places = [line.split(": ")[0] for line in found(tmp_path, plugins, rubric)]

    assert places == [f"ex01_scaling.yaml:{place}" for place in ("8:12", "14:9", "16:19", "19:15")]


def test_every_form_that_is_wrong_is_told_at_once(tmp_path: Path, plugins: Plugins) -> None:
    rubric = changed(("points: 3", "points: three"), ("    title: A layer\n", ""), ("low: 0.5", "lou: 0.5"))

    places = [line.split(": ")[0] for line in found(tmp_path, plugins, rubric)]

    assert places == [f"ex01_scaling.yaml:{place}" for place in ("6:13", "11:5", "29:28")]


def test_two_broken_rubrics_are_told_at_once(tmp_path: Path, plugins: Plugins) -> None:
    broken = changed(("points: 3", "points: 0"))
    source = written(tmp_path / "pack", {"ex01_first": broken, "ex02_second": broken})

    files = [line.split(":")[0] for line in problems(source, plugins.checks)]

    assert files == ["ex01_first.yaml", "ex02_second.yaml"]


def test_an_argument_called_generator_is_told_where_it_stands(tmp_path: Path, plugins: Plugins) -> None:
    rubric = changed(("{generator: 7}", "{generator: seven}"))

    (told,) = found(tmp_path, plugins, rubric)

    assert told.startswith("ex01_scaling.yaml:26:30: ")


def test_one_mistake_is_told_once(tmp_path: Path, plugins: Plugins) -> None:
    (told,) = found(tmp_path, plugins, changed(("d_in: 3", "d_in: three")))

    assert told.startswith("ex01_scaling.yaml:28:23: ")


def test_a_case_that_two_steps_use_is_told_once(tmp_path: Path, plugins: Plugins) -> None:
    again = "  - {id: again, title: A, points: 1, of: scale, check: output, cases: [random], hints: [a, b, c]}\n"
    rubric = changed(("factor: 2.0", "times: 2.0"), ("cases:\n  random", again + "cases:\n  random"))

    (told,) = found(tmp_path, plugins, rubric)

    assert told.startswith("ex01_scaling.yaml:25:7: inputs are x, times")


@pytest.mark.parametrize("draw", ["[2, -3]", "{eye: -3}", "{triangle: -3}"])
def test_a_negative_size_is_told(tmp_path: Path, plugins: Plugins, draw: str) -> None:
    (told,) = found(tmp_path, plugins, changed(("{uniform: [2, 3], low: 0.5}", draw)))

    assert told.startswith("ex01_scaling.yaml:30:")


@pytest.mark.parametrize("draw", ["{eye: 3, std: 2.0}", "{normal: [2], low: 0.5}", "{uniform: [2], times: 3}"])
def test_a_setting_of_another_kind_of_tensor_is_told(tmp_path: Path, plugins: Plugins, draw: str) -> None:
    (told,) = found(tmp_path, plugins, changed(("{uniform: [2, 3], low: 0.5}", draw)))

    assert told.startswith("ex01_scaling.yaml:30:")


NAMED = "axes: {x: [N, d_in]}\nsizes: [N * d_in, d_out / N]\nsteps:"


def test_axes_and_sizes_are_read(tmp_path: Path, plugins: Plugins) -> None:
    folder = written(tmp_path / "pack", {"ex01_scaling": changed(("steps:", NAMED))}).exercises

    exercise, told = read_rubric(read((folder / RUBRIC_FILE).read_text("utf-8"), RUBRIC_FILE), plugins.checks)

    assert told == []
    assert exercise is not None
    assert exercise.axes == {"x": ("N", "d_in")}
    assert exercise.sizes == ("N * d_in", "d_out / N")


@pytest.mark.parametrize(
    ("was", "becomes", "told"),
    [
        ("{x: [N, d_in]}", "{y: [N, d_in]}", "there is no input called 'y'"),
        ("d_out / N", "d_aut / N", "there is no axis or argument called 'd_aut'; did you mean 'd_out'?"),
        ("d_out / N", "d_out - N", "must be names with ` * ` or ` / ` between them, such as `B * T`"),
    ],
)
def test_axes_and_sizes_of_nothing_are_told(
    tmp_path: Path, plugins: Plugins, was: str, becomes: str, told: str
) -> None:
    rubric = changed(("steps:", NAMED.replace(was, becomes)))

    (problem,) = found(tmp_path, plugins, rubric)

    assert told in problem


DRAWN = "cases: [random]\n    stages: [scores, scaled]\n    softmax: {of: [scores, scaled], case: random}\n"


def test_a_softmax_to_be_drawn_is_read(tmp_path: Path, plugins: Plugins) -> None:
    folder = written(tmp_path / "pack", {"ex01_scaling": changed(("cases: [random]\n", DRAWN))}).exercises

    exercise, told = read_rubric(read((folder / RUBRIC_FILE).read_text("utf-8"), RUBRIC_FILE), plugins.checks)

    assert told == []
    assert exercise is not None
    assert exercise.steps[0].softmax == SoftmaxOf(("scores", "scaled"), "random")
    assert exercise.steps[1].softmax is None


@pytest.mark.parametrize(
    ("was", "becomes", "told"),
    [
        ("of: [scores, scaled]", "of: [scores, scaleb]", "11:28: there is no stage of this step called 'scaleb'; did"),
        ("of: [scores, scaled]", "of: [scaled, scaled]", "11:28: the stage 'scaled' stands here twice"),
        ("of: [scores, scaled]", "of: [scores]", "11:19: of must have at least 2 entries; found 1"),
        ("case: random", "case: wide", "11:43: there is no case of this step called 'wide'"),
        ("case: random", "kase: random", "11:37: unknown key 'kase'; did you mean 'case'?"),
        ("of: [scores, scaled]", "of: [scaled, scores]", "11:28: the last is to be 'scaled', the step's last stage"),
    ],
)
def test_a_softmax_of_what_the_step_lacks_is_told(
    tmp_path: Path, plugins: Plugins, was: str, becomes: str, told: str
) -> None:
    problems = found(tmp_path, plugins, changed(("cases: [random]\n", DRAWN.replace(was, becomes))))

    assert any(problem.startswith(f"ex01_scaling.yaml:{told}") for problem in problems), problems


def test_what_no_stage_is_called_has_no_meaning(tmp_path: Path, plugins: Plugins) -> None:
    (problem,) = found(tmp_path, plugins, changed(("steps:", "meanings: {scores: what it is}\nsteps:")))

    assert "there is no stage of any step called 'scores'" in problem
