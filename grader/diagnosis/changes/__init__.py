"""Small changes of the student's own source, asked beside it: which makes it right, and what is behind what raises."""
