"""Broken requests, byte by byte, and rubbish in the place of files: all of it drawn from one source of chance."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import thorp.games.tiny_towns as tiny_towns
import thorp.games.valeria as valeria

#: A sound file of the one option of a game that takes one.
FILES = {
    "tiny-towns": ("cards", Path(tiny_towns.__file__).parent / "cards" / "printed.toml"),
    "valeria": ("deck", Path(valeria.__file__).parent / "decks" / "thorp.toml"),
}
#: What a request may hold at most, less what the form around a file takes.
ROOM = 60_000


# --- files -------------------------------------------------------------------------------------------------


def rubbish_file(rng: random.Random, game: str) -> str:
    """A text for an option that takes a file: a sound one that was harmed, or one that is meant to hurt."""
    text = FILES[game][1].read_text("utf-8")
    if rng.random() < 0.4:
        # behind the last card it is a part of that
        return f"{rng.choice(('', text))}{rng.choice(BOMBS)(rng)}"[:ROOM]
    for _ in range(rng.randint(0, 4)):
        text = rng.choice(HARMS)(rng, text)
    return text[:ROOM]


def _many(rng: random.Random, text: str) -> str:
    return text * (rng.choice((10, 300, ROOM)) // len(text))


#: Texts that are slow, deep or large to whoever is not careful.
BOMBS: tuple[Callable[[random.Random], str], ...] = (
    lambda rng: f"{_many(rng, 'a.')}a=1",
    lambda rng: f"[{_many(rng, 'a.')}a]\nb=1",
    lambda rng: f"points.{_many(rng, 'a.')}a=1",
    lambda rng: f"x={_many(rng, '[')}{_many(rng, ']')}",
    lambda rng: f"x={_many(rng, '{a=')}1",
    lambda rng: f"points = {_many(rng, '9')}",
    lambda rng: f"points = 0x{_many(rng, 'f')}",
    lambda rng: f"points = 1e{_many(rng, '9')}",
    lambda rng: f"points = {rng.choice(('nan', '-inf', '-0.0', '0000-00-00', '1979-05-27T07:32:00Z', '1_000'))}",
    lambda rng: f'name = "{_many(rng, chr(92) + "U0001F600")}"',
    lambda rng: f'name = "{chr(92)}u{rng.choice(("d800", "0000", "zzzz", "FFFF"))}"',
    lambda rng: "".join(f"k{number}=1\n" for number in range(rng.choice((10, 6000)))),
    lambda rng: "".join(f"[t{number}]\n" for number in range(rng.choice((10, 6000)))),
    lambda rng: _many(rng, "[[building]]\n"),
    lambda rng: _many(rng, rng.choice(("\x00", "\r", "\ufeff", "'", '"""', "\u2028", "#", "=", "\t"))),
    lambda rng: "".join(chr(rng.choice((rng.randrange(32, 127), rng.randrange(0xD7FF)))) for _ in range(200)),
)

#: A value in a sound file becomes one of these.
_ODD = (
    *("-1", "0", "1" * 30, "9" * 5000, "0x" + "f" * 5000, "1e400", "1.5", "nan", "true", "2026-01-01"),
    *("[]", "{}", "[[[]]]", "[{}, [], 1]", "{ a.b.c = 1 }", '""', "'''", '"\\u0000"', '"<b>"', '"{0}%s"'),
)


def _value(rng: random.Random, text: str) -> str:
    places = [place for place, sign in enumerate(text) if sign == "="]
    place = rng.choice(places) + 1 if places else 0
    return text[:place] + rng.choice(_ODD) + text[text.find("\n", place) :]


def _cut(rng: random.Random, text: str) -> str:
    low, high = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    return text[:low] + text[high:] if rng.random() < 0.5 else text[low:high]


def _twice(rng: random.Random, text: str) -> str:
    low, high = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    return text[:high] + text[low:high] + text[high:]


def _sign(rng: random.Random, text: str) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + rng.choice("[]{}=.\"'#\\\n\x00\x7fé") + text[place + rng.randrange(2) :]


HARMS: tuple[Callable[[random.Random, str], str], ...] = (_value, _value, _value, _cut, _twice, _sign)


# --- fields ------------------------------------------------------------------------------------------------


def odd_text(rng: random.Random) -> str:
    """Something for a field that nobody would write there."""
    return rng.choice(
        (
            "",
            "0",
            "-1",
            "1e9",
            "9" * rng.choice((9, 10, 5000)),
            "٣",
            "\x00",
            "%00",
            "é\ufeff\u202e",
            "\ud7ff\U0010ffff",
            "<script>alert(1)</script>",
            "{{ 7 * 7 }}",
            "{name}",
            "%(name)s",
            "'; DROP TABLE move; --",
            "../../etc/passwd",
            "".join(rng.choice(string.printable) for _ in range(rng.randrange(200))),
            "x" * rng.choice((41, 1000, 70_000)),
        )
    )


def odd_path(rng: random.Random, table: str) -> str:
    """An address that leads nowhere, or not there."""
    parts = (
        "",
        "..",
        "%00",
        "%ff",
        "%2e%2e",
        "tables",
        table,
        "static",
        "games",
        "valeria",
        "look",
        "me",
        "é",
        "a" * 500,
    )
    ends = (
        "",
        "/fragment",
        "/moves",
        "/events?nonce=%00",
        "/export.json",
        "/again",
        "/take-back",
        "/hint",
        "/review",
        "/at/0",
        "/at/0/picture.png",
        "/picture.png",
        "/at/1/play-on",
        "/sit",
        "/hand",
        ".css",
        "?since=%ff",
    )
    path = "/" + "/".join(rng.choice(parts) for _ in range(rng.randint(0, 4))) + rng.choice(ends)
    return "".join(sign if sign.isascii() else f"%{ord(sign) & 255:02x}" for sign in path)


# --- requests ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Raw:
    """Bytes for a connection of their own."""

    what: str
    data: bytes
    #: How the connection ends: all is sent and the answer read, nothing more comes, or it breaks.
    end: str = "read"
    #: Whether a move may be played for it, if only one cut short by a length that is wrong.
    whole: bool = False


def raw_request(rng: random.Random, host: str, cookie: str, table: str, body: bytes) -> Raw:
    """A broken post of a form that is sound, to a table of a person."""
    return rng.choice(RAW)(rng, _Post(host, cookie, f"/tables/{table}/moves", body))


@dataclass(frozen=True)
class _Post:
    host: str
    cookie: str
    path: str
    body: bytes

    def lines(self, *more: str, method: str = "POST", type: str = "application/x-www-form-urlencoded") -> bytes:
        """The head of the request, without a length."""
        head = (
            f"{method} {self.path} HTTP/1.1",
            f"Host: {self.host}",
            f"Cookie: {self.cookie}",
            "Connection: close",
            f"Content-Type: {type}",
            *more,
        )
        return "\r\n".join(head).encode("latin-1") + b"\r\n\r\n"

    def length(self, more: int = 0) -> str:
        """The header that says how long the body is, or that it is longer."""
        return f"Content-Length: {len(self.body) + more}"

    @property
    def chunked(self) -> bytes:
        """The body in two chunks."""
        half = len(self.body) // 2
        return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (self.body[:half], self.body[half:]))


def _cut_body(rng: random.Random, post: _Post) -> Raw:
    # what has come may be a form with another move in it: it must not be played
    sent = post.body[: rng.randrange(len(post.body))]
    return Raw("a body that breaks off", post.lines(post.length()) + sent, rng.choice(("shut", "break", "hold")))


def _longer_body(rng: random.Random, post: _Post) -> Raw:
    data = post.lines(post.length(rng.randint(1, 1000))) + post.body
    return Raw("a body shorter than it says", data, rng.choice(("shut", "break", "hold")))


def _cut_head(rng: random.Random, post: _Post) -> Raw:
    head = post.lines(post.length())
    return Raw("a head that breaks off", head[: rng.randrange(1, len(head) - 1)], rng.choice(("shut", "break", "hold")))


def _other_type(rng: random.Random, post: _Post) -> Raw:
    types = (
        "",
        "text/plain",
        "application/json",
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "\x00",
        "*/*",
    )
    types += ("multipart/form-data; boundary=x", "application/x-www-form-urlencoded; charset=utf-16", "a" * 9000)
    return Raw("another type", post.lines(post.length(), type=rng.choice(types)) + post.body, whole=True)


def _large_head(rng: random.Random, post: _Post) -> Raw:
    size = rng.choice((5_000, 70_000, 300_000))
    return Raw("a large head", post.lines(post.length(), f"X-Large: {'x' * size}") + post.body, whole=True)


def _many_headers(rng: random.Random, post: _Post) -> Raw:
    more = [f"X-{number}: {number}" for number in range(rng.choice((90, 1200)))]
    return Raw("many headers", post.lines(post.length(), *more) + post.body, whole=True)


def _odd_header(rng: random.Random, post: _Post) -> Raw:
    odd = rng.choice(
        (
            f"Cookie: {post.cookie.partition('=')[0]}={odd_text(rng)}",
            "Cookie: \xff\xfe=\xff",
            f'Cookie: {post.cookie.partition("=")[0]}="{chr(92) * 19_000}"',
            "Host: \xff",
            "Origin: \xff://[",
            "Origin: http://[::1",
            "Sec-Fetch-Site: \xff",
            "HX-Request: true\x00",
            "Thorp-Page: \xff\x80",
            "Accept-Encoding: \x80",
            "X-Forwarded-For: \xff, 1.2.3.4, x",
            "X-Forwarded-Proto: gopher",
            "Forwarded: for=;;;=",
            "Expect: 100-continue",
            "Expect: nonsense",
            "Range: bytes=-1-",
            "If-None-Match: \xff",
            "Upgrade: websocket",
            "Upgrade: h2c",
            " folded: x",
            "no colon",
            ": no name",
            "Content-Encoding: gzip",
            "Last-Event-ID: \xff",
        )
    )
    odd = odd.replace("\r", "").replace("\n", "")[:20_000].encode("latin-1", "replace").decode("latin-1")
    return Raw(f"the header {odd[:60]!r}", post.lines(post.length(), odd) + post.body, whole=True)


def _lengths(rng: random.Random, post: _Post) -> Raw:
    sound = post.length()
    odd = (f"Content-Length: {rng.choice(('-1', '+5', '0x10', '1e3', '', '9' * 30, '9' * 5000, '5, 5', '٣'))}",)
    more = rng.choice((odd, (sound, sound), (sound, post.length(7)), (sound, "Transfer-Encoding: chunked"), ()))
    data = post.lines(*(line.encode().decode("latin-1") for line in more)) + post.body
    return Raw(f"the lengths {more}", data, "shut", whole=True)


def _chunks(rng: random.Random, post: _Post) -> Raw:
    whole = post.chunked + b"0\r\n\r\n"
    ends = (
        whole,
        whole + b"GET / HTTP/1.1\r\n\r\n",
        whole[: rng.randrange(len(whole) - 5)],
        b"zz\r\n\r\n",
        b"ffffffffff\r\nx",
    )
    coding = rng.choice(("chunked", "chunked", "chunked", "gzip, chunked", "identity", "chunked, chunked"))
    data = post.lines(f"Transfer-Encoding: {coding}") + rng.choice(ends)
    return Raw(f"chunks ({coding})", data, "shut", whole=True)


def _methods(rng: random.Random, post: _Post) -> Raw:
    method = rng.choice(
        ("GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "post", "P\x00ST", "A" * 300)
    )
    return Raw(f"the method {method[:20]!r}", post.lines(post.length(), method=method) + post.body)


def _first_line(rng: random.Random, post: _Post) -> Raw:
    first = rng.choice(
        (
            b"POST / HTTP/0.9",
            b"POST / HTTP/2.0",
            b"POST http://elsewhere/tables HTTP/1.1",
            b"POST //elsewhere/tables HTTP/1.1",
            b"POST * HTTP/1.1",
            b"POST / HTTP/1.1\x00",
            b"GET /\xff\xfe\x80 HTTP/1.1",
            b"GET /%ff%fe?%ff=%fe&\xff HTTP/1.1",
            b"GET /tables/\x00 HTTP/1.1",
            b"GET / HTTP/1.1\r\nHost: a\r\nHost: b",
            b"GET",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            b"PRI * HTTP/2.0\r\n\r\nSM",
            b"GET /" + b"a" * 70_000 + b" HTTP/1.1",
            b"OPTIONS * HTTP/1.1",
        )
    )
    rest = post.lines(post.length()).partition(b"\r\n")[2]
    return Raw(f"the first line {first[:40]!r}", first + b"\r\n" + rest + post.body, "shut")


def _bytes(rng: random.Random, post: _Post) -> Raw:
    return Raw("any bytes", rng.randbytes(rng.randrange(1, 3000)), "shut")


def _one_harm(rng: random.Random, post: _Post) -> Raw:
    head = bytearray(post.lines(post.length()))
    for _ in range(rng.randint(1, 3)):
        head[rng.randrange(len(head))] = rng.randrange(256)
    return Raw("a byte of the head changed", bytes(head) + post.body, "shut", whole=True)


def _pipeline(rng: random.Random, post: _Post) -> Raw:
    more = b"".join(b"GET /credits HTTP/1.1\r\nHost: x\r\n\r\n" for _ in range(rng.randint(1, 30)))
    return Raw(
        "many requests at once", more + post.lines(post.length()) + post.body, rng.choice(("shut", "break")), True
    )


def _socket(rng: random.Random, post: _Post) -> Raw:
    more = (
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: " + "A" * 22 + "==",
    )
    return Raw("a web socket", post.lines(*more, method="GET"), "shut")


def _multipart(rng: random.Random, post: _Post) -> Raw:
    kinds = (
        b"--x\r\n\r\n\r\n--x--",
        b'--x\r\nContent-Disposition: form-data; name="counter"\r\n\r\n0\r\n--x',
        b'--x\r\nContent-Disposition: form-data; name="\xff"; filename="\xff\xfe"\r\n\r\n\xff\r\n--x--\r\n',
        b'--x\r\nContent-Disposition: form-data; filename=""\r\n\r\n0\r\n--x--\r\n',
        b"--x\r\nContent-Disposition: form-data\r\n\r\n0\r\n--x--\r\n",
        b"--x\r\nContent-Disposition: attachment; name=a\r\nContent-Type: \x00\r\n\r\n0\r\n--x--\r\n",
        b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n0\r\n' * 200 + b"--x--\r\n",
        b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n0\r\n' * 20 + b"--x--\r\n",
        b"--x\r\n" + b"A: b\r\n" * 2000 + b"\r\n0\r\n--x--\r\n",
    )
    body = rng.choice(kinds)
    types = (
        "multipart/form-data; boundary=x",
        "multipart/form-data; boundary=x; charset=undefined",
        "multipart/mixed; boundary=x",
    )
    head = post.lines(f"Content-Length: {len(body)}", type=rng.choice(types))
    return Raw(f"the parts {body[:60]!r}", head + body)


RAW: tuple[Callable[[random.Random, _Post], Raw], ...] = (
    _cut_body,
    _longer_body,
    _cut_head,
    _other_type,
    _large_head,
    _many_headers,
    _odd_header,
    _odd_header,
    _lengths,
    _chunks,
    _methods,
    _first_line,
    _bytes,
    _one_harm,
    _one_harm,
    _pipeline,
    _socket,
    _multipart,
)
