"""`python -m benchmarks.peers` sets up every tool's environment."""

from __future__ import annotations

from benchmarks.peers.environments import NAMES, environment

for name in NAMES:
    print(environment(name))
