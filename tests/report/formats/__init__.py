"""Each platform's format, made of one awkward report."""
