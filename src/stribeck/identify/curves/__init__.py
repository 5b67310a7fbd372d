"""Steady friction over speed: points from records, and the curves through them."""
