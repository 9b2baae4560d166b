# style: camel case throughout, as in Java
import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dIn, dOut, contextLength, dropoutRate, numberOfHeads, useBias=False):
        super(MultiHeadAttention, self).__init__()
        if dOut % numberOfHeads != 0:
            raise ValueError("dOut must be a multiple of numberOfHeads")
        self.numberOfHeads = numberOfHeads
        self.headWidth = dOut // numberOfHeads
        self.queryLayer = nn.Linear(dIn, dOut, bias=useBias)
        self.keyLayer = nn.Linear(dIn, dOut, bias=useBias)
        self.valueLayer = nn.Linear(dIn, dOut, bias=useBias)
        self.outputLayer = nn.Linear(dOut, dOut)
        self.dropoutLayer = nn.Dropout(dropoutRate)

    def splitIntoHeads(self, projected):
        return projected.unflatten(2, (self.numberOfHeads, self.headWidth)).transpose(1, 2)

    def forward(self, x):
        queries = self.splitIntoHeads(self.queryLayer(x))
        keys = self.splitIntoHeads(self.keyLayer(x))
        values = self.splitIntoHeads(self.valueLayer(x))
        scores = torch.matmul(queries, keys.transpose(2, 3)) / math.sqrt(self.headWidth)
        isFuture = torch.ones_like(scores, dtype=torch.bool).triu(1)
        weights = self.dropoutLayer(torch.softmax(scores.masked_fill(isFuture, float("-inf")), dim=-1))
        return self.outputLayer(torch.matmul(weights, values).transpose(1, 2).flatten(2))
