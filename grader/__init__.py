"""The engine that grades a pack of tensor exercises. It knows nothing of attention; packs do."""

__version__ = "0.2.0"
