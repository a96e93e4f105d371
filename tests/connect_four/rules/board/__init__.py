"""The board of Connect Four."""
