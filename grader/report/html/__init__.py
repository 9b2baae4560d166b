"""Pages for a browser: one of a student, which is also the format `html`, and one of a class. Each is a single file."""
