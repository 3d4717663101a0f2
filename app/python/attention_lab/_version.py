"""The version of the program that this package belongs to."""

__version__ = "0.1.0"
