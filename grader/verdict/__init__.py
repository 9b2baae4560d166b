"""Makes the verdict on a step: asks it case by case, has what is wrong explained, and scores it."""
