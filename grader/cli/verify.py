"""`grade verify`: proves the pack with the solutions that it brings."""

from __future__ import annotations

import click

from grader.cli import options
from grader.cli.run import load
from grader.model.errors import ExitCode


@click.command(name="verify", short_help="Prove the pack with its solutions.", epilog="Example: grade verify")
@click.option("--seed", type=click.IntRange(0, options.SEEDS - 1), default=0, show_default=True, metavar="N")
@click.pass_context
def command(context: click.Context, seed: int) -> None:
    """Prove the pack: reference and alternatives full, stubs and zeros nothing. Exits 3 on any gap."""
    from grader.plugins.registry import Plugins
    from grader.proof.verify import verify

    plugins = Plugins()
    gaps = 0
    click.echo(f"{'solution':<22}{'kind':<14}{'steps':>6}  as expected")
    for proved in verify(plugins, load(plugins), seed):
        gaps += len(proved.gaps)
        verdict = "all" if not proved.gaps else f"{len(proved.gaps)} not"
        click.echo(f"{proved.name:<22}{proved.kind:<14}{proved.steps:>6}  {verdict}")
        for gap in proved.gaps:
            click.echo(f"    {gap}")
    click.echo("The pack holds." if gaps == 0 else f"{gaps} gaps.")
    context.exit(ExitCode.FULL_MARKS if gaps == 0 else ExitCode.BROKEN_PACK)
