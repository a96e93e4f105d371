"""Options that strangers send: a file holds nobody up, and what takes too long is refused."""

import asyncio
import html
import threading
from dataclasses import replace

import pytest
from jinja2 import pass_context
from jinja2.runtime import Context

from thorp.core.language import language, speaking
from thorp.core.options import OptionFile
from thorp.core.registry import _registry
from thorp.core.registry import game as find_game
from thorp.games.valeria.decks.known import FILES, FIRST
from thorp.server import threads
from thorp.server.tables import checking
from thorp.server.tables.checking import Checking
from thorp.server.tables.refusals import Illegal

from .conftest import GAME, HTMX

pytestmark = pytest.mark.anyio

TEXT = FILES[FIRST].read_text("utf-8")


class Held:
    """A checker that goes on until it is let go: a game of somebody else's may have such a one."""

    def __init__(self) -> None:
        self.free = threading.Event()
        self.at_work = threading.Semaphore(0)
        self.threads: list[threading.Thread] = []

    def read(self, text: str) -> str:
        if not self.free.is_set():
            assert threading.current_thread() is not threading.main_thread(), "the loop would stand still"
            self.threads.append(threading.current_thread())
            self.at_work.release()
            self.free.wait()
        return text

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        file = OptionFile(self.read, lambda value: (1, 2, 3), "Worth {}".format, ".txt")
        options = tuple(replace(option, file=file) if option.file else option for option in GAME.options)
        monkeypatch.setitem(_registry, GAME.id, replace(GAME, options=options))


@pytest.fixture
def held(monkeypatch):
    held = Held()
    held.install(monkeypatch)
    yield held
    held.free.set()
    for thread in held.threads:
        thread.join(10)


@pytest.fixture
async def ada(server):
    return await server.person("Ada")


def new_table(client, worth: str):
    return client.post("/tables", data={"game": "pebbles", "seats": "2", "option.worth": worth}, headers=HTMX)


async def test_others_are_answered_while_a_file_is_checked(server, ada, held):
    coming = asyncio.create_task(new_table(ada, "1 1 1"))
    await asyncio.to_thread(held.at_work.acquire)
    assert (await ada.get("/")).status_code == 200
    path = await server.table(ada)
    assert (await server.play(ada, path)).status_code == 200
    assert not coming.done()
    held.free.set()
    assert (await coming).status_code == 204


async def test_what_takes_too_long_is_refused_and_so_is_too_much(server, ada, held, monkeypatch):
    monkeypatch.setattr(checking, "SECONDS", 0.05)
    before = await server.rows()
    for _ in range(checking.THREADS):
        answer = await new_table(ada, "1 1 1")
        assert answer.status_code == 422
        assert "The file takes too long to check. Make it simpler" in html.unescape(answer.text)
    for _ in range(3):
        answer = await new_table(ada, "1 1 1")
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "2"
        assert "The server is checking other files just now." in html.unescape(answer.text)
    assert len(held.threads) == checking.THREADS
    assert all(thread.daemon for thread in held.threads)
    assert await server.rows() == before
    # what needs no check goes on
    assert await server.table(ada)
    held.free.set()
    for thread in held.threads:
        await asyncio.to_thread(thread.join)
    assert (await new_table(ada, "1 1 1")).status_code == 204


async def test_a_match_that_takes_too_long_may_be_sent_again(server, ada, monkeypatch):
    """Nobody can make it simpler, and where a machine has much to do it takes as long as it takes."""
    free = threading.Event()
    monkeypatch.setattr(checking, "SECONDS", 0.05)
    monkeypatch.setattr(checking, "_load", lambda text, require: free.wait())
    answer = await ada.post("/matches", files={"match": "{}"}, headers=HTMX)
    free.set()
    assert answer.status_code == 503
    assert "Try again in a moment." in html.unescape(answer.text)


async def test_who_leaves_takes_no_room_away(server, ada, held, monkeypatch):
    for _ in range(3):
        coming = asyncio.create_task(new_table(ada, "1 1 1"))
        await asyncio.to_thread(held.at_work.acquire)
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)
        held.free.set()
        await asyncio.to_thread(held.threads[-1].join)
        held.free.clear()
    held.free.set()
    assert (await new_table(ada, "1 1 1")).status_code == 204


async def test_where_there_are_no_threads_no_file_is_checked(server, ada, monkeypatch):
    class NoThread(threading.Thread):
        def start(self) -> None:
            raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threads, "Thread", NoThread)
        for _ in range(checking.THREADS + 1):
            answer = await new_table(ada, "1 1 1")
            assert answer.status_code == 503
            assert "can check no file just now" in answer.text
    assert (await new_table(ada, "1 1 1")).status_code == 204


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a." * 32_000 + "a=1", "a key in the file has too many parts"),
        ("points = " + "9" * 60_000, "a number in the file has too many digits"),
        ("points = 0x" + "f" * 60_000, "a number in the file has too many digits"),
        ("a=" + "[" * 20_000, "lie more than 8 deep in one another"),
        ("a=[" + "1," * 15_000 + "]", "the file has too many keys and values"),
    ],
)
async def test_a_deck_that_nobody_can_read_is_refused_in_a_sentence(ada, text, sentence):
    for field in ("option.deck", "file.deck"):
        answer = await ada.post("/tables", data={"game": "valeria", "seats": "2", field: text}, headers=HTMX)
        assert answer.status_code == 422
        said = html.unescape(answer.text)
        assert f"The deck cannot be used: {'' if 'lie' in sentence else sentence}" in said
        assert sentence in said
        assert len(said) < 1000


async def test_a_refused_option_is_called_by_its_name_and_is_english_in_the_log():
    game = find_game("villagers")
    first, second = game.options[:2]
    value = first.values[1]
    with speaking(language("es")), pytest.raises(Illegal) as refused:
        await Checking().options(game, 2, {first.id: value, second.id: value})
    card = first.label_of(value)
    told = f"{first.label} cannot be {card} too; the cards of the Starting Road are all different"
    assert str(refused.value) == f"{told}. Change it and try again."
    with speaking(language("es")) as spanish:
        here = spanish.within(game.words)
        assert refused.value.sentence.startswith(f"{here.text(first.label)} ")
        assert here.text(card) in refused.value.sentence
        assert "Cámbialo" in refused.value.sentence


async def test_a_deck_is_shown_by_its_name_whatever_it_is(server, ada, monkeypatch):
    """The label of a file is nothing of ours: it is escaped, and never taken for a text to be translated."""
    file = OptionFile(lambda text: text, lambda value: (1, 2, 3), str, ".txt")
    options = tuple(replace(option, file=file) if option.file else option for option in GAME.options)
    monkeypatch.setitem(_registry, GAME.id, replace(GAME, options=options))
    asked = []
    jinja = server.app.state.jinja
    english = jinja.filters["_"]

    @pass_context
    def noted(context: Context, text: str, /, **data: object) -> object:
        asked.append(text)
        return english(context, text, **data)

    monkeypatch.setitem(jinja.filters, "_", noted)
    for name in ("<script>alert(1)</script>", "%(n)s & {n} %"):
        asked.clear()
        answer = await new_table(ada, name)
        page = await ada.get(answer.headers["HX-Redirect"])
        assert page.status_code == 200
        assert f"Worth of stones: {html.escape(name, quote=False)}." in page.text
        assert "<script>alert" not in page.text
        assert "Worth of stones" in asked
        assert name not in asked


async def test_a_table_of_a_deck_that_cannot_be_read_any_more_is_closed(server, ada, monkeypatch):
    answer = await ada.post("/tables", data={"game": "valeria", "seats": "2", "option.deck": changed()}, headers=HTMX)
    path = answer.headers["HX-Redirect"]
    await server.quiet()
    server.app.state.tables._cache.clear()
    monkeypatch.setitem(_registry, "valeria", unreadable(_registry["valeria"]))
    gone = await ada.get(path)
    assert gone.status_code == 410
    assert "options that cannot be played here" in html.unescape(gone.text)


def changed() -> str:
    return TEXT.replace('"Bakery"', '"Oast House"')


def unreadable(game):
    """The game with an option that takes no file any more."""
    return replace(game, options=tuple(replace(option, file=None) for option in game.options))
