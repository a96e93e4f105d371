"""Players of somebody else's, good ones and bad ones."""
