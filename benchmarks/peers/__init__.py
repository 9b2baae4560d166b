"""What people would use instead: the same checks in the form of each tool, each in an environment of its own."""
