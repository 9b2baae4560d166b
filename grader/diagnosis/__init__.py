"""Says which known mistakes a wrong answer shows, by its outputs, its traceback, its source; only what is certain."""
