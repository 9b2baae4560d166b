"""How fast, beside what: everything is measured in one run, as ratios, by `python -m benchmarks`."""
