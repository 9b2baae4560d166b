"""What a source gives away, and what only looks like it."""
