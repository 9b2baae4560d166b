"""`grade verify`: proves the pack with the solutions and the known mistakes that it brings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import options
from grader.cli.pack import load
from grader.cli.telling import echo
from grader.model.errors import ExitCode, UsageError
from grader.model.text import plural

if TYPE_CHECKING:
    from grader.proof.graded import Proved
    from grader.proof.unnoticed import Unnoticed
    from grader.proof.verify import ExerciseProof

COLUMNS = ("exercise", "mistakes", "named", "faults", "pairs", "named", "alike", "graded", "nearest")
ROW = "{:<10}{:>9}{:>7}{:>8}{:>7}{:>7}{:>7}{:>8}  {}"


@click.command(
    name="verify",
    short_help="Prove the pack with its solutions.",
    epilog="Example: grade verify --exercise ex10 --json proof.json",
)
@click.option(
    "--seed",
    type=options.WholeNumber(0, options.SEEDS - 1),
    default=0,
    show_default=True,
    metavar="N",
    help="Seed of the fresh cases, and of the pairs that are graded.",
)
@options.exercise_option("Prove this exercise alone")
@click.option("--json", "file", metavar="FILE", help="Write all of it as JSON; `-` for standard output, alone.")
@click.option(
    "--mutants",
    is_flag=True,
    help="Prove nothing, but change the reference in every small way, and print what earns full marks all the same.",
)
@click.option(
    "--pairs",
    is_flag=True,
    help="List the pairs of mistakes of which one hides the other, too; --json has them anyway.",
)
@click.option("--steps", is_flag=True, hidden=True, help="Print what was found in the form of steps.yaml, alone.")
@click.pass_context
def command(
    context: click.Context,
    seed: int,
    exercises: tuple[str, ...],
    file: str | None,
    mutants: bool,
    pairs: bool,
    steps: bool,
) -> None:
    """Prove the pack: reference and alternatives full, stubs, zeros and copies of the input nothing, every known
    mistake caught and named, alone and in pairs, and nothing missing. Exits 3 on any gap."""
    from grader.model.write import write_whole
    from grader.pack.words import check_translations
    from grader.plugins.registry import Plugins
    from grader.proof.graded import Proved
    from grader.proof.record import record
    from grader.proof.unnoticed import unnoticed
    from grader.proof.verify import found_steps, verify

    if file not in (None, "-"):
        options.check_file(Path(file))
    plugins = Plugins()
    pack = load(plugins)
    check_translations(pack)
    chosen = tuple(options.find_exercise(pack, name).id for name in exercises)
    if mutants and (file or pairs or steps):
        raise UsageError(
            f"--mutants proves nothing, so there is nothing to write: leave out {'--json' if file else '--pairs'}."
        )
    if mutants:
        for each in unnoticed(plugins, pack, seed, chosen):
            _print_unnoticed(each)
        return
    is_quiet = steps or file == "-"
    solutions: list[Proved] = []
    proofs: list[ExerciseProof] = []
    for part in verify(plugins, pack, seed, chosen):
        if isinstance(part, Proved):
            solutions.append(part)
            is_first = len(solutions) == 1
        else:
            proofs.append(part)
            is_first = len(proofs) == 1
        if not is_quiet:
            _print_part(part, is_first=is_first)
    gaps = [*(gap for proved in solutions for gap in proved.gaps), *(gap for proof in proofs for gap in proof.gaps)]
    if not is_quiet:
        _print_rest(proofs, len(gaps), with_pairs=pairs)
    if steps:
        echo(found_steps(proofs, faults=False))
        echo(f"# faults\n{found_steps(proofs, faults=True)}")
    if file is not None:
        text = json.dumps(record(pack, seed, solutions, proofs), indent=1, allow_nan=False)
        if file == "-":
            echo(text)
        else:
            write_whole(Path(file), f"{text}\n")
    context.exit(ExitCode.FULL_MARKS if not gaps else ExitCode.BROKEN_PACK)


def _print_unnoticed(part: Unnoticed) -> None:
    """What earned full marks of one exercise, for somebody to say of each whether it is right."""
    count = len(part.mutants)
    echo(f"{part.exercise.short}: {count} of {part.tried} changes earn full marks{':' if count else '.'}")
    for mutant in part.mutants:
        echo(f"    {mutant}")


def _print_part(part: Proved | ExerciseProof, *, is_first: bool) -> None:
    """A line of one of the two tables, as soon as it is known, and its gaps."""
    from grader.proof.graded import Proved

    if isinstance(part, Proved):
        if is_first:
            echo(f"{'solution':<22}{'kind':<14}{'steps':>6}  as expected")
        verdict = "all" if not part.gaps else f"{len(part.gaps)} not"
        echo(f"{part.name:<22}{part.kind:<14}{part.steps:>6}  {verdict}")
    else:
        if is_first:
            echo(f"\n{ROW.format(*COLUMNS)}")
        echo(ROW.format(part.exercise.short, *part.counts, _nearest(part)))
    for gap in part.gaps:
        echo(f"    {gap}")


def _nearest(proof: ExerciseProof) -> str:
    nearest = proof.nearest
    if nearest is None:
        return "-"
    return f"{nearest.size} ({nearest.known.id}, {nearest.case})"


def _print_rest(proofs: Sequence[ExerciseProof], gaps: int, *, with_pairs: bool) -> None:
    """What is no gap and has to be said all the same, then the last line. with_pairs: in full, which is hundreds of
    lines."""
    echo(ROW.format("all", *map(sum, zip(*(proof.counts for proof in proofs), strict=True)), "").rstrip())
    alike = [
        f"{proof.exercise.short} {each}"
        for proof in proofs
        for each in {each.group: each for each in reversed(proof.pairs.alike)}.values()
    ]
    total, named = (sum(getattr(proof.pairs, part) for proof in proofs) for part in ("total", "named"))
    partly = [str(each) for proof in proofs for each in proof.graded if each.is_partly]
    parts = [
        (f"Pairs that outputs cannot tell apart: {total - named} of {total}", alike),
        (f"Graded pairs of which one mistake shows only when the other is mended: {len(partly)}", partly),
    ]
    if any(lines for _, lines in parts):
        echo("")
    for title, lines in parts:
        if lines:
            echo(title)
        for line in lines if with_pairs else ():
            echo(f"    {line}")
    if not with_pairs and any(lines for _, lines in parts):
        echo("They are no gap, and `--pairs` lists them.")
    echo("\nThe pack holds." if gaps == 0 else f"\n{plural(gaps, 'gap')}.")
