"""What runs beside student code: a process that knows no answers. Nothing outside this folder imports it."""
