"""Small submissions in a real worker."""
