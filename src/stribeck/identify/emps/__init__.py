"""A real drive, the EMPS benchmark: its files, its model and what the methods find on it."""
