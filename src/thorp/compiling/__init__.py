"""Records and rules: declared in plain Python, compiled by Numba, kept on disk. Nothing here knows what a game is."""
