"""What a seat may see of a game of Villagers: an allow-list, never the record itself.

`steps` names what is clicked for a move, in order, by ids of elements:

=====================  ============================================================================================
`road-0` .. `road-5`   the cards of the Road, left to right
`stack-0` .. `stack-5` the stacks 1 to 6; `stack-6` is the Reserve
`hand-17`              a card of the own hand, by its face (`Villager.number`): copies are one element
`card-113`             a card in a village, by its number (`VillageCard.id`)
`basic-0` .. `basic-2` the piles of Hayers, Lumberjacks and Miners
`new`                  a chain of its own; `new-food` the Founders with the food side up
`play`                 play a card that is discarded (Tinner, Smuggler)
`event-0`, `event-1`   an open event: discard it by the Jester (after `jester`)
=====================  ============================================================================================

and the buttons `leave` (no coin), `done`, `free` (open a padlock by the Tinner), `jester`, `bear`, `ransom`. Examples:
draft ("road-2",) or ("stack-4",); lay a coin ("road-2",); give a card up ("hand-17", "basic-1", "stack-3"); build
("hand-17", "new") or ("hand-17", "card-113"), with Monks below ("hand-17", "hand-46", "card-113"), one step for each;
an Apprentice ("hand-47", "card-102"), then the freed villager like a build without its first step. Monks that are freed
are no steps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from thorp.games.villagers.rules.building import freed_monks, target
from thorp.games.villagers.rules.cards import (
    BASICS,
    COUNTS,
    EVENTS,
    FOUNDERS,
    FOUNDERS_FOOD,
    MONK,
    ON_ROLE,
    ROLE_ON_ROLE,
    ROLES,
    SHOWN,
    SMUGGLER,
    SUIT,
    SUITS,
    TINNER,
    UNLOCKERS,
    VILLAGERS,
    Event,
    Villager,
    number,
)
from thorp.games.villagers.rules.events import event_op, picked
from thorp.games.villagers.rules.moves import BASES, COUNTESS_SINK, FOOD_SIDE, MOVES
from thorp.games.villagers.rules.rounds import LEAST, MOST, waiting
from thorp.games.villagers.rules.scoring import score, silver, silver_of
from thorp.games.villagers.rules.state import (
    BUILD,
    COUNTESS_SEAT,
    OVER,
    RESERVE,
    ROAD,
    STACKS,
    WATCHER,
    State,
)
from thorp.games.villagers.rules.unlocking import DEAR_PRICE, PRICE
from thorp.games.villagers.rules.village import (
    ALL_COINS,
    ANY,
    BEST_GOLD,
    BUILDERS,
    FOOD,
    GOLD,
    base_node,
    tally,
    unlocker,
)

PHASES = ("draft", "give", "guard", "build", "rats", "arson", "event", "over")


@dataclass(frozen=True)
class RoadView:
    """A place of the Road: its card, or None where it is empty, and the gold that lies on it."""

    slot: int
    card: Villager | None
    coins: int


@dataclass(frozen=True)
class PileView:
    """A stack, or the Reserve: how high it is, the suit on the back of its top card, and that card to who knows it."""

    index: int
    height: int
    suit: str
    known: Villager | None
    #: "first" below stack 2, "second" below stack 6: the market that its end announces.
    market: str

    @property
    def is_reserve(self) -> bool:
        """Whether it is the Reserve."""
        return self.index == RESERVE


@dataclass(frozen=True)
class VillageCard:
    """A villager in a village."""

    id: int
    card: Villager
    covered: bool
    coins: int
    #: What a Monk or an Apprentice stands for.
    stands_for: Villager | None
    #: What its silver would pay now; 0 without silver or covered.
    silver: int


@dataclass(frozen=True)
class ChainView:
    """A chain: the villager at the bottom, and its branches, each from below to the top. Solitary ones have none."""

    bottom: VillageCard
    branches: tuple[tuple[VillageCard, ...], ...]

    @property
    def suit(self) -> str:
        """The suit of the chain: of the villager that its bottom is or stands for."""
        return (self.bottom.stands_for or self.bottom.card).suit

    @property
    def tops(self) -> tuple[VillageCard, ...]:
        """The villagers that show."""
        return tuple(branch[-1] for branch in self.branches) or (self.bottom,)


@dataclass(frozen=True)
class HandCard:
    """A card of the hand, and how many copies of it."""

    card: Villager
    count: int
    #: What the Second Market would pay for its silver if it stood in the village as that is now; 0 without silver.
    silver: int = 0


@dataclass(frozen=True)
class Income:
    """What a village would be paid now, source by source."""

    gold: int
    coins: int
    silver: int

    @property
    def first(self) -> int:
        """What the First Market would pay."""
        return self.gold + self.coins

    @property
    def second(self) -> int:
        """What the Second Market would pay."""
        return self.gold + self.coins + self.silver


@dataclass(frozen=True)
class PlayerView:
    """What lies before a seat; in solo play the Countess is seat 1."""

    seat: int
    is_countess: bool
    #: Whether this seat has to decide something now, and whether it is the first of the round.
    waiting: bool
    first: bool
    gold: int
    chains: tuple[ChainView, ...]
    #: Cards in the village.
    cards: int
    food: int
    builders: int
    #: Cards drafted in this round of how many; build actions used of how many (before the build phase: as builders
    #: show now).
    drafted: int
    draft_limit: int
    built: int
    build_limit: int
    #: Cards given up in this turn; whether a Tinner is at work, which ends with the turn.
    exchanged: int
    tinner: bool
    #: The suits on the backs of the hand, with numbers; the cards themselves where the reader knows them: the whole
    #: hand of its owner, sorted by suit, and of others what is known of them.
    backs: tuple[tuple[str, int], ...]
    hand: tuple[HandCard, ...]
    #: The most gold that is printed on a villager of the village, covered ones too.
    best_gold: int
    #: What the markets would pay now; what the First Market paid; the points as if the game ended now.
    income: Income
    first_income: int
    score: int


@dataclass(frozen=True)
class View:
    """A game of Villagers as a seat sees it; seat None is a spectator."""

    seat: int | None
    seats: int
    round: int
    #: "draft", "give" (to the Countess), "guard" (coins on the Road), "build", "rats", "arson", "event" or "over".
    phase: str
    turn: int
    first: int
    road: tuple[RoadView, ...]
    stacks: tuple[PileView, ...]
    reserve: PileView
    #: Cards that lie face up on the discards.
    discards: tuple[HandCard, ...]
    #: Hayers, Lumberjacks and Miners left, with their cards.
    basics: tuple[tuple[Villager, int], ...]
    #: The most cards given up in a turn, or 0.
    exchange_limit: int
    first_market_held: bool
    #: Markets whose stacks are empty: held at the end of this round.
    first_market_due: bool
    second_market_due: bool
    players: tuple[PlayerView, ...]
    #: Solo: her village.
    countess: PlayerView | None
    #: Solo: open events by slot, the one that happens now, and whether the Jester is still there.
    events: tuple[Event | None, ...]
    event: int | None
    jester: bool
    #: The villager whose padlock is being paid for, and the one that an Apprentice has freed.
    paying: Villager | None
    freed: Villager | None
    #: What opening a padlock at the bank costs.
    bank_price: int
    over: bool


def view(state: State, seat: int | None) -> View:
    """What `seat` may see; None is a spectator."""
    game = State.of(state)
    reader = 1 << (WATCHER if seat is None else seat)
    solo = game.seats == 1
    asked = waiting(state)
    phase = PHASES[game.phase]
    empty = [game.piles[stack] == 0 for stack in range(STACKS)]
    return View(
        seat=seat,
        seats=game.seats,
        round=game.round,
        phase=phase,
        turn=game.turn,
        first=game.first,
        road=tuple(
            RoadView(slot, VILLAGERS[game.cards[link - 1].face] if link else None, game.road_coins[slot])
            for slot, link in enumerate(game.road)
        ),
        stacks=tuple(_pile(game, stack, reader) for stack in range(STACKS)),
        reserve=_pile(game, RESERVE, reader),
        discards=_sorted([game.cards[node].face for node in linked(game, game.discards)]),
        basics=tuple((VILLAGERS[number(id)], game.basics[index]) for index, id in enumerate(BASICS)),
        exchange_limit=game.exchange_limit,
        first_market_held=bool(game.first_market),
        first_market_due=not game.first_market and empty[0] and empty[1],
        second_market_due=all(empty),
        players=tuple(_player(state, game, other, reader, asked) for other in range(game.seats)),
        countess=_player(state, game, COUNTESS_SEAT, reader, asked) if solo else None,
        events=tuple(EVENTS[event - 1] if event else None for event in game.events) if solo else (),
        event=game.event if phase == "event" else None,
        jester=solo and not game.jester_used,
        paying=VILLAGERS[number(UNLOCKERS[game.locked - 1])] if game.locked else None,
        freed=VILLAGERS[game.cards[game.freed - 1].face] if game.freed else None,
        bank_price=DEAR_PRICE if "bank_price" in [EVENTS[event - 1].op for event in game.events if event] else PRICE,
        over=game.phase == OVER,
    )


def linked(game: State, link: int) -> list[int]:
    """The nodes of a list."""
    nodes = []
    while link:
        nodes.append(link - 1)
        link = game.cards[link - 1].next
    return nodes


def _sorted(faces: list[int]) -> tuple[HandCard, ...]:
    """Cards by suit and name, copies together."""
    order = sorted(set(faces), key=lambda face: (SUITS.index(VILLAGERS[face].suit), face))
    return tuple(HandCard(VILLAGERS[face], faces.count(face)) for face in order)


def _pile(game: State, index: int, reader: int) -> PileView:
    market = {1: "first", STACKS - 1: "second"}.get(index, "")
    if game.piles[index] == 0:
        return PileView(index, 0, "", None, market)
    top = game.cards[game.piles[index] - 1]
    known = VILLAGERS[top.face] if top.knows & reader else None
    return PileView(index, game.heights[index], SUITS[SUIT[top.face]], known, market)


def _player(state: State, game: State, seat: int, reader: int, asked: int) -> PlayerView:
    player = game.players[seat]
    hand = linked(game, player.hand)
    suits = [SUITS[SUIT[game.cards[node].face]] for node in hand]
    solo_countess = seat >= game.seats
    builders = tally(state, seat, BUILDERS, ANY)
    return PlayerView(
        seat=seat,
        is_countess=solo_countess,
        waiting=bool(asked >> seat & 1),
        first=not solo_countess and game.first == seat,
        gold=player.gold,
        chains=_chains(state, game, seat),
        cards=player.village_size,
        food=tally(state, seat, FOOD, ANY),
        builders=builders,
        drafted=player.drafted,
        draft_limit=player.draft_limit,
        built=player.built,
        build_limit=player.build_limit or min(MOST, LEAST + builders),
        exchanged=player.exchanged,
        # the record keeps it until the next round
        tinner=bool(player.tinner) and game.phase == BUILD and game.turn == seat,
        backs=tuple((suit, suits.count(suit)) for suit in SUITS if suit in suits),
        hand=tuple(
            replace(card, silver=_silver_built(state, seat, card.card))
            for card in _sorted([game.cards[node].face for node in hand if game.cards[node].knows & reader])
        ),
        best_gold=tally(state, seat, BEST_GOLD, ANY),
        income=Income(
            gold=tally(state, seat, GOLD, ANY),
            coins=tally(state, seat, ALL_COINS, ANY),
            silver=silver(state, seat),
        ),
        first_income=player.first_income,
        score=score(state, seat),
    )


def _silver_built(state: State, seat: int, villager: Villager) -> int:
    """What the silver of a card of the hand would pay in the village: it may count itself, and covers nothing."""
    silver = villager.silver
    if silver is None:
        return 0
    counts = COUNTS.index(silver.counts)
    suit = SUITS.index(silver.suit) if silver.suit else ANY
    itself = int(SHOWN[counts][villager.number]) if suit in (ANY, SUITS.index(villager.suit)) else 0
    return silver.times * ((int(tally(state, seat, counts, suit)) + itself) // silver.per)


def _chains(state: State, game: State, seat: int) -> tuple[ChainView, ...]:
    """The chains of a village, the oldest first."""
    nodes = linked(game, game.players[seat].village)[::-1]
    above: dict[int, list[int]] = {node: [] for node in nodes}
    for node in nodes:
        if game.cards[node].below:
            above[game.cards[node].below - 1].append(node)
    shown = {node: _village_card(state, game, seat, node) for node in nodes}
    chains = []
    for node in nodes:
        if game.cards[node].below:
            continue
        branches = []
        for branch in above[node]:
            cards = [branch]
            while above[cards[-1]]:
                cards.append(above[cards[-1]][0])
            branches.append(tuple(shown[card] for card in cards))
        chains.append(ChainView(shown[node], tuple(branches)))
    return tuple(chains)


def _village_card(state: State, game: State, seat: int, node: int) -> VillageCard:
    card = game.cards[node]
    villager = VILLAGERS[card.face]
    stands_for = VILLAGERS[number(ROLES[card.role])] if villager.suit == "special" and card.role >= 0 else None
    return VillageCard(
        id=node,
        card=villager,
        covered=card.above > 0,
        coins=card.coins,
        stands_for=stands_for,
        silver=0 if card.above else silver_of(state, seat, card.face),
    )


@dataclass(frozen=True)
class Opening:
    """What opening a padlock takes a seat now, and who is paid."""

    unlocker: Villager
    #: The seat has the unlocker itself: the bank pays onto it.
    own: bool
    #: Other seats that have it, one of which is paid; none: the bank is, if anybody.
    seats: tuple[int, ...]
    #: What the seat pays: nothing where the unlocker is its own, or where it has played a Tinner in this turn.
    price: int


def opening(seen: View, seat: int, card: Villager) -> Opening | None:
    """How a seat would open the padlock of a card; None where it has no padlock."""
    if not card.padlock:
        return None
    owners = []
    for player in (*seen.players, *([seen.countess] if seen.countess else [])):
        shown = [top.card.id for chain in player.chains for top in chain.tops]
        if card.padlock in shown:
            owners.append(player.seat)
    others = tuple(owner for owner in owners if owner != seat)
    own = seat in owners
    free = own or seen.players[seat].tinner
    price = 0 if free else PRICE if others else seen.bank_price
    return Opening(VILLAGERS[number(card.padlock)], own, () if free else others, price)


# --- what to click ----------------------------------------------------------------------------------------------


def spot_roles(face: int, spot: int) -> tuple[int, list[int]]:
    """The role that the base of a spot has (-1: none), and the roles of the Monks below a card, the upper one first."""
    role = int(ON_ROLE[face])
    monks = []
    for _ in range(spot // BASES):
        monks.append(role)
        role = int(ROLE_ON_ROLE[role])
    return role, monks


def spot_node(state: State, seat: int, face: int, spot: int) -> int:
    """The card of the village on which a card, or the Monks below it, would be built; -1 for a chain of its own."""
    role, _ = spot_roles(face, spot)
    return base_node(state, seat, role, spot % BASES) if spot % BASES else -1


def steps(state: State, seat: int, move: int) -> tuple[str, ...]:
    """What to click for a move, in order: ids of elements on the table (see above)."""
    name, given = MOVES.decode(move)
    game = State.of(state)
    match name:
        case "draft" | "give" | "guard":
            return (f"road-{given['slot']}",)
        case "blind":
            return (f"stack-{given['stack']}",)
        case "conscript":
            return (f"stack-{given['pile']}",)
        case "exchange":
            pile = given["pile"]
            # under Serfdom it can only go to the village of the Countess
            where = () if pile == COUNTESS_SINK else (f"stack-{pile}",)
            return (f"hand-{given['card']}", f"basic-{given['basic']}", *where)
        case "build":
            monks = given["spot"] // BASES - int(freed_monks(state))
            return (
                f"hand-{given['card']}",
                *[f"hand-{MONK}"] * monks,
                _place(spot_node(state, seat, given["card"], given["spot"])),
            )
        case "place":
            face = game.cards[game.freed - 1].face
            if face in (FOUNDERS, FOUNDERS_FOOD):
                return ("new-food" if given["spot"] == FOOD_SIDE else "new",)
            spot = given["spot"]
            monks = spot // BASES - int(freed_monks(state))
            return (*[f"hand-{MONK}"] * monks, _place(spot_node(state, seat, face, spot)))
        case "swap":
            return (
                f"hand-{number('apprentice')}",
                f"card-{target(state, given['seat'], given['face'], given['nth'])}",
            )
        case "tinner":
            return (f"hand-{TINNER}", "play")
        case "smuggler":
            return (f"hand-{SMUGGLER}", "play")
        case "pay":
            return (f"card-{payee(state, seat, given['nth'])}",)
        case "jester":
            return ("jester", f"event-{given['slot']}")
        case "pick":
            return (f"card-{picked(state, event_op(state), given['face'], given['nth'])}",)
        case "part":
            return (f"hand-{given['card']}",)
    return (name,)


def _place(node: int) -> str:
    return "new" if node < 0 else f"card-{node}"


def payee(state: State, seat: int, nth: int) -> int:
    """The card that a payment goes on."""
    lock = State.of(state).locked - 1
    own = unlocker(state, seat, lock, True, 0) >= 0
    return int(unlocker(state, seat, lock, own, nth))


assert len(PHASES) == OVER + 1
assert ROAD == STACKS
