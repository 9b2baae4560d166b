"""What flows through the grader."""
