"""Decides, from bytes alone, what is right: compares tensors, binds weights, names faults, scores steps."""
