"""What `fuzzing.py` is made of: the book of what was acknowledged, the persons who play, and broken requests."""
