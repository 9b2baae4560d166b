"""The same report in every format."""
