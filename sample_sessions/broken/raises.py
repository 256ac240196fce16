"""Raises when it is imported, as a module does whose dependency is not installed."""

raise ImportError("No module named 'frobnicate'")
