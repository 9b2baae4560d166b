# style: two lambdas, a one-liner file with semicolons
import torch; from functools import partial

attention_scores_for_query = lambda query, inputs: torch.inner(inputs, query); attention_scores = lambda inputs: torch.inner(inputs, inputs)
