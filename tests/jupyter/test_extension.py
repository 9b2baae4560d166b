"""`%load_ext grader` in a real kernel: cells are graded below themselves, and the kernel is left as it was."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.end_to_end.submissions import EX01, EX02, EX10, EX11, REFERENCE, ROOT, edited

pytestmark = pytest.mark.no_cover
LOOP = "def attention_scores_for_query(query, inputs):\n    while True:\n        pass\n"
MASKED = "masked = scaled.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)"
DROPPED = edited(EX10, (MASKED, f"{MASKED.removeprefix('masked = ')}\n        masked = scaled"))
HOSTILE = "</div></style><script>document.title=1</script><img src=x onerror=alert(1)>"
PRESSED_AT_ONCE = """
def press(message):
    get_ipython().display_pub.unregister_hook(press)
    raise KeyboardInterrupt
get_ipython().display_pub.register_hook(press)
"""
NAMES = "sorted(name for name in globals() if not name.startswith('_'))"


class Kernel(NotebookClient):  # type: ignore[misc]
    """A notebook whose cells are run as they are given. interrupt: what a cell has to show to be interrupted."""

    interrupt = ""

    def run(self, source: str, interrupt: str = "") -> Any:
        """The cell once it has been run."""
        cell = nbformat.v4.new_code_cell(source)
        self.nb.cells.append(cell)
        self.interrupt = interrupt
        return self.execute_cell(cell, len(self.nb.cells) - 1, execution_count=None)

    def process_message(self, message: Any, cell: Any, number: int) -> Any:
        """Press the button when it is time; Jupyter's sends this signal to the kernel's whole group."""
        is_shown = message["msg_type"] in ("stream", "display_data")
        if self.interrupt and is_shown and self.interrupt in str(message["content"]):
            self.interrupt = ""
            os.killpg(os.getpgid(self.km.provisioner.pid), signal.SIGINT)
        return super().process_message(message, cell, number)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "exercises").mkdir()  # a student's, which must not become the pack
    (folder / "exercises/__init__.py").write_text("raise SystemExit('taken for the pack')\n")
    client = Kernel(
        nbformat.v4.new_notebook(), timeout=200, allow_errors=True, resources={"metadata": {"path": str(folder)}}
    )
    with client.setup_kernel():
        client.run("%load_ext grader")
        client.run("import torch")
        yield client


def text(cell: Any) -> str:
    """What a notebook shows below a cell where it can show no HTML."""
    return "\n".join(
        str(out.get("text") or out.get("data", {}).get("text/plain", "") or out.get("ename")) for out in cell.outputs
    )


def html(cell: Any) -> str:
    """The report below a cell, without its style."""
    (shown,) = [out.data["text/html"] for out in cell.outputs if "text/html" in out.get("data", {})]
    return re.sub(r"<style>.*?</style>", "", shown, flags=re.DOTALL)


def tags(shown: str) -> list[str]:
    found: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attributes: Any) -> None:
            found.append(f"{tag} {[name for name, _ in attributes]}")

    Tags().feed(shown)
    return found


def test_a_right_cell_runs_as_ever_and_has_its_points_below(kernel: Kernel) -> None:
    cell = kernel.run(f"%%grade ex01\n{REFERENCE[EX01]}\nprint('printed')\n40 + 2")

    assert [out.output_type for out in cell.outputs] == ["stream", "execute_result", "display_data"]
    assert cell.outputs[0].text == "printed\n"
    assert cell.outputs[1].data["text/plain"] == "42"
    assert "✓ ex01  Attention scores" in text(cell)
    assert "<b>5</b> of 5 points" in html(cell)
    assert cell.outputs[1].execution_count == cell.execution_count


def test_a_mistake_is_named_at_its_line_of_this_very_cell_with_what_came_of_it_drawn(kernel: Kernel) -> None:
    cell = kernel.run(f"%%grade ex10\n{DROPPED}")

    line = f"\n{DROPPED}".split("\n").index(f"        {MASKED.removeprefix('masked = ')}") + 1
    number = kernel.run("0").outputs[0].execution_count - 1
    assert "mask-discarded" in text(cell)
    assert f"notebook cell {number}, line {line}\n" in text(cell)
    assert f"notebook cell {number}, line {line}</figcaption>" in html(cell)
    assert html(cell).count('<svg role="img"') >= 2
    assert "next hint: %grade_hint ex10.output" in text(cell)
    assert "<code>%grade_hint ex10.output</code>" in html(cell)


def test_what_earlier_cells_define_is_used_and_of_two_definitions_the_later_counts(kernel: Kernel) -> None:
    kernel.run(DROPPED)
    kernel.run(REFERENCE[EX10])
    wrapper = re.sub(r"^from .*ex10_causal_attention import .*\n", "", REFERENCE[EX11], flags=re.MULTILINE)
    assert "ex10" not in wrapper

    cell = kernel.run(f"%%grade ex10 ex11\n{wrapper}")

    assert "<b>20</b> of 20 points" in html(cell), text(cell)


def test_a_module_beside_the_notebook_may_be_imported(kernel: Kernel) -> None:
    Path(kernel.resources["metadata"]["path"], "my_helpers.py").write_text(
        "def scores(query, inputs): return inputs @ query\n"
    )
    source = REFERENCE[EX01] + "\nfrom my_helpers import scores as attention_scores_for_query\n"

    assert "<b>5</b> of 5 points" in html(kernel.run(f"%%grade ex01\n{source}"))


def test_a_function_that_hangs_is_stopped_and_the_kernel_lives_on(kernel: Kernel) -> None:
    cell = kernel.run(f"%%grade ex01 --timeout 0.5\n{LOOP}")

    assert "still running after 0.5 s" in text(cell)
    assert text(kernel.run("1 + 1")) == "2"


def test_grading_leaves_the_namespace_and_torch_as_they_were(kernel: Kernel) -> None:
    kernel.run(REFERENCE[EX01])
    kernel.run("torch.manual_seed(3); kept = torch.get_rng_state()")
    before = text(kernel.run(NAMES))
    held = text(kernel.run("id(attention_scores), id(torch.softmax), len(Out)"))

    kernel.run("%%grade ex01")

    assert text(kernel.run(NAMES)) == before
    held_now = text(kernel.run("id(attention_scores), id(torch.softmax), len(Out)"))
    assert held_now.rpartition(",")[0] == held.rpartition(",")[0]
    assert text(kernel.run("bool((torch.get_rng_state() == kept).all()), torch.get_default_dtype()")) == (
        "(True, torch.float32)"
    )
    assert text(kernel.run("'exercises.ex01_dot_product_scores' in __import__('sys').modules")) == "False"


def test_hostile_words_stay_text_in_html(kernel: Kernel) -> None:
    source = "%%grade ex02\ndef softmax(scores):\n    raise ValueError({!r})  # {}"

    hostile = html(kernel.run(source.format(HOSTILE, HOSTILE)))

    assert tags(hostile) == tags(html(kernel.run(source.format("words", "words"))))
    assert "&lt;script&gt;document.title=1&lt;/script&gt;" in hostile


def test_a_cell_that_is_no_python_is_not_graded_and_is_forgotten(kernel: Kernel) -> None:
    broken = kernel.run("%%grade ex02\ndef softmax(scores:\n    pass")
    right = kernel.run(f"%%grade ex02\n{REFERENCE[EX02]}")

    assert [out.output_type for out in broken.outputs] == ["error"]
    assert "<b>8</b> of 8 points" in html(right)
    assert "cannot be read" not in text(right)


def test_a_cell_says_which_exercise_it_is_for_by_what_it_defines(kernel: Kernel) -> None:
    assert "<b>8</b> of 8 points" in html(kernel.run(f"%%grade\n{REFERENCE[EX02]}"))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("%%grade ex99\n", "There is no exercise 'ex99'"),
        ("%%grade\nplain = 1", "This cell defines nothing of an exercise. Say which is meant: %%grade ex01"),
        ("%%grade ex13\nplain = 1", "No cell that was run so far defines `SplitHeadAttention` or `copy_heads`."),
        ("%%grade ex01 --timeout soon\n", "%%grade: Invalid value for '--timeout'"),
        ("%%grade ex01 --what\n", "No such option"),
        ("%%grade 'ex01\n", "a quotation mark is open"),
        ("%grade_hint", "Which step? Such as: %grade_hint ex01.query"),
        ("%grade_hint ex10.outptu", "Did you mean ex10.output?"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(source: str, said: str, kernel: Kernel) -> None:
    cell = kernel.run(source)

    assert said in text(cell)
    assert "Traceback" not in text(cell)


def test_hints_come_one_at_a_time_and_stand_in_the_next_report(kernel: Kernel) -> None:
    first, second = (text(kernel.run("%grade_hint ex02.rows")) for _ in range(2))

    assert ("  1. " in first, "  2. " in first, "  2. " in second) == (True, False, True)
    assert "(2 more: %grade_hint ex02.rows)" in first
    noted = (Path(kernel.resources["metadata"]["path"]) / ".grade-hints").read_text("utf-8")
    assert "ex02.rows 2" in noted.splitlines()


def test_a_hint_that_cannot_be_noted_is_shown_and_said(kernel: Kernel) -> None:
    noted = Path(kernel.resources["metadata"]["path"]) / ".grade-hints"
    noted.unlink(missing_ok=True)
    noted.mkdir()
    try:
        first, second = (text(kernel.run("%grade_hint ex03.context")) for _ in range(2))
    finally:
        noted.rmdir()

    assert ("  1. " in first, "  2. " in first, "  2. " in second) == (True, False, True)
    assert "cannot be written: Is a directory." in first
    assert "Traceback" not in first


@pytest.mark.long
def test_a_language_that_is_named_above_a_cell_is_spoken_from_then_on(kernel: Kernel) -> None:
    german = kernel.run(f"%%grade ex01 --lang de\n{REFERENCE[EX01]}")
    status = kernel.run("%grade_status")
    unknown = kernel.run(f"%%grade ex01 --lang xx\n{REFERENCE[EX01]}")
    english = kernel.run(f"%%grade ex01 --lang en\n{REFERENCE[EX01]}")

    assert "<b>5</b> von 5 Punkten" in html(german)
    assert "alles bestanden" in text(status)
    assert "Invalid value for '--lang': 'xx' is not one of" in text(unknown)
    assert "<b>5</b> of 5 points" in html(english)


@pytest.mark.long
def test_the_status_says_what_was_graded_so_far(kernel: Kernel) -> None:
    kernel.run(f"%%grade ex01 --timeout 0.5\n{REFERENCE[EX01]}\n{LOOP}")

    status = text(kernel.run("%grade_status"))

    assert re.search(r"^ex01 .* 3 / 5  query$", status, re.MULTILINE)
    assert re.search(r"^ex12 .* – / 13  not graded yet$", status, re.MULTILINE)


def test_a_cell_that_was_interrupted_is_not_graded(kernel: Kernel) -> None:
    cell = kernel.run("%%grade ex01\nprint('begun', flush=True)\nwhile True:\n    pass", interrupt="begun")

    assert "KeyboardInterrupt" in text(cell)
    assert "ex01" not in text(cell)


@pytest.mark.long
def test_a_grading_that_was_interrupted_says_so_and_the_next_one_is_whole(kernel: Kernel) -> None:
    interrupted = kernel.run(f"%%grade ex01\n{LOOP}", interrupt="grading ex01")
    right = kernel.run(f"%%grade ex01\n{REFERENCE[EX01]}")

    assert "Grading was interrupted." in text(interrupted)
    assert "<b>5</b> of 5 points" in html(right)


def test_an_interrupt_just_as_grading_begins_is_told_as_any_other(kernel: Kernel) -> None:
    kernel.run(PRESSED_AT_ONCE)

    interrupted = kernel.run(f"%%grade ex01\n{REFERENCE[EX01]}")
    right = kernel.run(f"%%grade ex01\n{REFERENCE[EX01]}")

    assert text(interrupted) == "Grading was interrupted."
    assert "<b>5</b> of 5 points" in html(right)


def test_the_worker_ends_with_the_kernel(kernel: Kernel) -> None:
    worker = "__import__('grader.jupyter.extension').jupyter.extension._loaded[0].desk._worker._process.pid"
    pid = int(text(kernel.run(worker)))

    kernel.run("%unload_ext grader")

    assert not Path(f"/proc/{pid}").exists()
    kernel.run("%load_ext grader")


def test_the_tour_of_the_page_goes_as_it_says(kernel: Kernel) -> None:
    page = (ROOT / "docs/notebooks.md").read_text("utf-8")

    cells = [kernel.run(source.rstrip("\n")) for source in re.findall(r"```python\n(.*?)```", page, re.DOTALL)]

    assert not [out for cell in cells for out in cell.outputs if out.output_type == "error"]
    assert "<b>2</b> of 5 points" in html(cells[1])
    assert "<b>5</b> of 5 points" in html(cells[2])
    assert "ex02.softmax  Softmax of one row of scores" in text(cells[3])
    assert re.search(r"^ex01 .* 5 / 5  all passed$", text(cells[3]), re.MULTILINE)
