"""What crosses between the processes, and what is refused there."""
