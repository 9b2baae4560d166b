"""Tests of what names a mistake."""
