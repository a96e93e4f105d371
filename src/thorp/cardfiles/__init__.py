"""Files of cards that people write: read with every fault told, known by a key, and taken as the value of an option."""
