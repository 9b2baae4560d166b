"""Decides, from bytes alone, what is right: asks what a check plans, binds weights, compares tensors."""
