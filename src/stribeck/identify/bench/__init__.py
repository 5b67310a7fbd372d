"""Friction tests on a bench, real or virtual: break-away ramps, swings, and whether inertia can be seen at all."""
