"""What happens by itself is told: towns completed, a hammer that passes somebody by, cards turned and opened."""

import random

import pytest

from games.tiny_towns.saying import NAMES, games, readers, said
from games.tiny_towns.town import Table, dealt, played, table, town
from thorp.core.words import say
from thorp.games.tiny_towns import GAME
from thorp.games.tiny_towns.rules.cards import RESOURCES

FULL = "Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot"
FIVE_BANKS = "Ban:W Ban:T Ban:B Ban:G / Ban:S"
FORT = "fort_ironweed"


def followed(game: Table, seat: int, *moves: str) -> list[str]:
    """What is told to have happened by itself with the last of these moves."""
    game.play(seat, *moves[:-1])
    before = game.copy()
    game.play(seat, moves[-1])
    return [said(message) for message in GAME.face.follows(before.state, game.state, None)]


def test_nothing_is_told_of_a_round_that_goes_on_nor_of_a_hammer_that_goes_to_the_next_one() -> None:
    game = table("W . . W", "", town("", hand="wood"))
    assert followed(game, 2, "place A1") == []
    assert followed(game, 2, "done") == []
    assert followed(game, 0, "done") == []
    assert followed(game, 1, "done") == []
    assert game.plain.builder == 1


def test_a_hammer_that_passes_somebody_by_is_told() -> None:
    game = table("", FIVE_BANKS, town("Mon", monument=FORT), "", builder=0).done(0, 1, 2)
    assert followed(game, 3, "done") == ["Ben, Cy can name no resource: the hammer goes on to Dee."]
    one = table("", town("Mon", monument=FORT), "").done(0, 1)
    assert followed(one, 2, "done") == ["Ben can name no resource: the hammer goes on to Cy."]


def test_a_hammer_that_comes_back_to_its_owner_is_told() -> None:
    game = table("", town("Mon", monument=FORT), builder=0).done(0)
    assert followed(game, 1, "done") == ["Ben can name no resource: the hammer goes on to Ada."]
    assert game.plain.builder == 0


def test_a_completed_town_is_not_told_to_be_passed_by() -> None:
    game = table("", town(FULL, completed=4), "").done(0)
    assert followed(game, 2, "done") == []
    assert game.plain.builder == 2


def test_the_first_hammer_passes_nobody_by() -> None:
    for seed in range(8):
        game = dealt(3, seed)
        for seat in range(2):
            game.play(seat, game.legal(seat)[0])
        assert followed(game, 2, game.legal(2)[0]) == []


def test_towns_that_are_completed_are_told() -> None:
    game = table(FULL[:-3] + "Wel", FULL, "").done(0, 1)
    assert followed(game, 2, "done") == ["The towns of Ada, Ben are complete."]
    game = table("", FULL).done(0)
    assert followed(game, 1, "done") == ["The town of Ben is complete."]


def test_the_last_town_is_told_to_be_complete_when_the_game_ends() -> None:
    game = table(town(FULL, completed=4), FULL)
    assert followed(game, 1, "done") == ["The town of Ben is complete."]
    assert game.over


def test_it_is_told_that_nobody_can_name_a_resource() -> None:
    game = table(FIVE_BANKS, FULL, town("Ban:W Ban:T Ban:B Ban:G / Ban:S")).done(0, 1)
    assert followed(game, 2, "done") == [
        "The town of Ben is complete.",
        "Nobody can name a resource any more: the towns of Ada, Cy count as complete.",
    ]
    assert game.over
    alone = table(FIVE_BANKS, town(FULL, completed=4))
    assert followed(alone, 0, "done") == [
        "Nobody can name a resource any more: the town of Ada counts as complete.",
    ]


def test_town_hall_tells_the_card_that_is_turned_and_the_free_pick() -> None:
    game = table("", "", naming="town_hall", round=6).done(0)
    told = followed(game, 1, "done")
    assert told == [f"A card is turned: {RESOURCES[game.plain.named - 1]}."]
    game = table("", "", naming="town_hall", round=8).done(0)
    assert followed(game, 1, "done") == ["The free pick: take a resource of your choice."]


def test_town_hall_tells_who_takes_nothing_at_the_free_pick() -> None:
    game = table(FIVE_BANKS, town("Mon", monument=FORT), "", naming="town_hall", round=8).done(0, 1)
    assert followed(game, 2, "done")[1:] == ["Ada, Ben take no resource."]
    game = table("", town("Mon", monument=FORT), naming="town_hall", round=8).done(0)
    assert followed(game, 1, "done")[1:] == ["Ben takes no resource."]


def test_town_hall_tells_that_its_cards_are_shuffled_again() -> None:
    game = dealt(2, 1, naming="town_hall", monuments="no")
    told = []
    while game.plain.round < 16:
        seat = game.waiting[0]
        moves = game.legal(seat)
        told += followed(game, seat, "done" if "done" in moves else moves[0])
    assert [message for message in told if "shuffled" in message] == ["All resource cards are shuffled again."]
    # the eleventh card is turned in round 16; the deal itself has turned the first one
    assert told[-2] == "All resource cards are shuffled again."
    assert sum(message.startswith("A card is turned") for message in told) == 10


def test_solo_play_tells_the_card_that_is_opened() -> None:
    game = dealt(1, 3, monuments="no")
    opened = []
    for round in range(16):
        chosen = game.legal()[0]
        left = list(game.plain.row)
        left[RESOURCES.index(chosen.split()[1])] -= 1
        assert followed(game, 0, chosen) == []
        assert followed(game, 0, game.legal()[0]) == []
        told = followed(game, 0, "done")
        if round < 15:
            (new,) = [resource for resource, n in enumerate(game.plain.row) if n > left[resource]]
            assert told == [f"The next card is opened: {RESOURCES[new]}."]
            opened.append(new)
        else:
            assert told == ["The town of Ada is complete."]
    assert len(opened) == 15


@pytest.mark.parametrize("naming", ["master_builder", "town_hall"])
def test_every_reader_is_told_the_same(naming: str) -> None:
    for seed in range(3):
        game = dealt(3, seed, naming=naming)
        before = game.copy()
        for _ in played(game, random.Random(seed)):
            told = {
                tuple(said(message) for message in GAME.face.follows(before.state, game.state, reader))
                for reader in readers(game)
            }
            assert len(told) == 1
            before = game.copy()


def test_every_town_of_a_game_is_told_to_be_complete_once() -> None:
    for game, chance in games():
        before = game.copy()
        told = []
        for _ in played(game, chance):
            told += [say(each, NAMES) for each in GAME.face.follows(before.state, game.state, None)]
            before = game.copy()
        told += [say(each, NAMES) for each in GAME.face.follows(before.state, game.state, None)]
        complete = " ".join(message for message in told if "complete" in message)
        assert [complete.count(name) for name in NAMES[: game.plain.seats]] == [1] * game.plain.seats
