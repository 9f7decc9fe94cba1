"""Serves learning platforms on a free port of the loopback address, and prints the URL."""

from .server import serve

serve()
