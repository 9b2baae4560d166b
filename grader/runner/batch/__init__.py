"""Many submissions at once: a worker for each job slot, every result stored before the slot goes on."""
