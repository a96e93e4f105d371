"""What whoever runs a server is told: figures, readiness, logs; and answers that are compressed."""

import asyncio
import io
import json
import logging
import zlib
from unittest import mock

import pytest

from thorp.server.logs import Sparing

from .conftest import page_open, replace, running
from .test_bad_input import assert_refused

pytestmark = pytest.mark.anyio

TOKEN = "a token of 16 signs and more".replace(" ", "-")


async def test_figures_are_for_who_brings_the_token(settings):
    async with running(replace(settings, metrics_token=TOKEN, hosts=("thorp.test",))) as server:
        ada = await server.person("Ada Lovelace")
        path = await server.table(ada)
        await server.play_out(path, ada)
        await server.quiet()
        await ada.get("/no/such/page/at/all")
        with mock.patch.object(server.app.state.store, "latest", None):
            assert (await ada.get(path)).status_code == 500
        await ada.request("WORD", "/")
        for headers in ({}, {"Authorization": TOKEN}, {"Authorization": "Bearer "}, {"Authorization": "Bearer é"}):
            raw = {name: value.encode() for name, value in headers.items()}
            assert_refused(await ada.get("/metrics", headers=raw), 404, "no such page")
        bearer = {"Authorization": f"Bearer {TOKEN}", "Host": "10.0.0.7"}
        answer = await server.client().get("/metrics", headers=bearer)
        assert answer.status_code == 200
        table = await server.at(path)
        said = answer.text
        assert 'thorp_matches_finished_total{game="pebbles"} 1.0' in said
        assert 'thorp_requests_total{method="POST",route="/tables",status="303"} 1.0' in said
        assert 'route="other"' in said
        assert 'thorp_requests_total{method="GET",route="/tables/{id}",status="500"} 1.0' in said
        assert "thorp_ready 1.0" in said
        for secret in ("Ada", table.id, str(table.row.seed), "WORD", "no/such", server.id_of(ada)):
            assert secret not in said


async def test_no_figures_without_a_token(server):
    assert_refused(await server.client().get("/metrics", headers={"Authorization": "Bearer "}), 404, "no such page")


async def test_ready_is_more_than_healthy(server):
    client = server.client()
    assert (await client.get("/readyz")).status_code == 200
    server.app.state.readiness.all_ready.clear()
    assert (await client.get("/readyz")).status_code == 503
    assert (await client.get("/healthz")).status_code == 200
    server.app.state.readiness.all_ready.set()


async def test_pages_and_fragments_are_compressed_and_small_things_are_not(server):
    ada = await server.person()
    path = await server.shared_table(ada)
    for address in ("/", path, f"{path}/fragment"):
        page = await ada.get(address, headers={"Accept-Encoding": "gzip"})
        assert page.headers["content-encoding"] == "gzip"
        assert page.headers["vary"] == "Accept-Encoding"
        plain = await ada.get(address, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert int(page.headers["content-length"]) < len(plain.content)
    assert "content-encoding" not in (await ada.get("/healthz", headers={"Accept-Encoding": "gzip"})).headers


async def test_every_event_of_a_stream_can_be_read_when_it_comes(server):
    ada = await server.person()
    path = await server.shared_table(ada)
    async with page_open(server, ada, path, **{"Accept-Encoding": "gzip"}) as page:
        unpack = zlib.decompressobj(16 + zlib.MAX_WBITS)
        start = await page.sent.get()
        assert (b"content-encoding", b"gzip") in start["headers"]
        text = ""

        async def until(mark: str) -> None:
            nonlocal text
            while mark not in text or not text.endswith("\n\n"):
                message = await asyncio.wait_for(page.sent.get(), 10)
                text += unpack.decompress(message["body"]).decode()

        await until(f'data-version="{(await server.at(path)).told}"')
        assert (await server.play(ada, path)).status_code == 200
        await until(f'data-version="{(await server.at(path)).told}"')


def test_a_log_for_programs_is_a_line_of_json_each():
    stream = io.StringIO()
    sparing = Sparing(stream, as_json=True)
    log = logging.Logger("thorp.test")
    log.addHandler(sparing)
    log.warning("somebody called %s", 'a "name"\n')
    try:
        raise ValueError("no")
    except ValueError:
        log.exception("it failed")
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert (first["level"], first["source"], first["message"]) == (
        "warning",
        "thorp.test",
        'somebody called a "name"\n',
    )
    assert first["time"].endswith("+00:00")
    assert "ValueError: no" in second["trace"]
