"""Where notices arrive in tests: a mail server, and the push service of a browser, both on this machine."""

from __future__ import annotations

import asyncio
import base64
import json
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


class Mailbox:
    """A mail server that keeps what it is sent; or is slow, or refuses."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.to: list[str] = []
        self.refuses = ""
        self.refuses_text = ""
        self.refuses_login = ""
        self.silent = False

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._talk(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.silent:
            await reader.read()
            return
        writer.write(b"220 here\r\n")
        while line := await reader.readline():
            word = line[:4].upper().strip()
            if word == b"EHLO":
                writer.write(b"250-here\r\n250 AUTH PLAIN\r\n")
            elif word == b"AUTH":
                writer.write((self.refuses_login or "235 yes").encode() + b"\r\n")
            elif word == b"DATA" and self.refuses_text:
                writer.write(self.refuses_text.encode() + b"\r\n")
            elif word == b"DATA":
                writer.write(b"354 go on\r\n")
                text = await reader.readuntil(b"\r\n.\r\n")
                self.letters.append(message_from_bytes(text[:-5], policy=policy.default))
                writer.write(b"250 taken\r\n")
            elif word == b"QUIT":
                writer.write(b"221 bye\r\n")
                return
            elif word == b"RCPT" and self.refuses:
                writer.write(self.refuses.encode() + b"\r\n")
            else:
                if word == b"RCPT":
                    self.to.append(line.decode().strip())
                writer.write(b"250 yes\r\n")
            await writer.drain()


@dataclass
class Browser:
    """A browser's push service, and the keys that only the browser has."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = b"0123456789abcdef"
    status: int = 201
    heads: list[dict[str, str]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    port: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = dict(line.split(": ", 1) for line in head.splitlines()[1:] if line)
        headers = {name.lower(): value for name, value in headers.items()}
        self.bodies.append(await reader.readexactly(int(headers["content-length"])))
        self.heads.append(headers)
        writer.write(f"HTTP/1.1 {self.status} So\r\nContent-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()

    @property
    def subscription(self) -> dict[str, str]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {
            "endpoint": f"http://127.0.0.1:{self.port}/push/abc",
            "p256dh": base64.urlsafe_b64encode(point).rstrip(b"=").decode(),
            "auth": base64.urlsafe_b64encode(self.secret).rstrip(b"=").decode(),
        }

    def read(self, body: bytes) -> dict[str, str]:
        """What was sent, as only this browser can read it."""
        text = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        return json.loads(text)["notification"]
