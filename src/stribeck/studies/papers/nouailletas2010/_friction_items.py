"""Items."""
