"""Break-away from ramps in a record: starts of motion over position and direction, and curves through them."""
