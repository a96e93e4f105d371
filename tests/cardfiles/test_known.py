"""Cards in use: found by the state of every match that lives, however many others come and go."""

import copy
import gc
import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from thorp import GameError, Match, OptionError
from thorp.cardfiles.known import Known
from thorp.cardfiles.reader import Checked
from thorp.checks.matches import play_randomly
from thorp.games.tiny_towns.cards.known import CARD_SETS
from thorp.games.tiny_towns.rules.cards import CardSet
from thorp.games.valeria.decks.deck_toml import check, write
from thorp.games.valeria.decks.known import DECKS, FILES, FIRST, _load
from thorp.games.valeria.rules.deck import Deck

TEXT = FILES[FIRST].read_text("utf-8")
#: More than were ever remembered.
MANY = 5000


def deck(name: str) -> str:
    """A deck of its own."""
    assert TEXT.count('"Bakery"') == 1
    return TEXT.replace('"Bakery"', f'"{name}"')


def cards(name: str) -> str:
    """A file of one card."""
    return f'name = "{name}"\n[[card]]\nname = "Hut"\ntype = "chapel"\npattern = ["WS"]\npoints = 1\n'


def shown(match: Match) -> tuple[object, ...]:
    """All that a face says of a match."""
    seat = match.waiting[0]
    return match.view(seat), match.prompt(), [match.words(seat, move) for move in match.legal(seat)]


def test_a_table_is_played_on_while_thousands_of_decks_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    base = DECKS.of_value(deck("Oast House"))

    def quickly(data: bytes) -> Checked[Deck]:
        """Reading thousands of whole decks would take a minute."""
        return (replace(base, name=data.decode()), ()) if data.startswith(b"Other") else check(data)

    monkeypatch.setattr(DECKS, "_check", quickly)
    table = Match("valeria", 2, {"deck": deck("Malt House")}, seed=1)
    before = shown(table)
    for number in range(MANY):
        DECKS.numbers(f"Other {number}")
        if number % 100 == 0:
            play_randomly(table, random.Random(number), moves=1)
            assert shown(table)
    assert shown(table.at(0)) == before
    assert Match.load(table.export()).digest() == table.digest()


def forget() -> None:
    """Let go of all cards that nobody holds."""
    DECKS._parsed.cache_clear()
    CARD_SETS._parsed.cache_clear()
    gc.collect()


def test_what_nobody_plays_with_is_let_go_and_told_so() -> None:
    forget()
    before = len(DECKS._by_key), len(DECKS._by_text)
    match = Match("valeria", 2, {"deck": deck("Oast House")}, seed=1)
    game, state = match.game, match.state
    forget()
    assert game.face.view(state, 0) == match.view(0)
    del match
    forget()
    with pytest.raises(GameError, match="the deck of this state is not in use any more: keep its match"):
        game.face.view(state, 0)
    assert (len(DECKS._by_key), len(DECKS._by_text)) == before


@pytest.mark.parametrize("twin", [Match.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))])
def test_a_copy_keeps_its_cards_when_the_first_is_gone(twin) -> None:
    match = Match("valeria", 2, {"deck": deck("Oast House")}, seed=1)
    said = shown(match)
    other = twin(match)
    del match
    forget()
    assert shown(other) == said


def test_a_match_from_another_process_brings_its_cards() -> None:
    match = Match("valeria", 2, {"deck": deck("Oast House")}, seed=1)
    said, kept = shown(match), pickle.dumps(match)
    del match
    forget()
    assert shown(pickle.loads(kept)) == said


def test_the_end_of_one_match_takes_nothing_from_another_with_the_same_cards() -> None:
    first = Match("valeria", 2, {"deck": deck("Oast House")}, seed=1)
    said = shown(first)
    DECKS._parsed.cache_clear()
    second = Match("valeria", 2, {"deck": "# the same\n" + deck("Oast House")}, seed=1)
    del first
    forget()
    assert shown(second) == said


def test_threads_get_the_same_object() -> None:
    texts = [f"# {number}\n" + deck("Oast House") for number in range(64)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(DECKS.of_value, texts))
    assert len(set(map(id, found))) == 1


class Clash(Deck):
    """A deck whose number is that of all others of its kind."""

    key = 7  # type: ignore[assignment]


def test_two_decks_of_one_number_are_never_taken_for_each_other() -> None:
    def clashing(data: bytes) -> tuple[Deck | None, tuple[()]]:
        found, _ = check(data)
        assert found
        return Clash(found.name, found.buildings, found.adventurers), ()

    known = Known("deck", {FIRST: lambda: _load(FILES[FIRST])}, clashing, write)  # type: ignore[arg-type]
    first = known.of_value(deck("Oast House"))
    with pytest.raises(OptionError, match="told by the same number; change a name"):
        known.read(deck("Malt House"))
    assert known.of_key(7) is first


def test_a_set_of_cards_by_another_name_is_another() -> None:
    mine, yours = CARD_SETS.of_value(cards("Mine")), CARD_SETS.of_value(cards("Yours"))
    assert isinstance(mine, CardSet)
    assert (CARD_SETS.of_key(mine.key).name, CARD_SETS.of_key(yours.key).name) == ("Mine", "Yours")
