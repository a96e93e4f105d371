"""The command line: `thorp serve | play | replay | arena | bench`."""

from thorp.cli.main import main

__all__ = ["main"]
