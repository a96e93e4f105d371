"""A PostgreSQL in which tests may make databases."""

from __future__ import annotations

import asyncio
import contextlib
import os
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import asyncpg
import pytest
from sqlalchemy.engine import make_url

POSTGRES = make_url(os.environ.get("THORP_TEST_POSTGRES", "postgresql+asyncpg://postgres@127.0.0.1:5432/test"))


def _say(sentence: str) -> None:
    async def say() -> None:
        connection = await asyncpg.connect(POSTGRES.set(drivername="postgresql").render_as_string(False), timeout=5)
        try:
            await connection.execute(sentence)
        finally:
            await connection.close()

    # In a thread: where a browser is open its event loop is in the way.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, say()).result()


@contextlib.contextmanager
def database(like: str = "") -> Iterator[str]:
    """The address of an empty database, or of a copy of another one to which nobody is connected.

    Skips the test where no PostgreSQL can be reached.
    """
    name = f"thorp_{uuid.uuid4().hex}"
    try:
        _say(f"CREATE DATABASE {name} TEMPLATE {make_url(like).database if like else 'template1'}")
    except (OSError, asyncpg.PostgresError) as error:
        pytest.skip(f"no PostgreSQL can be reached at {POSTGRES} ({error})")
    yield POSTGRES.set(database=name).render_as_string(False)
    _say(f"DROP DATABASE {name} WITH (FORCE)")
