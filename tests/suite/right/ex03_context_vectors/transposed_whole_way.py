# style: everything on its side, and turned at the end
import torch


def context_vector(weights, inputs):
    return inputs.T @ weights


def context_vectors(inputs):
    columns = inputs.T
    scores = columns.T @ columns
    shares = scores.softmax(dim=0)  # symmetric scores: column j holds the shares of query j
    return (columns @ shares).T
