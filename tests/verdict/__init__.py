"""What is right, what is wrong, and what is said of it."""
