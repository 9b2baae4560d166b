"""What proves the pack: its fixtures, its solutions, and that its parts say the same."""
