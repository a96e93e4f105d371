"""Deals of Villages of Valeria made strange: full villages, few cards, coins all over the table, level scores.

What is rigged keeps to what a game can come to: every card and every coin is in one place.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.valeria.referee import (
    FULL_VILLAGE,
    SOLO_CARDS,
    Adventurer,
    Building,
    Deck,
    Seat,
    points,
)
from thorp.games.valeria.rules.state import EVERYBODY, FIRST_ADVENTURER, PILES


@dataclass
class Table:
    """A deal taken apart."""

    deck_file: Deck
    rng: random.Random
    seats: list[Seat]
    deck: list[int]
    piles: list[list[int]]
    bank: int
    unseen: list[int]
    pool: list[int]
    turned: int = 0
    #: How often, out of ten, a card of a hand is known to all.
    open_cards: int = 0

    def building(self, card: int) -> Building:
        """The building on a card."""
        return self.deck_file.buildings[self.deck_file.cards[card][0]]

    def lower(self, card: int) -> int:
        """The resource on the lower half of a card."""
        return self.deck_file.cards[card][1]


def _villages(table: Table) -> None:
    """Buildings and adventurers stand in villages, up to one less than what ends the game."""
    rng = table.rng
    most = FULL_VILLAGE[len(table.seats)] - 1
    least = rng.choice((0, 0, most - 1, most))
    for seat in table.seats:
        size = rng.randint(least, most)
        for _ in range(3 * size):
            if len(seat.village) == size:
                break
            guests = [face for face in table.unseen if _would_come(table, seat, face)]
            if guests and rng.random() < 0.4:
                face = rng.choice(guests)
                table.unseen.remove(face)
                seat.village.append(table.deck_file.face(face))
            elif table.deck:
                card = rng.choice(table.deck)
                if table.building(card) not in seat.village:
                    table.deck.remove(card)
                    seat.village.append(table.building(card))


def _would_come(table: Table, seat: Seat, face: int) -> bool:
    adventurer = table.deck_file.face(face)
    return isinstance(adventurer, Adventurer) and seat.has_room_for(adventurer)


def _resources(table: Table) -> None:
    """Some cards of the deck are developed."""
    for seat in table.seats:
        for _ in range(table.rng.choice((0, 1, 2, 4, 6))):
            if table.deck:
                seat.resources[table.lower(table.deck.pop())] += 1


def _coins(table: Table) -> None:
    """The bank is somewhere else: in supplies, on castles and on resources."""
    rng = table.rng
    for _ in range(rng.choice((table.bank, rng.randint(0, table.bank)))):
        seat = rng.choice(table.seats)
        table.bank -= 1
        seat.coins += 1


def _coins_laid(table: Table) -> None:
    """Coins lie on castles and resources, so that little is free to be paid with, or little is in supplies."""
    rng = table.rng
    for seat in table.seats:
        if seat.coins and rng.random() < 0.5:
            seat.coins -= 1
            seat.castle = 1
        for kind in range(4):
            for _ in range(seat.resources[kind]):
                if seat.coins and rng.random() < 0.5:
                    seat.coins -= 1
                    seat.paid[kind] += 1


def _coins_gone(table: Table) -> None:
    """Nearly all coins are in the bank, or in one supply."""
    rng = table.rng
    heir = rng.choice([None, *table.seats])
    for seat in table.seats:
        spare = max(0, seat.coins - rng.randint(0, 2))
        seat.coins -= spare
        if heir is None:
            table.bank += spare
        else:
            heir.coins += spare


def _small_deck(table: Table) -> None:
    """Most cards of the deck lie in the piles."""
    rng = table.rng
    left = rng.choice((0, 0, 1, 2, 5))
    while len(table.deck) > left:
        rng.choice(table.piles).append(table.deck.pop())


def _no_cards(table: Table) -> None:
    """Nearly all cards are developed: the deck is empty, and piles have a card or two, or none."""
    rng = table.rng
    left = rng.choice((0, 0, 1, 3))
    while len(table.deck) > left:
        card = table.deck.pop()
        if rng.random() < 0.05:
            rng.choice(table.piles).append(card)
        else:
            rng.choice(table.seats).resources[table.lower(card)] += 1
    if not table.deck and all(len(pile) < 2 for pile in table.piles):
        for pile in table.piles:
            if pile and rng.random() < 0.5:
                rng.choice(table.seats).resources[table.lower(pile.pop())] += 1


def _alike(table: Table) -> None:
    """Hands have cards that are alike: the cards of hands and deck are dealt again in order."""
    rng = table.rng
    cards = sorted(table.deck + [card for seat in table.seats for card in seat.hand])
    sizes = [len(seat.hand) for seat in table.seats]
    first = rng.randrange(len(cards))
    cards = cards[first:] + cards[:first]
    for seat, size in zip(table.seats, sizes):
        seat.hand = cards[:size]
        cards = cards[size:]
    rng.shuffle(cards)
    table.deck = cards


def _hands(table: Table) -> None:
    """Hands of all sizes; one card each has to be there, to be developed."""
    for seat in table.seats:
        size = table.rng.choice((1, 1, 2, 3, 8, 9, 11))
        while len(seat.hand) > size:
            table.deck.append(seat.hand.pop())
        while len(seat.hand) < size and table.deck:
            seat.hand.append(table.deck.pop())
    table.rng.shuffle(table.deck)


def _open_hands(table: Table) -> None:
    """Cards of hands are known to all."""
    table.open_cards = table.rng.choice((3, 5, 10))


def _nothing(table: Table) -> None:
    """All cards but one in each hand are developed: ten rounds in which nothing can happen."""
    rng = table.rng
    cards = table.deck + [card for pile in table.piles for card in pile]
    table.deck = []
    table.piles = [[] for _ in table.piles]
    for seat in table.seats:
        cards += seat.hand[1:]
        del seat.hand[1:]
    for card in cards:
        rng.choice(table.seats).resources[table.lower(card)] += 1


def _few_adventurers(table: Table) -> None:
    """Hardly any adventurer is left, and the pool has gaps."""
    rng = table.rng
    del table.unseen[rng.choice((0, 0, 1, 2)) :]
    if not table.unseen:
        table.pool = [face if rng.random() < 0.7 else 0 for face in table.pool]


def _late(table: Table) -> None:
    """Solo: soon the last card is turned."""
    if len(table.seats) == 1:
        table.turned = SOLO_CARDS - table.rng.randint(1, 5)


def _level(table: Table) -> None:
    """Who has fewest points gets coins, so that many places are settled by the tie-breaks."""
    while table.bank:
        seat = min(table.seats, key=points)
        if points(seat) >= max(map(points, table.seats)):
            return
        table.bank -= 1
        seat.coins += 1


#: What can be rigged, and how often out of ten; in an order in which it goes together.
CHANGES: tuple[tuple[Callable[[Table], None], float], ...] = (
    (_alike, 3),
    (_hands, 2),
    (_villages, 6),
    (_resources, 5),
    (_coins, 4),
    (_coins_gone, 2),
    (_level, 3),
    (_coins_laid, 2),
    (_small_deck, 3),
    (_no_cards, 1),
    (_nothing, 0.3),
    (_open_hands, 4),
    (_few_adventurers, 2),
    (_late, 3),
)


def rig(deck_file: Deck, dealt: Any, rng: random.Random) -> None:
    """Change a plain state just dealt."""
    table = _taken_apart(deck_file, dealt, rng)
    for change, often in CHANGES:
        if rng.random() * 10 < often:
            change(table)
    put_together(table, dealt)


def _cards_of(dealt: Any, link: int) -> list[int]:
    cards = []
    while link:
        cards.append(link - 1)
        link = dealt.cards[link - 1].next
    return cards


def _taken_apart(deck_file: Deck, dealt: Any, rng: random.Random) -> Table:
    deck = list(dealt.deck[: dealt.deck_size])
    rng.shuffle(deck)
    unseen = [FIRST_ADVENTURER + place for place in range(len(deck_file.adventurers)) if dealt.unseen >> place & 1]
    rng.shuffle(unseen)
    players = dealt.players[: dealt.seats]
    return Table(
        deck_file=deck_file,
        rng=rng,
        seats=[Seat(coins=player.coins, hand=_cards_of(dealt, player.hand)) for player in players],
        deck=deck,
        piles=[_cards_of(dealt, dealt.piles[pile]) for pile in range(PILES)],
        bank=dealt.bank,
        unseen=unseen,
        pool=list(dealt.pool),
    )


def _link(dealt: Any, cards: list[int]) -> int:
    """Hangs a list of cards together; the link to its first card."""
    link = 0
    for card in reversed(cards):
        dealt.cards[card].next = link
        link = card + 1
    return link


def put_together(table: Table, dealt: Any) -> None:
    """Make a state be as a table is."""
    for card in dealt.cards:
        card.next = card.knows = 0
    dealt.deck = table.deck + [0] * (len(dealt.deck) - len(table.deck))
    dealt.deck_size = len(table.deck)
    dealt.piles = [_link(dealt, pile) for pile in table.piles]
    dealt.heights = [len(pile) for pile in table.piles]
    dealt.bank = table.bank
    dealt.unseen = sum(1 << face - FIRST_ADVENTURER for face in table.unseen)
    dealt.pool = table.pool
    dealt.turned = table.turned
    for place, seat in enumerate(table.seats):
        player = dealt.players[place]
        player.coins = seat.coins
        player.castle = seat.castle
        player.resources = seat.resources
        player.paid = seat.paid
        player.hand = _link(dealt, sorted(seat.hand))
        player.hand_size = len(seat.hand)
        for card in seat.hand:
            dealt.cards[card].knows = EVERYBODY if table.rng.random() * 10 < table.open_cards else 1 << place
        player.village = [card.face for card in seat.village] + [0] * (12 - len(seat.village))
        player.size = len(seat.village)
        player.types = seat.types()
        player.adventurers = seat.adventurers()
        player.cheaper = seat.cheaper()
        player.whens = seat.whens()
