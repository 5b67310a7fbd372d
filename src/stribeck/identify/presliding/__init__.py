"""Stiffness and damping below break-away, from loops of force and displacement."""
