"""`orch`: the command line. Commands are imported when they are called, so that help is quick."""

from importlib import import_module

import click

COMMANDS = {
    "demo": "A real brief to its row, or a real article to its translation.",
    "run": "Run briefs, or articles to be translated, to their end.",
    "add": "Register briefs or articles as partitions; nothing is run.",
    "status": "Where every article stands, and what comes next.",
    "rows": "The finished rows.",
    "show": "One article's package, or its documents in order.",
    "approve": "Lift an article's review.",
    "serve": "The Dagster UI and daemon, with this project loaded.",
    "simulate": "The simulator as a server.",
    "check": "Is everything configured?",
}


class Commands(click.Group):
    """Knows its commands by name; each lives in a module of its name, as `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return import_module(f"orch_dagster.cli.{cmd_name}").command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="orch-dagster")
def main() -> None:
    """Run language-model content pipelines on Dagster.

    Settings come from the environment or from a file `.env` in the current folder. Articles,
    their documents and Dagster's records lie in `.orch` there, or where DAGSTER_HOME says.
    """


if __name__ == "__main__":
    main()
