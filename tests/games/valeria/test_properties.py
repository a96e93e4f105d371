"""Properties of Villages of Valeria over many thousands of random games."""

import random
from dataclasses import replace

import pytest

from games.valeria.invariants import checked_game
from games.valeria.place import RULES_DECK, dealt
from thorp.compiling.mode import COMPILED
from thorp.core.chance import stream
from thorp.core.generic import make_states, put_state
from thorp.games.valeria import GAME
from thorp.games.valeria.rules.deck import Adventurer, Building, Deck
from thorp.games.valeria.rules.drawings import DRAWINGS
from thorp.games.valeria.rules.powers import ACTIONS, COUNTS, PAYS, RESOURCES, TYPES, Power

GAMES = 10_000 if COMPILED else 30
DECKS = 60 if COMPILED else 3
COINS = {1: 14, 2: 14, 3: 20, 4: 25, 5: 30}


@pytest.mark.parametrize("seats", GAME.seats)
def test_cards_and_coins_are_conserved_in_random_games(seats: int) -> None:
    """No card and no coin is made or lost, no name stands twice in a village, hands keep the limit, every game ends."""
    states, moves, dice = make_states(GAME, 2), GAME.move_list(), stream(seats)
    play = checked_game.of(GAME)
    options = GAME.option_list(GAME.options_for(seats))
    for seed in range(GAMES // len(GAME.seats)):
        state = GAME.state()
        GAME.deal(state, seats, options, seed)
        put_state(states, 0, state)
        plies = play(states, moves, seats, 84, COINS[seats], dice)
        assert plies > 0, (seed, plies)


def random_power(rng: random.Random) -> Power:
    kind = rng.randrange(4)
    if kind == 0:
        return Power("paying", "resource", of=rng.choice((*RESOURCES, "any")), pay=rng.choice(("", "1 card", "1 coin")))
    if kind == 1:
        return Power("scoring", "score", rng.randint(1, 4), rng.choice(COUNTS), rng.randint(1, 7))
    if kind == 2 and rng.random() < 0.4:
        return Power("hiring", "cheaper", rng.randint(1, 4))
    when = rng.choice(("instant", *ACTIONS))
    return Power(when, rng.choice(("draw", "coins", "take")), rng.randint(1, 4), pay=rng.choice(PAYS))


def random_powers(rng: random.Random) -> tuple[Power, ...]:
    return tuple(random_power(rng) for _ in range(rng.randint(1, 2)))


def random_deck(rng: random.Random) -> Deck:
    """A deck of any size, with powers of all kinds on all cards."""
    buildings = [
        Building(
            number=number,
            id=f"building-{number}",
            name=f"Building {number}",
            type=rng.choice(TYPES),
            cost=random_cost(rng),
            points=rng.randint(0, 9),
            copies=tuple(sorted((rng.choice(RESOURCES) for _ in range(2)), key=RESOURCES.index)),
            powers=random_powers(rng),
            drawing=DRAWINGS[number % len(DRAWINGS)],
        )
        for number in range(rng.randint(30, 48))
    ]
    adventurers = [
        Adventurer(n, f"adventurer-{n}", f"Adventurer {n}", RULES_DECK.adventurers[n % 16].needs, 3, random_powers(rng))
        for n in range(rng.randint(5, 20))
    ]
    return replace(RULES_DECK, name="Random", buildings=tuple(buildings), adventurers=tuple(adventurers))


def random_cost(rng: random.Random) -> tuple[int, int, int, int]:
    chosen = [rng.randrange(4) for _ in range(rng.randint(1, 5))]
    return chosen.count(0), chosen.count(1), chosen.count(2), chosen.count(3)


def test_the_same_holds_for_decks_full_of_powers_of_all_kinds() -> None:
    rng = random.Random(8)
    states, moves, dice = make_states(GAME, 2), GAME.move_list(), stream(9)
    play = checked_game.of(GAME)
    for number in range(DECKS):
        deck = random_deck(rng)
        for seats in GAME.seats:
            game = dealt(seats, number, deck)
            put_state(states, 0, game.state)
            plies = play(states, moves, seats, len(deck.cards), COINS[seats], dice)
            assert plies > 0, (number, seats, plies)
