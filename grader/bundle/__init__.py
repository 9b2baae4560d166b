"""Bundles: what an instructor gives to a platform so that it grades with this kit. One module for each platform."""
