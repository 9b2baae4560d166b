"""A student's workspace: made, and brought up to date."""
