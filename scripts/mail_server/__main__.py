"""Receives e-mail on free ports of the loopback address, and prints the URL of what controls it."""

from .server import serve

serve()
