"""The command line: `thorp serve | play | replay | bench`."""

from thorp.cli.main import main

__all__ = ["main"]
