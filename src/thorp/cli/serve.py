"""What can be set about a server: on the command line, in the environment, and in a file; one list for all three."""

from __future__ import annotations

import argparse
import math
import os
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from thorp.cli.help import told
from thorp.core.words import Said
from thorp.server.settings import Settings

#: The environment has a setting under this and its name.
PREFIX = "THORP_"


@dataclass(frozen=True)
class _Setting:
    """A setting: how it is read, what it is called in the help, what the help says, and what holds without it."""

    name: str
    read: Callable[[str], Any]
    metavar: str
    help: Said[str]
    default: Any
    #: What the default means, where it is no value by itself.
    meant: Said[str] = ""

    @property
    def option(self) -> str:
        return "--" + self.name.replace("_", "-")


def add_arguments(parser: argparse.ArgumentParser, names: tuple[str, ...] = ()) -> None:
    """Add an option for every setting, or for those named."""
    where = parser.add_argument_group(
        told("settings"),
        told(
            "Each can be set in three places, of which the first counts: here; in the environment, where --streams is "
            "{name}; and in a file (--config), where it is streams = 20, and names are lists of texts.",
            name=f"{PREFIX}STREAMS",
        ),
    )
    where.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=told("a file of settings, in TOML (or {name}; default: none)", name=f"{PREFIX}CONFIG"),
    )
    for setting in _SETTINGS:
        if names and setting.name not in names:
            continue
        words = told("{what} (default: {meant})", what=told(setting.help), meant=_meant(setting))
        # What comes from elsewhere is read as what is given here, and only where nothing is given.
        where.add_argument(setting.option, type=setting.read, metavar=setting.metavar, help=words)


def _meant(setting: _Setting) -> str:
    if setting.meant:
        return told(setting.meant)
    if isinstance(setting.default, bool):
        return "yes" if setting.default else "no"
    return setting.default if isinstance(setting.default, str) else format(setting.default, "g")


def chosen(given: argparse.Namespace) -> dict[str, Any]:
    """All settings by their names. Says so and raises SystemExit where one cannot be read."""
    config = given.config or os.environ.get(f"{PREFIX}CONFIG")
    written = _written(Path(config)) if config else {}
    return {setting.name: _chosen(setting, given, written) for setting in _SETTINGS}


def _chosen(setting: _Setting, given: argparse.Namespace, written: dict[str, Any]) -> Any:
    if (value := getattr(given, setting.name, None)) is not None:
        return value
    name = f"{PREFIX}{setting.name.upper()}"
    if name in os.environ:
        return _read(setting, os.environ[name], name)
    if setting.name in written:
        return _read(setting, _text(setting.name, written[setting.name]), setting.name)
    return setting.default


def _read(setting: _Setting, text: str, where: str) -> Any:
    try:
        return setting.read(text)
    except (argparse.ArgumentTypeError, ValueError) as error:
        raise _wrong(f"thorp: {where}: {error}") from error


def _wrong(sentence: str) -> SystemExit:
    """What ends the program where a setting is wrong, as a wrong option would."""
    print(sentence, file=sys.stderr)
    return SystemExit(2)


def _written(path: Path) -> dict[str, Any]:
    """What a file of settings says."""
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise _wrong(f"thorp: The settings in {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise _wrong(f"thorp: The settings in {path} are no TOML: {error}.") from error
    known = {setting.name for setting in _SETTINGS}
    if unknown := sorted(found.keys() - known):
        raise _wrong(
            f"thorp: There is no setting {unknown[0]!r}, as {path} has it. `thorp serve --help` lists them all; in "
            "a file they have _ where options have -."
        )
    return found


def _text(name: str, value: Any) -> str:
    """A value of a file as the command line would have it."""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ",".join(value)
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise _wrong(f"thorp: {name}: a setting in a file is a number, a text, or a list of texts")


def settings_of(values: dict[str, Any]) -> Settings:
    """The settings of a server; those of where it listens are no part of them."""
    own = {field.name for field in fields(Settings)}
    return Settings(values["data"], **{name: value for name, value in values.items() if name in own})


def count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


def _amount(text: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = 0.0
    if not 0 < amount < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return amount


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a port")
    return int(text)


def _token(text: str) -> str:
    if len(text) < 16 or not text.isascii() or not text.isprintable() or " " in text:
        raise argparse.ArgumentTypeError("a token is at least 16 letters, digits and signs, without spaces")
    return text


def _log_format(text: str) -> str:
    if text not in ("text", "json"):
        raise argparse.ArgumentTypeError(f"{text!r} is neither text nor json")
    return text


def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (name.strip() for name in text.split(","))))


def _networks(text: str) -> tuple[str, ...]:
    for name in _names(text):
        try:
            ip_network(name, strict=False)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"{name!r} is neither an address nor a network, as 10.0.0.0/8") from error
    return _names(text)


def _mail_address(text: str) -> str:
    name, _, host = text.partition("@")
    if not name or "." not in host.strip(".") or not text.isascii() or not text.isprintable() or " " in text:
        raise argparse.ArgumentTypeError(f"{text!r} is not an e-mail address")
    return text


def _contact(text: str) -> str:
    if text.startswith("https://") and "." in text and "localhost" not in text:
        return text
    # Push services refuse what nobody can write to.
    return _mail_address(text.removeprefix("mailto:"))


def _smtp_tls(text: str) -> str:
    if text not in ("starttls", "tls", "none"):
        raise argparse.ArgumentTypeError(f"{text!r} is none of starttls, tls and none")
    return text


def _switch(text: str) -> bool:
    if text not in ("yes", "no"):
        raise argparse.ArgumentTypeError(f"{text!r} is neither yes nor no")
    return text == "yes"


_DEFAULTS = {field.name: field.default for field in fields(Settings)}


def _of(name: str, read: Callable[[str], Any], metavar: str, help: Said[str], meant: Said[str] = "") -> _Setting:
    return _Setting(name, read, metavar, help, _DEFAULTS[name], meant)


_SETTINGS = (
    _Setting("host", str, "ADDRESS", "address to listen on", "127.0.0.1", "127.0.0.1, this machine only"),
    _Setting("port", _port, "N", "port; 0: any free one", 8765),
    _Setting("workers", count, "N", "processes that share the work, on one port and one store", 1),
    _Setting("data", Path, "FOLDER", "folder of the database", None, "the user's data folder"),
    _of("database", str, "URL", "another database, as postgresql+asyncpg://thorp@db/thorp", "in --data"),
    _of("metrics_token", _token, "TOKEN", "who brings it may read /metrics; better set in a file", "nobody may"),
    _of("log_format", _log_format, "FORMAT", "the log in lines of text, or of json"),
    _of("hosts", _names, "NAMES", "names that it answers to, as a.example.org,*.example.net", "any name"),
    _of("proxies", _networks, "ADDRESSES", "proxies whose X-Forwarded-For counts, as 10.0.0.1,10.1.0.0/16", "not set"),
    _of(
        "connections",
        count,
        "N",
        "connections at the same time, within the limit of open files (ulimit -n)",
        "as many as that allows",
    ),
    _of("connections_each", count, "N", "connections of one address, proxies aside", "a quarter of all"),
    _of("head_time", _amount, "SECONDS", "time in which the head of a request has to come"),
    _of("body_time", _amount, "SECONDS", "time in which the body of a request has to come"),
    _of("read_time", _amount, "SECONDS", "time in which some of an answer has to be read"),
    _of("body_limit", count, "BYTES", "how large the body of a request may be"),
    _of("post_rate", _amount, "N", "posts of one person a second, on average; of an address, five times that"),
    _of("post_burst", count, "N", "posts of one person at once; of an address, five times that"),
    _of("look_rate", _amount, "N", "looks of one person at matches a second, on average; of an address, twice that"),
    _of("look_burst", count, "N", "looks of one person at matches at once; of an address, twice that"),
    _of("streams", count, "N", "live tables of one person at the same time; of an address, five times that"),
    _of("tables_hourly", count, "N", "tables that a person makes in an hour; an address, five times that"),
    _of("hints_hourly", count, "N", "hints that a person is given in an hour; an address, five times that"),
    _of("reviews_hourly", count, "N", "matches that are looked through for a person in an hour; likewise"),
    _of("tables_running", count, "N", "tables of the last month, not over, that one person has opened"),
    _of("contact", _contact, "ADDRESS", "whom push services may write to; without it, no push", "not set"),
    _of("smtp_host", str, "HOST", "mail server that takes notices; without it, none by e-mail", "not set"),
    _of("smtp_port", _port, "N", "its port", "587; 465 with tls, 25 with none"),
    _of("smtp_user", str, "NAME", "name to sign in there", "not set"),
    _of("smtp_password", str, "WORD", "password to sign in there; better set in a file", "not set"),
    _of("smtp_from", _mail_address, "ADDRESS", "from whom these letters come", "not set"),
    _of("smtp_tls", _smtp_tls, "HOW", "starttls, tls from the start, or none"),
    _of("webhooks", _switch, "yes|no", "whether people may be told in chats (needs thorp[webhooks])"),
    _of("webhook_hosts", _names, "HOSTS", "hosts of chats of your own, as ntfy.example.org:8080", "not set"),
    _of("notice_networks", _networks, "ADDRESSES", "networks that push may go to although they are private", "not set"),
    _of(
        "thinkers",
        count,
        "N",
        "processes in which bots think, at most, but one for each that serves",
        "as many as there are processors",
    ),
    _of("lessons", _switch, "yes|no", "whether games are learned for tables at which bots think"),
    _of("lobby", _switch, "yes|no", "whether the first page names tables that look for players"),
)
