"""Measured records: reading, time grids, filters and plausibility checks."""
