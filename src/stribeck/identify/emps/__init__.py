"""The EMPS benchmark, a real drive: its files, its model, and a comparison of methods."""
