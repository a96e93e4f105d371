"""`thorp serve`, but for chance, and for limits where a test asks for none.

Each run of a test deals the same games. Arguments: port, folder of the data, what chance begins with, and as many as
are wanted of `unlimited`, `telling`, `database=URL`, `workers=N`, `heartbeat=SECONDS`.
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

#: For tests of notices: by ways at which nobody listens.
TELLING: dict[str, Any] = {
    **{"contact": "host@example.org", "smtp_host": "127.0.0.1", "smtp_port": 1, "smtp_from": "thorp@example.org"},
    "smtp_tls": "none",
}

if __name__ == "__main__":
    port, data, chance, *more = sys.argv[1:]
    limits = UNLIMITED if "unlimited" in more else {}
    limits |= TELLING if "telling" in more else {}
    given = dict(each.split("=", 1) for each in more if "=" in each)
    settings = Settings(
        Path(data),
        database=given.get("database", ""),
        heartbeat=float(given.get("heartbeat", Settings.heartbeat)),
        random_bits=random.Random(int(chance)).getrandbits,
        **limits,
    )
    serve(settings, port=int(port), workers=int(given.get("workers", "1")))
