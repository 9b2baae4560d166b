"""What an attack is: a submission that tries to do harm, and the names under which it finds its targets."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MODULE = "ex01_dot_product_scores"
# Makes both functions of the exercise out of one called `attack`, where a source has that. What it raised it raises
# again: of a fresh case no message is told, and many an attack can be made but once in a process.
SOLUTION = """

RAISED = []


def attacking():
    if RAISED:
        raise RAISED[0]
    try:
        return attack()
    except Exception as error:
        RAISED.append(error)
        raise


def attention_scores_for_query(query, inputs):
    return attacking()


def attention_scores(inputs):
    return attacking()
"""


@dataclass(frozen=True)
class Attack:
    """One submission of the first exercise, wrong in every step, that tries to gain by other means.

    source: of the module, which finds its targets as constants (see `Grounds.constants`); a function `attack()` in it
    is called by both functions of the exercise. An attack that can see for itself that it got through raises
    RuntimeError(CLAIM) from its solution, and one that got hold of a secret raises that. It must be harmless to the
    machine it runs on even where nothing holds it: bounded in processes, memory, files and time.
    then: a second submission, graded after the first, that looks for what the first left behind.
    files: writes whatever else belongs to the submission into its folder.
    hands: the file of the folder that is handed in, such as an archive; the folder itself where empty.
    statuses: what every step must be with all layers in force; any that earns nothing where empty.
    hangs: takes its whole time limit, and so is not tried again for each layer.
    tries: is graded as for a student, whose wrong source is tried with small changes; of most attacks nothing but time
    comes of that.
    """

    name: str
    source: str = ""
    then: str = ""
    files: Callable[[Path], None] | None = None
    hands: str = ""
    statuses: frozenset[str] = frozenset()
    hangs: bool = False
    tries: bool = False

    def write(self, folder: Path, source: str, constants: str) -> None:
        """Write the submission: the constants on one line, so that nothing depends on them but their use."""
        if source:
            text = f"{constants}\n{textwrap.dedent(source)}{SOLUTION if 'def attack()' in source else ''}"
            (folder / f"{MODULE}.py").write_text(text, "utf-8", "surrogatepass")
        if self.files is not None:
            self.files(folder)


def attack(name: str, source: str = "", *statuses: str, **more: object) -> Attack:
    """An attack by its name and source, and what its steps must be."""
    return Attack(name, source, statuses=frozenset(statuses), **more)  # type: ignore[arg-type]
