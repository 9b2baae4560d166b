"""One module per format, all made from the same report."""
