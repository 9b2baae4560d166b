"""The student's desk: `grade watch`, which grades at every save, shows what is wrong, and knows the way."""
