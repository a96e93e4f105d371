"""`thorp serve`, but for chance, and for limits where a test asks for none.

Each run of a test deals the same games. Arguments: port, folder of the data, what chance begins with, and as many as
are wanted of `unlimited`, `telling`, `database=URL`, `workers=N`, `heartbeat=SECONDS`, `smtp=PORT`, `patience=SECONDS`,
`review=SECONDS`, and `hurry=N`: its clocks go so much faster, and notices are looked for all the time.
"""

import random
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from thorp.server import workers
from thorp.server.app import serve
from thorp.server.notices import post
from thorp.server.settings import Settings
from thorp.server.tables import reviews

#: For tests that send more from one address than people do.
UNLIMITED: dict[str, Any] = {
    **{"post_rate": 1e6, "post_burst": 10**6, "look_rate": 1e6, "look_burst": 10**6},
    **{"tables_hourly": 10**6, "tables_running": 10**6},
}

#: For tests of notices: by ways at which nobody listens.
TELLING: dict[str, Any] = {
    **{"contact": "host@example.org", "smtp_host": "127.0.0.1", "smtp_port": 1, "smtp_from": "thorp@example.org"},
    **{"smtp_tls": "none", "hosts": ("127.0.0.1", "localhost"), "notice_networks": ("127.0.0.0/8",)},
}

_BEGAN = datetime.now(UTC)


def moment(hurry: float) -> datetime:
    """What time it is where clocks go faster."""
    return _BEGAN + hurry * (datetime.now(UTC) - _BEGAN)


def main(port: str, data: str, chance: str, *more: str) -> None:
    """Serve until the process is ended."""
    limits = UNLIMITED if "unlimited" in more else {}
    limits |= TELLING if "telling" in more else {}
    given = dict(each.split("=", 1) for each in more if "=" in each)
    limits |= {"smtp_port": int(given["smtp"])} if "smtp" in given else {}
    workers.PATIENCE = float(given.get("patience", workers.PATIENCE))
    part = float(given.get("review", reviews.ALL)) / reviews.ALL
    reviews.ALL, reviews.AGAIN_EACH = part * reviews.ALL, part * reviews.AGAIN_EACH
    hurry = float(given.get("hurry", "1"))
    if hurry > 1:
        post.LOOK = 0.1
        limits |= {"clock": partial(moment, hurry)}
    settings = Settings(
        Path(data),
        database=given.get("database", ""),
        heartbeat=float(given.get("heartbeat", Settings.heartbeat)),
        # a lesson takes some twenty seconds, and tests hold no table for so long
        lessons=False,
        random_bits=random.Random(int(chance)).getrandbits,
        **limits,
    )
    serve(settings, port=int(port), workers=int(given.get("workers", "1")))


if __name__ == "__main__":
    main(*sys.argv[1:])
