"""Each layer by itself, on a real process."""
