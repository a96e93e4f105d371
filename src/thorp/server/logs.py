"""The log of a server: what repeats takes one line a minute, so that nothing that happens outside fills the disk."""

from __future__ import annotations

import json
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TextIO

FORMAT = "%(asctime)s %(levelname)s: %(message)s"


class AsJson(logging.Formatter):
    """A line of JSON for each record, for programs that gather logs: what the text has, and no more."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "source": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            said["trace"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


@dataclass
class _Kind:
    """What of one kind was written and held back since a moment."""

    since: float
    texts: set[str] = field(default_factory=set)
    held: int = 0
    #: What was held back last.
    last: logging.LogRecord | None = None


class Sparing(logging.StreamHandler[TextIO]):
    """Writes the same once a minute, and the like of it only so often; then it says how many it held back."""

    MINUTE = 60.0
    #: So many different lines of one kind a minute.
    VARIETY = 10
    #: So many kinds are told apart; what comes beyond counts as one.
    KINDS = 1000

    def __init__(
        self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic, *, as_json: bool = False
    ) -> None:
        super().__init__(stream)
        self.setFormatter(AsJson() if as_json else logging.Formatter(FORMAT))
        self.clock = clock
        self._kinds: OrderedDict[Hashable, _Kind] = OrderedDict()

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or hold it back."""
        self.tell_held()
        name = _kind_of(record)
        if name not in self._kinds and len(self._kinds) >= self.KINDS:
            name = None
        kind = self._kinds.setdefault(name, _Kind(self.clock()))
        text = _text_of(record)
        if text in kind.texts or len(kind.texts) >= self.VARIETY:
            kind.held += 1
            kind.last = record
            return
        kind.texts.add(text)
        super().emit(record)

    def tell_held(self) -> None:
        """Say how many were held back in the minutes that are over. Called now and then, it says so in time."""
        # whoever logs holds the lock already, and may take it again
        self.acquire()
        try:
            now = self.clock()
            while self._kinds:
                name, kind = next(iter(self._kinds.items()))
                if now - kind.since < self.MINUTE:
                    return
                del self._kinds[name]
                if kind.last is not None:
                    super().emit(_summary(kind.last, kind.held))
                    # it goes on, perhaps: that line counts for the minute that begins
                    self._kinds[name] = _Kind(now, {_text_of(kind.last)})
        finally:
            self.release()


def _summary(last: logging.LogRecord, held: int) -> logging.LogRecord:
    """The line in the place of those that were held back, of which `last` is one."""
    text = f"{_text_of(last)} (and {held} more like it were held back)"
    return logging.LogRecord(last.name, last.levelno, last.pathname, last.lineno, text, None, None)


def _kind_of(record: logging.LogRecord) -> Hashable:
    """What makes a record the like of another: the place of the error, or the message without what is put into it."""
    if record.exc_info and record.exc_info[0]:
        return record.name, record.levelno, record.exc_info[0], _place_of(record)
    return record.name, record.levelno, str(record.msg).partition("\n")[0]


def _text_of(record: logging.LogRecord) -> str:
    """The line that a record comes to."""
    line = record.getMessage().strip().partition("\n")[0]
    error = record.exc_info[1] if record.exc_info else None
    return f"{line}: {type(error).__name__} at {_place_of(record)}" if error else line


def _place_of(record: logging.LogRecord) -> str:
    trace = record.exc_info[2] if record.exc_info else None
    if trace is None:
        return "no place"
    while trace.tb_next:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
