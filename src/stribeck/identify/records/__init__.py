"""Measured records: read, put on one grid, filtered, looked through for what is wrong with them."""
