"""Laws written in SymPy, turned into C99 with exact derivatives. Needed by the build only."""
