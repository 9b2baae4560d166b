# style: indented with tabs, German names and comments, Softmax module for the later functions
import torch
import torch.nn as nn

zeilenweise = nn.Softmax(dim = -1)

def softmax(scores):
	größter = torch.max(scores)           # damit exp nicht überläuft
	zähler = (scores - größter).exp()
	nenner = torch.sum(zähler)
	return torch.div(zähler, nenner)

def attention_weights(scores):
	return zeilenweise(scores)            # jede Zeile ergibt 1

def sharpened_weights(scores, factor):
	verstärkt = scores * factor
	return zeilenweise(verstärkt)
