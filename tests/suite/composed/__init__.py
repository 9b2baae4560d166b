"""Modules that are composed of parts, in any style and with any known mistakes."""
