"""The version, in the one place that the package, the command and the build read."""

__version__ = "0.1.0"
