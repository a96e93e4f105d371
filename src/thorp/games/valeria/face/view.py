"""What a seat may see of a game of Villages of Valeria: an allow-list, never the record itself.

`steps` names what is clicked for a move, in order, by ids of elements:

==========================  =======================================================================================
`action-harvest` ..         the five fields of the action card, to lead an action
`follow`, `decline`         buttons: follow the action that is led, or do not
`pile-0` .. `pile-4`        the piles; `deck` is the deck: to draw from, and piles to discard onto
`hand-17`                   a card of the own hand, by its number (`CardView.number`)
`resource-2-food`           the resources of a kind of a seat, the own or another's: to lay a coin on one
`castle`                    the own castle
`power-3-0`                 a power of the own village, by place and row (`PowerView`): to use it, also to pay
`owed-food`                 which resource the castle or a power stands for
`pay-all`                   button: pay all that is left in the cheapest way
`adventurer-2`              an open adventurer, by its slot
`seat-2`                    a seat, from whose hand a card is taken
`done`                      button: use no more powers
==========================  =======================================================================================

Examples: draw ("pile-3",) or ("deck",); discard ("hand-17", "pile-0"); develop and build ("hand-17",); pay
("resource-1-wood",), ("castle", "owed-stone"), ("castle",) where one kind only is owed; ("power-3-0",), and
("power-3-0", "owed-magic") where the power gives any kind and several are owed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from thorp.games.valeria.decks.known import DECKS, is_thorps
from thorp.games.valeria.rules.deck import LANE, MOST_POWERS, Adventurer, Building, Deck
from thorp.games.valeria.rules.moves import MOVES
from thorp.games.valeria.rules.paying import LANE_MASK, can_build, cheapest
from thorp.games.valeria.rules.playing import play
from thorp.games.valeria.rules.powers import ACTIONS, ANY, RESOURCES, TYPES, WHAT_MASK, WHAT_SHIFT, Power
from thorp.games.valeria.rules.rounds import HAND_LIMIT, LIMIT_LARGE, LIMIT_SMALL, SMALL_TABLE, TURNED, waiting
from thorp.games.valeria.rules.scoring import bonus, coins_of, score
from thorp.games.valeria.rules.state import (
    DECK,
    DISCARD,
    FIRST_ADVENTURER,
    LEAD,
    LIMIT,
    OVER,
    PAY,
    PILES,
    SETUP,
    WATCHER,
    State,
)
from thorp.games.valeria.rules.villages import FOLLOW_PRICE, LEAD_PRICE, hire_price, usable

PHASES = (
    *("setup", "lead", "follow", "draw", "discard", "develop", "build", "pay", "recruit"),
    *("powers", "take", "limit", "over"),
)


@dataclass(frozen=True)
class CardView:
    """A building card: what it is as a building, and as a resource. Cards that are alike have different numbers."""

    number: int
    building: Building
    resource: str


@dataclass(frozen=True)
class HandCard:
    """A card of a hand, and how many that are alike."""

    card: CardView
    count: int
    #: The reader could build it now; the reader has a building of that name already. Of other hands never told.
    can_build: bool
    is_built: bool
    #: The resources of its cost that the reader would have to pay others for, or use a power or the castle for: they
    #: are not on own resources without a coin.
    lacks: tuple[str, ...]


@dataclass(frozen=True)
class PileView:
    """A pile: its cards from the top down; all saw them, and may look them up."""

    index: int
    cards: tuple[CardView, ...]
    #: The resources of the open card's cost that are not on own resources of the reader without a coin.
    lacks: tuple[str, ...]

    @property
    def top(self) -> CardView | None:
        """The open card; None where the pile is empty."""
        return self.cards[0] if self.cards else None


@dataclass(frozen=True)
class AdventurerView:
    """A place of the pool: its adventurer, or None where the deck of adventurers has run out."""

    slot: int
    card: Adventurer | None
    #: Types of buildings that the reader's village lacks for it, one by one.
    lacks: tuple[str, ...]


@dataclass(frozen=True)
class ResourceView:
    """The developed resources of a kind of a seat: how many, and how many of them bear a coin."""

    kind: str
    count: int
    coins: int

    @property
    def free(self) -> int:
        """How many can still be paid with."""
        return self.count - self.coins


@dataclass(frozen=True)
class PowerView:
    """A power of a card in a village."""

    place: int
    row: int
    power: Power
    #: It can be used now: the seat on turn is asked about powers. It has been used in this action.
    usable: bool
    used: bool

    @property
    def id(self) -> str:
        """The id of its element."""
        return f"power-{self.place}-{self.row}"


@dataclass(frozen=True)
class VillageCard:
    """A building or an adventurer in a village."""

    place: int
    card: Building | Adventurer
    powers: tuple[PowerView, ...]
    #: What its scoring powers are worth now.
    bonus: int
    #: It came in the action that is going on.
    fresh: bool

    @property
    def is_adventurer(self) -> bool:
        """Whether it is an adventurer."""
        return isinstance(self.card, Adventurer)


@dataclass(frozen=True)
class PlayerView:
    """What lies before a seat."""

    seat: int
    #: Whether this seat has to decide something now, whether it leads this turn, and whether it is still to be asked
    #: if it follows.
    waiting: bool
    active: bool
    to_follow: bool
    #: The seat that had the first turn.
    first: bool
    #: Coins in the supply; the coin on the castle; all its coins, those on its castle and resources included.
    coins: int
    castle_coin: bool
    all_coins: int
    #: One for each kind, in the order of RESOURCES, those it has none of too.
    resources: tuple[ResourceView, ...]
    village: tuple[VillageCard, ...]
    hand_size: int
    #: The cards of the hand that the reader knows: the own hand whole, of others what was taken face up.
    hand: tuple[HandCard, ...]
    #: What it pays for Recruit: led, or followed.
    recruit_lead: int
    recruit_follow: int
    score: int

    @property
    def size(self) -> int:
        """Buildings and adventurers together."""
        return len(self.village)

    @property
    def hidden(self) -> int:
        """Cards of the hand that the reader does not know."""
        return self.hand_size - sum(card.count for card in self.hand)

    def of_type(self, type: str) -> tuple[VillageCard, ...]:
        """The buildings of a type, in the order in which they were built."""
        return tuple(own for own in self.village if isinstance(own.card, Building) and own.card.type == type)

    @property
    def adventurers(self) -> tuple[VillageCard, ...]:
        """The adventurers of the village."""
        return tuple(own for own in self.village if own.is_adventurer)

    @property
    def is_low(self) -> bool:
        """Whether it takes little room: two of its columns, adventurers included, are empty, none has three cards."""
        columns = [len(self.of_type(type)) for type in TYPES] + [len(self.adventurers)]
        return columns.count(0) >= 2 and max(columns) < 3


@dataclass(frozen=True)
class PaymentView:
    """One resource of a payment: the resource, and the element that is clicked for it."""

    resource: str
    step: str
    #: One of "power", "own", "castle", "other".
    way: str
    #: The seat whose resource bears the coin, and the card whose power is used.
    owner: int | None
    card: Building | Adventurer | None


@dataclass(frozen=True)
class View:
    """A game of Villages of Valeria as a seat sees it; seat None is a spectator."""

    seat: int | None
    seats: int
    #: The name of the deck, and all its buildings and adventurers.
    deck_name: str
    deck_cards: tuple[Building | Adventurer, ...]
    #: The deck is Thorp's own design.
    deck_is_thorps: bool
    #: Turns begun.
    round: int
    #: One of PHASES.
    phase: str
    #: The seat that has to decide, the seat whose turn it is, and the action that it leads ("": none yet).
    turn: int
    active: int
    action: str
    #: Cards that can be drawn unseen.
    deck: int
    piles: tuple[PileView, ...]
    adventurers: tuple[AdventurerView, ...]
    #: Adventurers not yet seen.
    adventurer_deck: int
    bank: int
    players: tuple[PlayerView, ...]
    #: Buildings and adventurers in one village that end the game.
    limit: int
    #: What the seat on turn has still to do: cards to draw, to discard as a cost, to take from hands.
    draws: int
    discards: int
    takes: int
    #: Cards that the seat on turn has still to discard, as a cost or down to the limit of hands.
    discarding: int
    #: The card that is being built, and the resources that are still owed for it, one by one.
    building: CardView | None
    owed: tuple[str, ...]
    #: The cheapest way to pay that, told to the seat that pays.
    cheapest: tuple[PaymentView, ...]
    #: The power whose price in cards is being paid.
    power: Power | None
    #: What Recruit costs the seat on turn.
    recruit_price: int
    #: Solo: cards turned, and how many end the game; 0 at a table.
    turned: int
    turned_limit: int
    over: bool


def view(state: State, seat: int | None) -> View:
    """What `seat` may see; None is a spectator."""
    game = State.of(state)
    deck = DECKS.of_key(game.key)
    solo = game.seats == 1
    paying = game.phase == PAY or bool(game.building)
    return View(
        seat=seat,
        seats=game.seats,
        deck_name=deck.name,
        deck_cards=deck.every,
        deck_is_thorps=is_thorps(deck),
        round=game.round,
        phase=PHASES[game.phase],
        turn=game.turn,
        active=game.active,
        action=ACTIONS[game.action] if game.phase not in (SETUP, LEAD, OVER) else "",
        deck=game.deck_size,
        piles=tuple(_pile(game, pile, seat) for pile in range(PILES)),
        adventurers=tuple(_adventurer(game, deck, slot, face, seat) for slot, face in enumerate(game.pool)),
        adventurer_deck=game.unseen.bit_count(),
        bank=game.bank,
        players=tuple(_player(state, game, deck, other, seat) for other in range(game.seats)),
        limit=LIMIT_SMALL if game.seats <= SMALL_TABLE else LIMIT_LARGE,
        draws=game.draws,
        discards=game.discards,
        takes=game.takes,
        discarding=_discarding(game),
        building=card_view(game, game.building - 1) if paying else None,
        owed=owed_kinds(game),
        cheapest=_cheapest(state, game, deck) if game.phase == PAY and seat == game.turn else (),
        power=_power_paid(game, deck),
        recruit_price=int(hire_price(state, game.turn)),
        turned=game.turned,
        turned_limit=TURNED if solo else 0,
        over=game.phase == OVER,
    )


def _discarding(game: State) -> int:
    if game.phase == LIMIT:
        return game.players[game.turn].hand_size - HAND_LIMIT
    return game.discards if game.phase == DISCARD else 0


def card_view(game: State, card: int) -> CardView:
    """A building card, by its number."""
    building, resource = DECKS.of_key(game.key).cards[card]
    return CardView(card, building, resource)


def owed_kinds(game: State) -> tuple[str, ...]:
    """The resources that are still owed, one by one."""
    return tuple(kind for n, kind in enumerate(RESOURCES) for _ in range(game.owed >> LANE * n & LANE_MASK))


def _cheapest(state: State, game: State, deck: Deck) -> tuple[PaymentView, ...]:
    """What `pay_all` would do, resource by resource; a card that it costs is any one."""
    seat, trial, found = game.turn, state.copy(), []
    for left in reversed(range(len(owed_kinds(game)))):
        move = int(cheapest(trial, seat))
        name, given = MOVES.decode(move)
        found.append(
            PaymentView(
                resource=RESOURCES[given["resource"]],
                step=steps(trial, seat, move)[0],
                way={"pay_own": "own", "pay_castle": "castle", "pay_other": "other"}.get(name, "power"),
                owner=payee(game, seat, given) if name == "pay_other" else None,
                card=deck.face(game.players[seat].village[given["place"]]) if "place" in given else None,
            )
        )
        if left:
            play(trial, seat, move)
            now = State.of(trial)
            if PHASES[now.phase] == "discard":
                play(trial, seat, MOVES.encode("discard", card=now.players[seat].hand - 1, pile=0))
    return tuple(found)


def linked(game: State, link: int) -> list[int]:
    """The cards of a hand or of a pile."""
    cards = []
    while link:
        cards.append(link - 1)
        link = game.cards[link - 1].next
    return cards


def _pile(game: State, pile: int, seat: int | None) -> PileView:
    cards = tuple(card_view(game, card) for card in linked(game, game.piles[pile]))
    return PileView(pile, cards, _lacks(game, seat, cards[0]) if cards and seat is not None else ())


def _lacks(game: State, seat: int, card: CardView) -> tuple[str, ...]:
    """What of a card's cost the own resources of a seat do not pay."""
    player = game.players[seat]
    cost = card.building.cost
    return tuple(
        kind for n, kind in enumerate(RESOURCES) for _ in range(cost[n] - (player.resources[n] - player.paid[n]))
    )


def drawn_by(game: State) -> tuple[Building | Adventurer, ...]:
    """The cards whose powers to draw the seat on turn has used in this action; without one it draws for the action."""
    deck, player = DECKS.of_key(game.key), game.players[game.turn]
    return tuple(
        card
        for place in range(player.size)
        for card in (deck.face(player.village[place]),)
        for row, power in enumerate(card.powers)
        if power.do == "draw" and game.used >> (MOST_POWERS * place + row) & 1
    )


def _power_paid(game: State, deck: Deck) -> Power | None:
    """The power that cards are discarded for."""
    if not game.power:
        return None
    village = game.players[game.turn].village[: game.players[game.turn].size]
    return next(power for face in village for power in deck.face(face).powers if power.code == game.power)


def _adventurer(game: State, deck: Deck, slot: int, face: int, seat: int | None) -> AdventurerView:
    if not face:
        return AdventurerView(slot, None, ())
    card = deck.adventurers[face - FIRST_ADVENTURER]
    has = game.players[seat].types if seat is not None else [0] * len(TYPES)
    lacks = tuple(type for n, type in enumerate(TYPES) for _ in range(card.needs[n] - has[n]))
    return AdventurerView(slot, card, lacks if seat is not None else ())


def _player(state: State, game: State, deck: Deck, seat: int, reader: int | None) -> PlayerView:
    player = game.players[seat]
    asked = int(waiting(state))
    ahead = (seat - game.turn) % game.seats
    leader_ahead = (game.active - game.turn) % game.seats
    in_action = game.phase not in (SETUP, LEAD, OVER)
    return PlayerView(
        seat=seat,
        waiting=bool(asked >> seat & 1),
        active=seat == game.active and game.phase not in (SETUP, OVER),
        to_follow=in_action and ahead > 0 and (leader_ahead == 0 or ahead < leader_ahead),
        first=seat == game.first,
        coins=player.coins,
        castle_coin=bool(player.castle),
        all_coins=int(coins_of(state, seat)),
        resources=tuple(ResourceView(kind, player.resources[n], player.paid[n]) for n, kind in enumerate(RESOURCES)),
        village=tuple(_village_card(state, game, deck, seat, place) for place in range(player.size)),
        hand_size=player.hand_size,
        hand=_hand(state, game, seat, reader),
        recruit_lead=max(0, LEAD_PRICE - player.cheaper),
        recruit_follow=max(0, FOLLOW_PRICE - player.cheaper),
        score=int(score(state, seat)),
    )


def _village_card(state: State, game: State, deck: Deck, seat: int, place: int) -> VillageCard:
    face = game.players[seat].village[place]
    on_turn = seat == game.turn
    powers = tuple(
        PowerView(
            place=place,
            row=row,
            power=power,
            usable=on_turn and PHASES[game.phase] == "powers" and bool(usable(state, seat, place, row)),
            used=on_turn and bool(game.used >> (MOST_POWERS * place + row) & 1),
        )
        for row, power in enumerate(deck.face(face).powers)
    )
    return VillageCard(
        place=place,
        card=deck.face(face),
        powers=powers,
        bonus=int(bonus(state, seat, face)),
        fresh=on_turn and game.fresh == place + 1,
    )


def _hand(state: State, game: State, seat: int, reader: int | None) -> tuple[HandCard, ...]:
    """The cards of a hand that a reader knows, ones that are alike together."""
    bit = WATCHER if reader is None else reader
    player = game.players[seat]
    built = set(player.village[: player.size])
    shown: dict[tuple[int, int], HandCard] = {}
    for number in linked(game, player.hand):
        card = game.cards[number]
        if not card.knows >> bit & 1:
            continue
        alike = (card.face, card.lower)
        if alike in shown:
            before = shown[alike]
            shown[alike] = HandCard(before.card, before.count + 1, before.can_build, before.is_built, before.lacks)
            continue
        own = seat == reader
        found = card_view(game, number)
        shown[alike] = HandCard(
            card=found,
            count=1,
            can_build=own and bool(can_build(state, seat, number)),
            is_built=own and card.face in built,
            lacks=_lacks(game, seat, found) if own else (),
        )
    return tuple(shown.values())


# --- what to click ----------------------------------------------------------------------------------------------


def steps(state: State, seat: int, move: int) -> tuple[str, ...]:
    """What to click for a move, in order: ids of elements on the table (see above)."""
    name, given = MOVES.decode(move)
    game = State.of(state)
    match name:
        case "lead":
            return (f"action-{ACTIONS[given['action']]}",)
        case "draw":
            return ("deck" if given["pile"] == DECK else f"pile-{given['pile']}",)
        case "discard":
            return (f"hand-{given['card']}", f"pile-{given['pile']}")
        case "develop" | "build":
            return (f"hand-{given['card']}",)
        case "pay_free" | "pay_costly":
            return (f"power-{given['place']}-{given['row']}", *_stands_for(game, given, gives_any(game, seat, given)))
        case "pay_own":
            return (f"resource-{seat}-{RESOURCES[given['resource']]}",)
        case "pay_castle":
            return ("castle", *_stands_for(game, given, True))
        case "pay_other":
            return (f"resource-{payee(game, seat, given)}-{RESOURCES[given['resource']]}",)
        case "pay_all":
            return ("pay-all",)
        case "recruit":
            return (f"adventurer-{given['slot']}",)
        case "use":
            return (f"power-{given['place']}-{given['row']}",)
        case "take":
            return (f"seat-{given['seat']}",)
    return (name,)


def _stands_for(game: State, given: Mapping[str, int], any_kind: bool) -> tuple[str, ...]:
    """Which resource is meant, where that has to be said."""
    several = len(set(owed_kinds(game))) > 1
    return (f"owed-{RESOURCES[given['resource']]}",) if any_kind and several else ()


def gives_any(game: State, seat: int, given: Mapping[str, int]) -> bool:
    """Whether a resource power gives any kind."""
    power = game.faces[game.players[seat].village[given["place"]]].powers[given["row"]]
    return power >> WHAT_SHIFT & WHAT_MASK == ANY


def payee(game: State, seat: int, given: Mapping[str, int]) -> int:
    """The seat whose resource is paid."""
    return (seat + given["clockwise"] + 1) % game.seats


assert len(PHASES) == OVER + 1
