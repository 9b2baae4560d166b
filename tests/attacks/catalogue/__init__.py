"""Every attack, by family: a module each."""

from __future__ import annotations

import importlib
import pkgutil

from tests.attacks.attack import Attack

FAMILIES: dict[str, tuple[Attack, ...]] = {
    info.name: importlib.import_module(f"{__name__}.{info.name}").ATTACKS for info in pkgutil.iter_modules(__path__)
}
EVERY = tuple(attack for attacks in FAMILIES.values() for attack in attacks)
