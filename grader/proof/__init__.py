"""Proves a pack: builds and checks its fixtures from the reference, and grades every solution it brings."""
