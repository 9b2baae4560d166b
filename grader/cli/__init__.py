"""The `grade` command: one module per subcommand, and one place where errors become sentences and exit codes."""
