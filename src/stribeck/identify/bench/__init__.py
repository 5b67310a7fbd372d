"""Friction tests on a real or virtual bench: break-away ramps, oscillations, identifiability of the inertia."""
