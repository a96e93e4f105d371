"""`thorp serve`, but for chance, and for limits where a test asks for none.

Each run of a test deals the same games. Arguments: port, folder of the data, what chance begins with, and as many as
are wanted of `unlimited`, `database=URL`, `workers=N`.
"""

import random
import sys
from pathlib import Path
from typing import Any

from thorp.server.app import serve
from thorp.server.settings import Settings

#: For tests that send more from one address than people do.
UNLIMITED: dict[str, Any] = {
    **{"post_rate": 1e6, "post_burst": 10**6},
    **{"tables_hourly": 10**6, "tables_running": 10**6},
}

if __name__ == "__main__":
    port, data, chance, *more = sys.argv[1:]
    limits = UNLIMITED if "unlimited" in more else {}
    given = dict(each.split("=", 1) for each in more if "=" in each)
    settings = Settings(
        Path(data),
        database=given.get("database", ""),
        random_bits=random.Random(int(chance)).getrandbits,
        **limits,
    )
    serve(settings, port=int(port), workers=int(given.get("workers", "1")))
