"""The log: what repeats takes one line a minute."""

import io
import logging

import pytest

from thorp.server.logs import Sparing


class Moment:
    """A clock that stands still until it is set."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Moment()


@pytest.fixture
def handler(clock):
    return Sparing(io.StringIO(), clock)


@pytest.fixture
def log(handler):
    log = logging.Logger("test")
    log.addHandler(handler)
    return log


def lines(handler):
    """What was written, without times."""
    return [line.partition(": ")[2] for line in handler.stream.getvalue().splitlines() if ": " in line]


def test_the_same_line_once_a_minute(log, handler, clock):
    for _ in range(1000):
        log.warning("no room for %s", "Ada")
    log.warning("something else")
    assert lines(handler) == ["no room for Ada", "something else"]
    clock.now = 59.0
    handler.tell_held()
    assert len(lines(handler)) == 2
    clock.now = 60.0
    handler.tell_held()
    assert lines(handler)[2:] == ["no room for Ada (and 999 more like it were held back)"]
    # it goes on; and when it has stopped, it is forgotten
    log.warning("no room for %s", "Ada")
    assert len(lines(handler)) == 3
    for clock.now in (120.0, 180.0):
        handler.tell_held()
    assert lines(handler)[3:] == ["no room for Ada (and 1 more like it were held back)"]
    log.warning("no room for %s", "Ada")
    assert lines(handler)[4:] == ["no room for Ada"]


def test_the_like_of_a_line_some_times_a_minute(log, handler, clock):
    for number in range(1000):
        log.warning("no room for %d", number)
    assert lines(handler) == [f"no room for {number}" for number in range(Sparing.VARIETY)]
    clock.now = 60.0
    log.warning("no room for %d", 5)
    assert lines(handler)[Sparing.VARIETY :] == [
        f"no room for 999 (and {1000 - Sparing.VARIETY} more like it were held back)",
        "no room for 5",
    ]


def test_errors_of_one_place_are_alike_whatever_is_said_of_them(log, handler):
    for number in range(100):
        try:
            raise OSError(number)
        except OSError:
            log.exception(f"<transport {number}>")
    assert handler.stream.getvalue().count("Traceback") == Sparing.VARIETY
    try:
        raise OSError
    except OSError:
        log.exception("<transport>")
    assert handler.stream.getvalue().count("Traceback") == Sparing.VARIETY + 1


def test_not_even_ever_new_lines_fill_the_memory(log, handler, monkeypatch):
    monkeypatch.setattr(Sparing, "KINDS", 5)
    for number in range(100):
        log.warning(f"line {number}")
    assert len(handler._kinds) == 6
    assert len(lines(handler)) == 5 + Sparing.VARIETY
