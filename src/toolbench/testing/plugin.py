"""The pytest plugin of toolbench."""
