"""`thorp serve`, but for chance: each run of a test deals the same games. Arguments: port, folder of the data."""

import random
import sys
from pathlib import Path

from thorp.server.app import serve
from thorp.server.settings import Settings

if __name__ == "__main__":
    port, data = sys.argv[1:]
    serve(Settings(Path(data), random_bits=random.Random(2026).getrandbits), port=int(port))
