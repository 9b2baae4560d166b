# mistakes: input-mutated
import torch


def softmax(scores):
    scores.sub_(scores.max()).exp_()  # <- input-mutated
    return scores / scores.sum()


def attention_weights(scores):
    return torch.softmax(scores, -1)


def sharpened_weights(scores, factor):
    before = softmax(scores)
    after = softmax(scores * factor)
    print("largest share before and after:", before.max(), after.max())
    return after
