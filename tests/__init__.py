"""Tests, laid out like what they test."""
