"""Each check, judged by hand-made answers."""
