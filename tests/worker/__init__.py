"""What runs beside a student's code, here in this process."""
