"""Students' folders as they come."""
