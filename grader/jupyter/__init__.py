"""Grading inside a notebook: `%load_ext grader`, then `%%grade ex10` above a cell.

Imported only where a kernel asks for it; nothing here imports IPython, which is there wherever anybody asks.
"""
