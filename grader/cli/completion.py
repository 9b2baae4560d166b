"""`grade completion`: has a shell complete commands, options, and the ids of exercises and steps."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from grader.cli.telling import echo

NAME = "grade"
SHELLS = ("bash", "zsh", "fish")
# What click looks for in the environment: https://click.palletsprojects.com/en/stable/shell-completion/
VARIABLE = "_GRADE_COMPLETE"


@click.command(
    name="completion",
    short_help="Have a shell complete ids and options.",
    epilog="Example: grade completion fish | source",
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print what makes SHELL complete `grade`: commands, options, files, and the ids of exercises and steps.

    To have it always, put this line into the file that the shell reads at its start:

    \b
    ~/.bashrc                   eval "$(grade completion bash)"
    ~/.zshrc                    eval "$(grade completion zsh)"
    ~/.config/fish/config.fish  grade completion fish | source
    """
    kind = get_completion_class(shell)
    assert kind is not None  # click brings all three
    echo(kind(context.find_root().command, {}, NAME, VARIABLE).source())
