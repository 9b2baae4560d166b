"""Each module measures one thing: `measure(scale, there)` gives figures, `there` is an empty folder of its own."""
