"""How the processes that run student code are started, watched, asked and ended. The parent's side."""
