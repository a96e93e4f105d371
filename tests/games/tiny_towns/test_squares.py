"""What lies on a square stays there, but for what a move says: random games, followed square by square."""

import random
from collections import Counter
from collections.abc import Iterator

from games.tiny_towns.printed import CARDS, number
from games.tiny_towns.town import LETTER_OF, Table, dealt, midgame, played, spell, squares, tokens
from thorp.games.tiny_towns.rules.cards import LETTERS
from thorp.games.tiny_towns.rules.moves import MOVES

GAMES = 120
NAMES = squares(0xFFFF).split()

Town = dict[str, str]


def short(card: str) -> str:
    """A building in a picture."""
    known = CARDS[number(card)]
    return "Mon" if known.is_monument else known.name[:3]


def with_cube(building: str, letter: str) -> str:
    """A building with one more cube on it."""
    name, _, held = building.partition(":")
    return name + ":" + "".join(sorted(held + letter, key=LETTERS.index))


def without_cube(building: str, letter: str) -> str:
    """A building with one cube less on it."""
    name, _, held = building.partition(":")
    return (name + ":" + held.replace(letter, "", 1)).rstrip(":")


def after(move: list[str], on: Town, hand: str, mark: str) -> Town:
    """A town after a move: `on` is what its squares held, `hand` the cube in hand, `mark` the building to be marked."""
    new = dict(on)
    match move:
        case ["place", square]:
            new[square] = hand
        case ["substitute", resource, square]:
            new[square] = LETTER_OF[resource]
        case ["store", building] | ["shelter", building]:
            new[building] = with_cube(on[building], hand)
        case ["swap", building, resource, square]:
            new[building] = with_cube(without_cube(on[building], LETTER_OF[resource]), hand)
            new[square] = LETTER_OF[resource]
        case ["mark", resource]:
            new[mark] = with_cube(on[mark], LETTER_OF[resource])
        case ["build", card, square, "from", *pattern]:
            removed = [other for other in pattern if on[other] != "Tra"]
            cost = Counter("".join(CARDS[number(card)].pattern).replace(".", ""))
            # no more and no other cubes than the pattern shows, and no fewer but where Trading Posts stand in
            assert Counter(on[other] for other in removed) <= cost
            assert len(pattern) == cost.total()
            assert removed
            new |= dict.fromkeys(removed, ".")
            new[square] = short(card)
        case ["put", card, square]:
            new[square] = short(card)
        case ["move_shed", square]:
            new[square] = "She"
        case ["replace", square, "by", card]:
            new[square] = "." if card == "shed" else short(card)
    return new


def games() -> Iterator[tuple[Table, random.Random]]:
    """Games from their deal on, and games from the middle on."""
    for seed in range(GAMES):
        seats = 1 + seed % 3
        yield dealt(seats, seed, cavern=("no", "yes")[seed % 2]), random.Random(seed)
        yield midgame(seats, seed), random.Random(seed)


def test_every_move_changes_the_squares_it_names_and_no_others() -> None:
    seen = set()
    for game, chance in games():
        seats = range(game.plain.seats)
        towns = [dict(zip(NAMES, tokens(game.picture(seat)))) for seat in seats]
        for seat, choice in played(game, chance):
            own = game.town(seat)
            move = spell(game.plain, seat, choice).split()
            towns[seat] = after(move, towns[seat], LETTERS[own.hand - 1], NAMES[own.at])
            seen.add(move[0])
            following = game.copy()
            following.play_number(seat, choice)
            for each in seats:
                assert tokens(following.picture(each)) == list(towns[each].values()), move
    assert seen == {family.name for family in MOVES}


def test_whatever_is_placed_or_put_down_gets_an_empty_square() -> None:
    for game, chance in games():
        for seat, choice in played(game, chance):
            family, given = MOVES.decode(choice)
            if family in ("place", "substitute", "swap", "put", "move_shed"):
                assert tokens(game.picture(seat))[given["square"]] == "."
