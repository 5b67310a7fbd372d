"""Pages of the documentation that are written by programs."""
