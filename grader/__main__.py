"""`python -m grader` is the `grade` command."""

from grader.cli.main import main

if __name__ == "__main__":
    main()
