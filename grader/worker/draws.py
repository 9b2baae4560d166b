"""How many numbers a generator has given, told by those that it gives next."""

from __future__ import annotations

import torch

# So many numbers of 32 bits come in the same order once in 10⁷⁷ places.
NEXT = 8


def of(generator: torch.Generator, seed: int, most: int) -> torch.Tensor:
    """How many numbers of 32 bits a generator on the CPU has given since it was seeded; `most` for as many or more.

    Whatever is drawn takes one at least. A copy of the generator is asked, which itself stays where it is; what it
    gives lies on the CPU, wherever a student has tensors made by `torch.set_default_device`.
    """
    copy = torch.Generator()
    copy.set_state(generator.get_state())
    following = _drawn(copy, NEXT)
    numbers = _drawn(torch.Generator().manual_seed(seed), most + NEXT - 1)
    places = (numbers[:most] == following[0]).nonzero()[:, 0]
    return next(
        (place for place in places if numbers[place : place + NEXT].equal(following)), torch.tensor(most, device="cpu")
    )


def _drawn(generator: torch.Generator, count: int) -> torch.Tensor:
    return torch.empty(count, dtype=torch.int32, device="cpu").random_(generator=generator)
