"""Games under the eyes of the referee; and examples of the rules page, which show that the referee itself is right."""

import random
from dataclasses import dataclass
from typing import Any

import pytest
from refereeing import PLAYERS, hold, hold_many

import thorp
from games.tiny_towns.referee import (
    CARD_IDS,
    CHAPEL,
    COTTAGE,
    FACTORY,
    FARM,
    FOOTPRINTS,
    MONUMENT,
    PATTERNS,
    PLACEMENTS,
    TAVERN,
    THEATER,
    WELL,
    Building,
    GameReferee,
    Town,
    happened,
    orientations,
    points,
)
from thorp.checks.matches import random_options
from thorp.compiling.mode import COMPILED
from thorp.games.tiny_towns.rules import state as words

GAME = thorp.game("tiny-towns")

# Games.


@pytest.mark.parametrize("first", range(0, 100, 25) if COMPILED else [0])
def test_games_are_as_the_referee_has_them(first: int) -> None:
    """All numbers of seats, all players, any options; some deals are rigged."""
    hold_many(GAME, GameReferee, 25 if COMPILED else 6, first)


@dataclass(frozen=True)
class Table:
    """A kind of table where rare things come up, and which of them have to."""

    seats: tuple[int, ...]
    options: dict[str, str]
    rare: tuple[str, ...]


TABLES = {
    "Banks": Table(
        (2, 3, 4),
        {"factory": "bank", "naming": "master_builder"},
        (
            "a sixth Bank is refused",
            "bank number 5",
            "the hammer passes five Banks",
            "nobody can name",
            "the hammer passes Fort Ironweed",
            "last in the game names, with Fort Ironweed",
        ),
    ),
    "Town Hall": Table(
        (2, 3, 4, 6),
        {"factory": "bank", "naming": "town_hall", "monuments": "yes"},
        (
            "Town Hall: shuffled again",
            "no free pick for Fort Ironweed",
            "no free pick for five Banks",
            "free pick for Fort Ironweed, last in the game",
            "Opaleye's Watch: a sixth Bank stays",
            "tie-break 2",
            "tie-break 3",
            "tie-break 4",
        ),
    ),
    "Trading Posts": Table(
        (1, 2, 3),
        {"factory": "trading_post", "monuments": "yes"},
        (
            "build offered with 3 Trading Posts",
            "monument offered with Trading Posts",
            "solo: a card comes back",
            "Grove University: no empty square",
        ),
    ),
    "Warehouses": Table(
        (1, 3, 4),
        {"factory": "warehouse", "cavern": "yes", "monuments": "yes"},
        (
            "several Warehouses",
            "swap offered at a full Warehouse",
            "move store",
            "move swap",
            "move shelter",
            "move set_aside",
            "replaced: one with cubes",
        ),
    ),
    "Factories": Table(
        (1, 2, 3),
        {"factory": "factory", "well": "shed", "monuments": "yes"},
        (
            "substitute offered, two Factories",
            "move substitute",
            "move replace",
            "move move_shed",
            "build offered with the Obelisk",
            "The Starloom: place 1, shared",
        ),
    ),
    "Farms": Table(
        (1, 2, 3),
        {"farm": "farm", "chapel": "temple", "tavern": "almshouse", "theater": "theater", "monuments": "yes"},
        (
            "feeding is a choice: farm, temple",
            "a Temple beside Barrett Castle alone",
            "a Theater with Barrett Castle and a Cottage",
        ),
    ),
    "Greenhouses": Table(
        (1, 2, 3),
        {"farm": "greenhouse", "chapel": "temple", "tavern": "feast_hall"},
        (
            "feeding is a choice: greenhouse, temple",
            "Feast Halls: more, 1 seats",
            "Feast Halls: as many, 2 seats",
            "Feast Halls: fewer, 2 seats",
            "Feast Halls: fewer, 3 seats",
        ),
    ),
    "monuments": Table(
        (2, 3, 6),
        {"monuments": "yes"},
        (
            "Opaleye's Watch: with two seats",
            "Opaleye's Watch: no empty square",
            "Opaleye's Watch: several at once",
            "The Starloom: place 2, shared",
            "The Starloom: place 4",
            "tie-break by turns, 16 and more",
        ),
    ),
}


@pytest.mark.skipif(not COMPILED, reason="many games")
@pytest.mark.parametrize("name", TABLES)
def test_rare_things_come_up_and_are_as_the_referee_has_them(name: str) -> None:
    """Rigged deals at tables of one kind: some, and more until all that is rare came up."""
    table = TABLES[name]
    before = happened.copy()
    missing = list(table.rare)
    for number in range(2000):
        missing = [thing for thing in missing if happened[thing] == before[thing]]
        if number >= 36 and not missing:
            break
        rng = random.Random(f"{name} {number}")
        seats = table.seats[number % len(table.seats)]
        options = random_options(GAME, seats, rng) | table.options
        player = sorted(PLAYERS)[number // len(table.seats) % len(PLAYERS)]
        hold(GAME, GameReferee, seats, options, rng.getrandbits(40), player, rigged=True)
    assert not missing


class ManyWatches(GameReferee):
    """Games in which most have an Opaleye's Watch, as only a file of cards can bring them about."""

    @classmethod
    def rig(cls, dealt: Any, rng: random.Random) -> None:
        cls.rig_watches(dealt, rng)


@pytest.mark.parametrize(
    ("naming", "rare"),
    [
        ("master_builder", ("several owners", "several owners, not by number")),
        ("town_hall", ("several owners",)),
    ],
)
def test_several_watches_are_as_the_referee_has_them(naming: str, rare: tuple[str, ...]) -> None:
    """Ruling 5: clockwise from the Master Builder; in Town Hall from the first seat."""
    before = happened.copy()
    for number in range(24 if COMPILED else 6):
        rng = random.Random(f"watches {naming} {number}")
        seats = (2, 3, 4, 6)[number % 4]
        options = random_options(GAME, seats, rng) | {"naming": naming, "monuments": "yes"}
        hold(GAME, ManyWatches, seats, options, rng.getrandbits(40), "eager", rigged=True)
    for thing in rare:
        assert happened[f"Opaleye's Watch: {thing}"] > before[f"Opaleye's Watch: {thing}"] or not COMPILED, thing


def test_towns_are_dealt_empty() -> None:
    """What `rig` may change, a deal may not: everyone has an empty town, and has named nothing."""
    for seed in range(60):
        seats = GAME.seats[seed % len(GAME.seats)]
        state = GAME.state()
        GAME.deal(state, seats, GAME.option_list(random_options(GAME, seats, random.Random(seed))), seed)
        for town in GAME.plain(state).towns:
            assert [*town.cubes, *town.built, *town.held] == [0] * (5 + 8 + 16)
            assert [town.monument, town.returned, town.aside, town.turns, town.completed] == [0] * 5


# Examples of the rules page.

FIRST_GAME = ["cottage", "farm", "well", "chapel", "tavern", "theater", "factory"]
LETTERS = {"C": COTTAGE, "F": FARM, "w": WELL, "c": CHAPEL, "T": TAVERN, "t": THEATER, "f": FACTORY, "M": MONUMENT}


def town_of(picture: str, monument: str = "cottage") -> Town:
    """A town from four rows of letters."""
    squares = enumerate(picture.replace(" ", "").replace("/", ""))
    town = Town(monument=CARD_IDS.index(monument))
    town.buildings = {square: Building(LETTERS[letter]) for square, letter in squares if letter != "."}
    return town


def test_the_printed_example() -> None:
    """28 points, with three cubes on the Warehouse."""
    town = town_of("tTCT / FcCf / T.wC / CwC.")
    town.buildings[7].cubes = [0, 1, 1]
    cards = ["cottage", "farm", "well", "chapel", "tavern", "bakery", "warehouse"]
    assert points(town, cards, 0, 1) == 28


#: Orientations and placements of every card, from the tables of the rules page.
NUMBERS = [
    *[(8, 72), (4, 36), (8, 72), (8, 72), (4, 36)],
    *[(4, 48)] * 4,
    *[(8, 48)] * 4,
    *[(4, 32)] * 4,
    *[(4, 24)] * 4,
    *[(8, 24), (8, 48), (8, 48), (4, 24)],
    *[(8, 32), (8, 72), (8, 24), (8, 72), (8, 48), (8, 72), (4, 24), (8, 72), (8, 48), (8, 16)],
    *[(8, 48), (8, 24), (8, 32), (8, 72), (8, 24)],
]


def test_orientations_and_placements() -> None:
    """Every card has as many as the rules page says."""
    found = [(len(orientations(pattern)), len(where)) for pattern, where in zip(PATTERNS, PLACEMENTS)]
    assert found == NUMBERS


def test_footprints_are_sets_of_squares_in_ascending_order() -> None:
    """A Farm's four orientations lie on nine sets; a Cottage's eight on four times nine."""
    assert [len(FOOTPRINTS[CARD_IDS.index(id)]) for id in ("farm", "cottage", "well")] == [9, 36, 24]
    assert all([mask for mask, _ in ways] == sorted(mask for mask, _ in ways) for ways in FOOTPRINTS)
    assert FOOTPRINTS[CARD_IDS.index("well")][0][0] == 0b11


@pytest.mark.parametrize(
    ("card", "scores"),
    [("tavern", [0, 2, 5, 9, 14, 20, 20]), ("almshouse", [0, -1, 5, -3, 15, -5, 26, 26]), ("feast_hall", [0, 2, 4, 9])],
)
def test_taverns_score_together(card: str, scores: list[int]) -> None:
    """By how many there are; two Feast Halls on the right are as many as two."""
    cards = [*FIRST_GAME[:4], card, *FIRST_GAME[5:]]
    for many, score in enumerate(scores):
        assert points(town_of(("T" * many).ljust(16, ".")), cards, 2, 1) == score - (16 - many)


@pytest.mark.parametrize(
    ("picture", "cards", "monument", "score"),
    [
        # four of six Cottages are fed, and the best four are two next to each Temple
        ("CCcC / C... / cCCf / F...", {CHAPEL: "temple", FACTORY: "bank"}, "cottage", 12 + 8 + 4),
        # Barrett Castle is two fed Cottages for the Temple and the Chapel, two for the Well, and takes one place
        ("Mc.. / .... / .... / ...F", {CHAPEL: "temple"}, "barrett_castle", 5 + 4),
        ("Mwc. / .... / .... / ...F", {}, "barrett_castle", 5 + 2 + 2),
        ("MCC. / .... / CCC. / ...F", {}, "barrett_castle", 5 + 9),
        # it is no Monument for the Theater, and together with a Cottage one type
        ("tMC. / f... / .... / ....", {}, "barrett_castle", 2),
        ("tMC. / f... / .... / ....", {}, "silva_forum", 3 + 1 + 1),
        # the Greenhouse feeds one group, the larger unless another is worth more; a second one another
        ("CC.c / ..CC / .... / ...F", {FARM: "greenhouse", CHAPEL: "temple"}, "cottage", 6),
        ("CC.C / C.Cc / .... / ...F", {FARM: "greenhouse", CHAPEL: "temple"}, "cottage", 9),
        ("CC.C / C.Cc / .... / ..FF", {FARM: "greenhouse", CHAPEL: "temple"}, "cottage", 12),
        ("C..C / .F.. / C... / .CC.", {FARM: "granary"}, "cottage", 6),
        ("C..C / .F.. / C... / .CC.", {FARM: "orchard"}, "cottage", 3),
        # unfed Cottages with the Mausoleum are not fed for the Chapel
        ("CC.c / .... / .... / M...", {}, "grand_mausoleum_of_the_rodina", 6),
        ("ww.. / w... / ...w / ....", {WELL: "fountain"}, "cottage", 6),
        ("w.w. / t.F. / .... / ...w", {WELL: "millstone", THEATER: "tailor"}, "cottage", 4 + 1),
        ("c... / c..c / Tc.. / c...", {CHAPEL: "cloister"}, "cottage", 10 + 2),
        ("cc.c / Tt.. / .... / ..cf", {CHAPEL: "abbey", THEATER: "market"}, "cottage", 3 + 1 + 2),
        ("T..T / .T.. / ..T. / ....", {TAVERN: "inn"}, "cottage", 6),
        ("ttt. / t... / .... / t..t", {THEATER: "market"}, "cottage", 5 * 3 + 2),
        ("t... / .tt. / ..t. / ....", {THEATER: "tailor"}, "cottage", 16),
        ("CwM. / .t.. / .... / ....", {}, "mandras_palace", 1 + 1 + 2),
        ("CwMc / ..T. / .... / ....", {}, "mandras_palace", 1 + 2 + 6),
        ("M... / .... / .... / ....", {}, "cathedral_of_caterina", 2 + 15),
        ("MTT. / .... / .... / ....", {}, "the_sky_baths", 5 + 12),
        ("MTT. / f... / .... / ....", {}, "archive_of_the_second_age", 5 + 2),
        ("M... / .... / .... / ....", {}, "silva_forum", 2),
        ("MTT. / .T.. / ...T / ....", {TAVERN: "inn"}, "silva_forum", 4 + 3),
    ],
)
def test_points(picture: str, cards: dict[int, str], monument: str, score: int) -> None:
    """Points of a town, without those for its empty squares."""
    in_play = [cards.get(type, card) for type, card in enumerate(FIRST_GAME)]
    assert points(town_of(picture, monument), in_play, 0, 1) + picture.count(".") == score


def referee_of(pictures: list[str], factory: str = "factory") -> GameReferee:
    """A game with the hammer at seat 0, and with these towns."""
    dealt = words.State()
    dealt.seats = len(pictures)
    dealt.cards = [CARD_IDS.index(card) for card in [*FIRST_GAME[:6], factory]]
    dealt.round = 1
    options = {"monuments": "no", "cavern": "no", "naming": "master_builder", "factory": factory}
    referee = GameReferee(len(pictures), dict.fromkeys(FIRST_GAME, "random") | options, dealt)
    referee.towns = [town_of(picture) for picture in pictures]
    return referee


def test_ties() -> None:
    """Fewest turns as Master Builder, fewest empty squares, most Cottages; or shared."""
    taverns = ["T.............F.", "T.............F.", "T.............c."]
    referee = referee_of([taverns[0], "FCCCF...........", taverns[1], "CCCCFwF.........", taverns[2]])
    assert referee.scores() == [-12, -2, -12, 12 + 1 - 9, -12]
    referee.towns[0].turns = 17
    referee.towns[2].turns = 16
    referee.towns[4].turns = 16
    assert referee.standings() == [5, 2, 3, 1, 3]
    # 2 points for a Tavern and an empty square more than a Cottage, a Farm and four buildings worth nothing
    referee = referee_of(["T" + "." * 15, "TC" + "." * 14, "CT" + "." * 14, "fff" + "." * 13])
    assert referee.scores() == [-13, -12, -12, -13]
    assert referee.standings() == [4, 1, 1, 3]
    referee = referee_of(["fff" + "." * 13, "ffC" + "." * 13])
    assert referee.standings() == [2, 1]


def test_places_for_The_Starloom() -> None:
    """Two are first in the same round, and the next one is third."""
    referee = referee_of(["." * 16] * 4)
    for town, completed in zip(referee.towns, [5, 7, 5, 8]):
        town.completed = completed
    assert [referee._place_of(town) for town in referee.towns] == [1, 3, 1, 4]


def test_Trading_Posts_offer_a_building_once() -> None:
    """Ruling 22; and at least one cube is needed, and its square is where the building goes."""
    referee = referee_of([".f.. / f... / .... / ...."] * 2, "trading_post")
    town = referee.towns[0]
    town.cubes = {0: 0}  # wood, with a post below it and one beside it
    town.task = words.BUILD
    assert {move for move in referee.legal(0) if move[0] == "build" and move[1][0] == WELL} == {
        ("build", (WELL, 0b1, 0))
    }
    footprints = [number for number, (mask, _) in enumerate(FOOTPRINTS[CARD_IDS.index("well")]) if mask & 1]
    assert {referee.same(0, ("build", (WELL, number, 0))) for number in footprints} == {("build", (WELL, 0b1, 0))}
    with pytest.raises(AssertionError, match="does not lie"):
        referee.same(0, ("build", (FARM, len(FOOTPRINTS[CARD_IDS.index("farm")]) - 1, 15)))


def test_the_hammer_passes_those_who_cannot_name() -> None:
    """Rulings 8 and 15: on to the left past five Banks and Fort Ironweed, until nobody can name."""
    referee = referee_of(["f" * 5 + "." * 11, "M" + "." * 15, "f" * 4 + "." * 12], "bank")
    for town in referee.towns[::2]:
        for square in town.of(FACTORY):
            town.buildings[square].cubes = [square]
    referee.towns[1].monument = CARD_IDS.index("fort_ironweed")
    assert [referee._may_choose(seat) for seat in range(3)] == [[], [], [4]]
    assert referee._next_builder() == 2
    referee.towns[2].completed = 1
    assert referee._next_builder() is None
    referee.towns[0].completed = 1
    assert referee._next_builder() == 1
