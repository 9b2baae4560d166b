# style: each row is a task of asyncio's
import asyncio

import torch


async def blend(weights, inputs):
    await asyncio.sleep(0)
    return weights @ inputs


async def blended(inputs):
    rows = torch.softmax(inputs @ inputs.T, dim=-1)
    return torch.stack(await asyncio.gather(*(blend(row, inputs) for row in rows)))


def context_vector(weights, inputs):
    return asyncio.run(blend(weights, inputs))


def context_vectors(inputs):
    return asyncio.run(blended(inputs))
