"""Small changes of a source, and what they show."""
