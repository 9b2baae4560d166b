"""What flows through the grader: plain frozen data, standard library only."""
