"""Town Hall: two turned cards, then a free pick, and no Master Builder."""

from collections import Counter

import pytest

from games.tiny_towns.town import Table, dealt, table, town
from thorp.games.tiny_towns import GAME
from thorp.games.tiny_towns.rules import state
from thorp.games.tiny_towns.rules.cards import RESOURCES

PICKS = [f"pick {resource}" for resource in RESOURCES]
FORT = "fort_ironweed"
FIVE_BANKS = "Ban:W Ban:T Ban:B Ban:G / Ban:S"
FULL = "Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot W"


def town_hall(seats: int, seed: int = 1, **options: str) -> Table:
    return dealt(seats, seed, naming="town_hall", monuments="no", **options)


def turned_cards(game: Table, rounds: int) -> list[str]:
    """The resources of the cards turned in so many rounds, which are played."""
    cards = []
    for _ in range(rounds):
        if game.plain.named:
            cards.append(RESOURCES[game.plain.named - 1])
        game.whole_round()
    return cards


@pytest.mark.parametrize("seats", range(2, 7))
def test_any_number_of_players_from_two_may_play_it(seats: int) -> None:
    game = town_hall(seats)
    assert game.waiting == tuple(range(seats))


def test_nobody_is_master_builder() -> None:
    game = town_hall(3)
    for _ in range(9):
        assert game.plain.builder == -1
        assert not any(game.legal(seat, "name") for seat in range(3))
        game.whole_round()
    assert [game.town(seat).turns for seat in range(3)] == [0, 0, 0]


def test_two_rounds_of_cards_are_followed_by_a_free_pick() -> None:
    game = town_hall(3)
    for round in range(1, 16):
        assert game.plain.round == round
        free = round % 3 == 0
        tasks = {game.town(seat).task for seat in range(3)}
        assert tasks == {state.PICK if free else state.PLACE}
        assert (game.plain.named == 0) == free
        game.whole_round()


def test_everybody_places_a_cube_of_the_turned_card() -> None:
    for seed in range(20):
        game = town_hall(4, seed)
        hands = {game.town(seat).hand for seat in range(4)}
        assert hands == {game.plain.named}


def test_at_the_free_pick_everybody_takes_any_resource_at_the_same_time() -> None:
    game = table("", "", "", naming="town_hall", round=2).done()
    assert game.waiting == (0, 1, 2)
    assert [game.legal(seat) for seat in range(3)] == [PICKS] * 3
    game.play(2, "pick glass", "place A1").play(0, "pick wood", "place A1").play(1, "pick glass", "place A1")
    assert [game.picture(seat)[0] for seat in range(3)] == ["W", "G", "G"]


def test_who_has_picked_may_place_and_build_before_others_pick() -> None:
    game = table("W", "", naming="town_hall", round=2).done()
    game.play(0, "pick stone", "place B1", "build well A1 from A1 B1", "done")
    assert game.legal(1) == PICKS


def test_the_deck_has_15_cards_3_of_each_resource() -> None:
    before = table("", "", naming="town_hall").plain
    assert list(before.unseen) == [3] * 5


def test_5_cards_are_laid_aside_and_10_are_turned_before_all_15_are_shuffled_again() -> None:
    for seed in range(30):
        game = town_hall(2, seed)
        # round 16 turns the eleventh card
        first = Counter(turned_cards(game, 15))
        assert first.total() == 10
        assert max(first.values()) <= 3
        assert game.plain.round == 16
        assert game.plain.turned == 1
        assert sum(game.plain.unseen) == 14


def test_the_cards_turned_come_in_any_order_and_any_may_be_among_the_5() -> None:
    drawn = [tuple(turned_cards(town_hall(2, seed), 15)) for seed in range(60)]
    assert len(set(drawn)) == 60
    assert {cards[0] for cards in drawn} == set(RESOURCES)
    assert {cards.count(resource) for cards in drawn for resource in RESOURCES} == {0, 1, 2, 3}


def test_a_card_that_was_turned_is_not_turned_again_before_the_shuffle() -> None:
    game = town_hall(2)
    for round in range(1, 16):
        game.whole_round()
        turned = 2 * (round // 3) + min(round % 3 + 1, 2)
        if round < 15:
            assert sum(game.plain.unseen) == 15 - turned


@pytest.mark.parametrize(
    ("picture", "monument", "offered"),
    [
        ("Fac:W", "", "substitute"),
        ("War", "", "store"),
        ("War:T", "", "swap"),
        ("Mon Cot", "statue_of_the_bondmaker", "shelter"),
    ],
)
def test_what_works_when_another_names_works_for_a_turned_card_and_not_for_the_free_pick(
    picture: str, monument: str, offered: str
) -> None:
    owner = town(picture, monument=monument, hand="wood")
    card = table(owner, town("", hand="wood"), naming="town_hall")
    assert card.legal(0, offered)
    free = table(town(picture, monument=monument), "", naming="town_hall", round=2).done()
    free.play(0, "pick wood")
    assert {move.split()[0] for move in free.legal(0)} == {"place"}


def test_a_bank_forbids_its_resource_as_the_free_pick_of_its_owner() -> None:
    game = table("Ban:W Ban:G", "", naming="town_hall", round=2).done()
    assert game.legal(0) == ["pick wheat", "pick brick", "pick stone"]
    assert game.legal(1) == PICKS


def test_a_bank_does_not_keep_its_resource_from_being_turned() -> None:
    game = table(FIVE_BANKS, "", naming="town_hall", round=9).done()
    assert game.plain.named
    assert game.legal(0, "place")


def test_the_owner_of_fort_ironweed_takes_nothing_at_the_free_pick() -> None:
    game = table(town("Mon", monument=FORT), "", naming="town_hall", round=2).done()
    assert game.legal(0) == ["done"]
    assert game.legal(1) == PICKS


def test_the_owner_of_fort_ironweed_takes_cubes_of_turned_cards() -> None:
    game = table(town("Mon", monument=FORT), "", naming="town_hall", round=3).done()
    assert game.legal(0, "place")


def test_the_owner_of_fort_ironweed_picks_freely_as_the_last_in_the_game() -> None:
    game = table(town("Mon", monument=FORT), town(FULL, completed=1), naming="town_hall", round=2).done()
    assert game.legal(0) == PICKS


def test_it_ends_as_always_when_all_towns_are_completed() -> None:
    game = town_hall(2)
    for _ in range(16):
        assert not game.over
        game.whole_round()
    assert game.over
    assert game.plain.round == 16


def test_the_last_player_goes_on_alone_with_cards_and_free_picks() -> None:
    game = table("", town(FULL, completed=1), naming="town_hall", round=1).done()
    for _ in range(16):
        assert game.waiting == (0,)
        assert bool(game.plain.named) == (game.plain.round % 3 > 0)
        game.whole_round()
    assert game.over


def test_solo_play_has_no_town_hall() -> None:
    with pytest.raises(ValueError, match=r"Who names resources cannot be changed with 1 seat$"):
        GAME.options_for(1, {"naming": "town_hall"})
