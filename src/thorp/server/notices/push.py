"""Notices that a browser shows although no page of ours is open: web push, encrypted for that browser alone."""

from __future__ import annotations

import base64
import importlib.util
import json
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from thorp.server.notices import outside
from thorp.server.notices.sending import GONE, LATER, REFUSED, SENT, Outcome
from thorp.server.notices.words import Notice
from thorp.server.threads import Threads
from thorp.server.web.addresses import Network

#: How long a push service keeps what it cannot hand on, in seconds.
_KEPT = 24 * 3600
#: Statuses that say that a browser wants no more of it.
_ENDED = (404, 410)
#: So long a subscription may be as it is stored: an address of a thousand signs, and the keys.
_LONGEST = 1200


def is_installed() -> bool:
    """Whether what encrypts is there: the extra `thorp[push]`."""
    return all(importlib.util.find_spec(name) for name in ("http_ece", "py_vapid"))


def _bytes(text: str) -> bytes:
    """What a key says. Raises ValueError where anything else is among it, which would be passed over without a word."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _text(key: bytes) -> str:
    return base64.urlsafe_b64encode(key).rstrip(b"=").decode()


def subscription(endpoint: str, key: str, secret: str, allowed: Sequence[Network] = ()) -> str:
    """A browser's subscription as it is stored: bounded. Raises Inside where it is none that can be used."""
    from cryptography.hazmat.primitives.asymmetric import ec

    outside.check(endpoint, allowed)
    try:
        point, shared = _bytes(key), _bytes(secret)
        fits = len(point) == 65 and point[0] == 4 and len(shared) == 16
        # raises ValueError where it is no point on the curve: nothing could be encrypted for it
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError as error:
        raise outside.Inside("these are no keys") from error
    if not fits:
        raise outside.Inside("these are no keys")
    stored = json.dumps({"endpoint": endpoint, "p256dh": _text(point), "auth": _text(shared)})
    if len(stored) > _LONGEST:
        raise outside.Inside("that is no address")
    return stored


class Push:
    """Sends to browsers. `secret`: 32 bytes of the store, the same for all servers on it and for all time: the key
    that says who sends. `contact`: whom push services write to about it."""

    def __init__(self, secret: str, contact: str, threads: Threads, allowed: Sequence[Network] = ()) -> None:
        self.contact = contact if ":" in contact else f"mailto:{contact}"
        self.threads = threads
        self.allowed = allowed
        self._secret = secret
        self._made: Any = None

    @property
    def _vapid(self) -> Any:
        if self._made is None:
            from py_vapid import Vapid02

            self._made = Vapid02.from_raw(self._secret.encode())
        return self._made

    @property
    def public_key(self) -> str:
        """What browsers have to know of the key."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        point = self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return _text(point)

    async def tell(self, stored: str, notice: Notice) -> Outcome:
        """Send a notice to a browser."""
        return await self.threads.run(lambda: self._tell(json.loads(stored), notice))

    def _tell(self, to: dict[str, str], notice: Notice) -> Outcome:
        parts = urlsplit(to["endpoint"])
        claims = {
            "sub": self.contact,
            "aud": f"{parts.scheme}://{parts.netloc}",
            # services take no more than a day
            "exp": int(time.time()) + 12 * 3600,
        }
        headers = {
            **self._vapid.sign(claims),
            "Content-Encoding": "aes128gcm",
            # Browsers that can read it show it without our worker; others hand it to the worker, which reads the same.
            "Content-Type": "application/notification+json",
            "TTL": str(_KEPT),
            "Urgency": "normal",
        }
        try:
            body = self._encrypted(to, message(notice))
        except ValueError:
            # keys from before they were looked at: nobody can read what is sent there
            return GONE
        try:
            answer = outside.post(to["endpoint"], body, headers, self.allowed)
        except outside.Inside:
            return REFUSED
        except OSError:
            return LATER
        if answer.status in _ENDED:
            return GONE
        if 200 <= answer.status < 300:
            return SENT
        return LATER if answer.status in (408, 429) or answer.status >= 500 else REFUSED

    def _encrypted(self, to: dict[str, str], text: bytes) -> bytes:
        import http_ece
        from cryptography.hazmat.primitives.asymmetric import ec

        key = ec.generate_private_key(ec.SECP256R1())
        return http_ece.encrypt(  # type: ignore[no-any-return]
            text, private_key=key, dh=_bytes(to["p256dh"]), auth_secret=_bytes(to["auth"]), version="aes128gcm"
        )


def message(notice: Notice) -> bytes:
    """A notice as declarative web push has it."""
    shown = {"title": notice.title, "body": notice.text, "navigate": notice.address, "tag": notice.address}
    return json.dumps({"web_push": 8030, "notification": shown}).encode()
