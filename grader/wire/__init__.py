"""What crosses between the parent and a worker: frames of safetensors bytes, and the observations in them."""
