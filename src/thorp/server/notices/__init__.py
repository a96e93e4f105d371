"""Notices: people who do not look are told that a table waits for them."""
