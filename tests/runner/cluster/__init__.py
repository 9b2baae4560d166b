"""Tests of batches on a cluster."""
