"""Each weight finds its place, however a module keeps it."""
