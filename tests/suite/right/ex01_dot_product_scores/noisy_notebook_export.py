# style: a notebook exported with its seeds, prints, a global of the same name and a sanity check
# coding: utf-8

# In[1]:
import torch
torch.manual_seed(123)
torch.set_printoptions(precision=4, sci_mode=False)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

# In[2]:
inputs = torch.tensor([[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64]])
query = inputs[1]

# In[3]:
def attention_scores_for_query(query, inputs):
    attn_scores_2 = torch.zeros(inputs.shape[0], dtype=inputs.dtype, device=inputs.device)
    for i, x_i in enumerate(inputs):
        attn_scores_2[i] = torch.dot(x_i, query)
    return attn_scores_2

print(attention_scores_for_query(query, inputs))

# In[4]:
def attention_scores(inputs):
    attn_scores = inputs @ inputs.T
    return attn_scores

print(attention_scores(inputs))
assert torch.allclose(attention_scores(inputs)[1], attention_scores_for_query(query, inputs))

# In[ ]:
