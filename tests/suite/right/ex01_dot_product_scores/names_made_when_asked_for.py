# style: the module's own __getattr__ gives the functions by their names
import torch
def _one(query, inputs): return inputs @ query
def _all(inputs): return inputs @ inputs.T
_NAMES = {"attention_scores_for_query": _one, "attention_scores": _all}
def __getattr__(name):
    try:
        return _NAMES[name]
    except KeyError:
        raise AttributeError(name) from None
def __dir__():
    return sorted(_NAMES)
