"""The address of a table, to be given to others: as a link, and as a code that a camera reads."""

from __future__ import annotations

from functools import lru_cache

import segno
from markupsafe import Markup
from starlette.requests import Request

from thorp.server.web.languages import with_language

#: Longer addresses would make a code that no camera reads. They come from requests that name no real host.
LONGEST = 300


def address_of(request: Request, table: str) -> str:
    """Where a table is, as whoever asked has reached this server, and in its language."""
    return with_language(f"{request.base_url}tables/{table}")


@lru_cache(maxsize=256)
def code_of(address: str) -> Markup | None:
    """The address of a table as a QR code, kept for all who look at it.

    Draw it in a thread first (`asyncio.to_thread`): nobody else is answered meanwhile.
    """
    return drawn_code(address)


def drawn_code(address: str) -> Markup | None:
    """An address as a QR code, an SVG element without any style of its own; None for one that is too long."""
    if len(address) > LONGEST:
        return None
    code = segno.make(address, error="m", micro=False)
    return Markup(code.svg_inline(omitsize=True, svgclass="code", lineclass=None, border=4, light="#fff"))
