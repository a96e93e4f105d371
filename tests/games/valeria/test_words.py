"""Villages of Valeria in words, and what is clicked: every move and every moment has its own."""

import random
import re
from collections.abc import Iterator
from itertools import pairwise

from games.valeria.place import Table, dealt, seat, table, with_powers
from thorp.compiling.mode import COMPILED
from thorp.core.words import Message, say
from thorp.games.valeria import GAME
from thorp.games.valeria.face.view import PHASES
from thorp.games.valeria.rules.moves import MOVES
from thorp.games.valeria.rules.powers import Power

NAMES = ("Ada", "Ben", "Cy", "Dee", "Eve")
GAMES = 10 if COMPILED else 5
#: "1 cards", "1 more types": one thing that is counted as many.
ONE_OF_MANY = re.compile(r"(?<!-)\b1 (?:more )?[A-Za-z]+[^\Ws]s\b")


def moments(every: int = 17) -> Iterator[Table]:
    """Moments of random games, in all phases."""
    for seed in range(GAMES):
        game = dealt(1 + seed % 5, seed)
        chance = random.Random(seed)
        ply = 0
        while not game.over:
            if ply % every == 0:
                yield game
            GAME.play(game.state, game.turn, chance.choice(game.numbers()))
            ply += 1
        yield game


def said(message: Message) -> str:
    text = say(message, NAMES)
    assert text
    assert not set("{}") & set(text)
    assert not ONE_OF_MANY.search(text), text
    return text


def offers(game: Table) -> dict[str, str]:
    """The legal moves, spelled, and as they are offered."""
    return {game.spell(move): said(GAME.face.offer(game.state, game.turn, move)) for move in game.numbers()}


def told(game: Table, move: str, reader: int | None = 0) -> str:
    number = next(number for number in game.numbers() if game.spell(number) == move)
    return said(GAME.face.tell(game.state, game.turn, number, reader))


def test_every_move_is_offered_in_words_of_its_own() -> None:
    for game in moments():
        words = list(offers(game).values())
        assert len(set(words)) == len(words), sorted(words)


def test_every_move_is_told_to_every_reader() -> None:
    for game in moments():
        for move in game.numbers():
            for reader in (None, game.turn, (game.turn + 1) % game.plain.seats):
                assert NAMES[game.turn] in said(GAME.face.tell(game.state, game.turn, move, reader))


def test_every_move_has_things_to_click_that_lead_to_no_other_move() -> None:
    for game in moments():
        steps = sorted(GAME.face.steps(game.state, game.turn, move) for move in game.numbers())
        assert all(steps)
        for first, second in pairwise(steps):
            assert second[: len(first)] != first


def test_there_is_a_prompt_and_a_text_for_every_reader_at_all_times() -> None:
    phases = set()
    for game in moments(5):
        phases.add(game.phase)
        for reader in (None, *range(game.plain.seats)):
            assert (said(GAME.face.prompt(game.state, reader)) == "The game is over.") == game.over
            text = GAME.face.text(game.state, reader)
            assert all(f"Seat {seat + 1}: {points}" in text for seat, points in enumerate(game.scores()))
    assert phases == set(PHASES)


def test_the_score_sheet_says_everything_in_words() -> None:
    for game in moments(20):
        sheet = GAME.face.sheet(game.state)
        assert sheet.totals == game.scores()
        assert tuple(map(sum, zip(*(row.points for row in sheet.rows)))) == sheet.totals
        for row in sheet.rows:
            said(row.label)
            for note in row.notes:
                said(note or row.label)
        for remark in sheet.remarks:
            said(remark)


def test_a_draw_from_the_deck_is_told_without_its_card() -> None:
    game = table(seat(), seat(), piles=["inn/wood", "mill", "farm", "keep", "vault"])
    game.play("lead harvest")
    assert told(game, "draw deck") == "Ada draws from the deck."
    assert told(game, "draw 0", 1) == "Ada takes Inn (wood) from pile 1."
    assert game.play("draw deck").view(1).players[0].hand == ()


def follows(game: Table, *moves: str) -> dict[int | None, list[str]]:
    """What is told to follow from the last of these moves: by reader, those only that are told anything."""
    game.play(*moves[:-1])
    before = game.copy()
    game.play(moves[-1])
    told = {
        reader: [said(message) for message in GAME.face.follows(before.state, game.state, reader)]
        for reader in (None, *range(game.plain.seats))
    }
    return {reader: sentences for reader, sentences in told.items() if sentences}


def test_who_draws_from_the_deck_alone_is_told_which_card_it_was() -> None:
    game = table(seat(), seat(), seat(), piles=["inn/wood", "mill", "farm", "keep", "vault"])
    game.play("lead harvest")
    told = follows(game, "draw deck")
    (held,) = game.view(0).players[0].hand
    assert told == {0: [f"Ada drew {held.card.building.name} ({held.card.resource})."]}


def test_a_card_of_a_pile_is_told_once() -> None:
    game = table(seat(), seat(), piles=["inn/wood", "mill", "farm", "keep", "vault"])
    # the pile is empty then, and another card is turned onto it
    assert follows(game, "lead harvest", "draw 0") == {}
    # and where the deck is made of what lay below the top cards
    game = table(seat(), seat(), piles=["inn/wood mill/magic", "keep"], cards=0)
    assert follows(game, "lead harvest", "draw deck") == {0: ["Ada drew Mill (magic)."]}


def test_what_is_taken_from_a_hand_is_told_to_those_who_know_it() -> None:
    game = table(seat(), seat(hand="farm/food inn/wood"), seat(), phase="take", action="harvest", takes=1)
    told = follows(game, "take 1")
    (held,) = game.view(0).players[0].hand
    taken = f"{held.card.building.name} ({held.card.resource})"
    assert told == {0: [f"Ada took {taken}."], 1: [f"Ada took {taken}."]}
    # the only card of a hand, which all have seen
    game = table(seat(), seat(known="farm/food"), seat(), phase="take", action="harvest", takes=1)
    assert follows(game, "take 1") == {key: ["Ada took Farm (food)."] for key in (None, 0, 1, 2)}


def test_nobody_is_told_of_a_card_that_the_view_does_not_show() -> None:
    """Whatever follows from any move: it names only cards that the reader's own view has in that hand."""
    told: set[str] = set()
    for seed in range(GAMES):
        game = dealt(1 + seed % 5, seed)
        chance = random.Random(seed)
        while not game.over:
            before, turn = game.copy(), game.turn
            GAME.play(game.state, turn, chance.choice(game.numbers()))
            for reader in (None, *range(game.plain.seats)):
                for message in GAME.face.follows(before.state, game.state, reader):
                    shown = {
                        f"{held.card.building.name} ({held.card.resource})."
                        for held in game.view(reader).players[turn].hand
                    }
                    who, did, card = said(message).split(" ", 2)
                    assert card in shown
                    assert who == NAMES[turn]
                    assert did == "took" or (did, reader) == ("drew", turn)
                    told.add(did)
    assert told == {"drew", "took"}


def test_sentences() -> None:
    me = seat("farm black-market", "armory/food inn/wood", "wood", 4)
    game = table(me, seat("thieves-den", resources="stone food"), pool="paladin", phase="lead")
    assert offers(game)["lead build"] == "Lead Build"
    game.play("lead build")
    assert offers(game) == {"build armory/food": "Build Armory (food)", "build inn/wood": "Build Inn (wood)"}
    assert told(game, "build inn/wood", 1) == "Ada builds Inn (wood)."
    game.play("build armory")
    assert said(GAME.face.prompt(game.state, 0)) == "Pay for Armory: wood, stone, stone."
    assert said(GAME.face.prompt(game.state, 1)) == "Ada pays for Armory: wood, stone, stone."
    assert offers(game) == {
        "pay_own wood": "Pay wood: a coin on your own",
        "pay_castle wood": "Pay wood: a coin on your castle",
        "pay_castle stone": "Pay stone: a coin on your castle",
        "pay_costly black-market wood": "Pay wood: Black Market, for 1 coin",
        "pay_costly black-market stone": "Pay stone: Black Market, for 1 coin",
        "pay_other 1 stone": "Pay stone: a coin on that of Ben",
        "pay_all": "Pay all in the cheapest way",
    }
    assert told(game, "pay_other 1 stone") == "Ada lays a coin on stone of Ben."


def test_two_alike_powers_of_one_card_are_told_apart() -> None:
    deck = with_powers(bakery=(Power("tax", "draw"), Power("tax", "draw")))
    game = table(seat("bakery"), seat(), deck=deck)
    game.play("lead tax", "draw deck")
    assert offers(game) == {
        "use bakery": "Use Bakery, power 1: Tax: draw 1 card",
        "use bakery 1": "Use Bakery, power 2: Tax: draw 1 card",
        "done": "Use no more powers",
    }


def test_steps() -> None:
    game = table(seat("farm", "tannery inn/wood", "wood", 4), seat(resources="food"), piles=["mill"])

    def steps() -> dict[str, tuple[str, ...]]:
        return {game.spell(move): GAME.face.steps(game.state, game.turn, move) for move in game.numbers()}

    def card(id: str) -> str:
        return next(f"hand-{own.card.number}" for own in game.player().hand if own.card.building.id == id)

    assert steps()["lead build"] == ("action-build",)
    tannery = card("tannery")
    game.play("lead build")
    assert [step for move, step in steps().items() if "tannery" in move] == [(tannery,)]
    game.play("build tannery")
    assert steps() == {
        "pay_free farm food": ("power-0-0",),
        "pay_own wood": ("resource-0-wood",),
        "pay_castle food": ("castle", "owed-food"),
        "pay_castle wood": ("castle", "owed-wood"),
        "pay_other 1 food": ("resource-1-food",),
        "pay_all": ("pay-all",),
    }
    game.play("pay_own wood")
    assert steps()["pay_castle food"] == ("castle",)
    game.play("pay_free farm food")
    assert steps() == {"draw 0": ("pile-0",), "draw deck": ("deck",)}


def test_the_view_says_who_is_still_to_follow() -> None:
    game = table(seat(), seat(), seat(), seat(), turn=1)
    assert [player.active for player in game.view().players] == [False, True, False, False]
    game.play("lead tax", "draw deck", "decline")
    assert game.turn == 3
    assert [player.to_follow for player in game.view().players] == [True, False, False, False]
    assert [player.waiting for player in game.view().players] == [False, False, False, True]
    assert game.view().action == "tax"


def test_the_view_says_what_an_adventurer_lacks() -> None:
    game = table(seat("armory"), seat(), pool="paladin warlord")
    assert [place.lacks for place in game.view(0).adventurers[:2]] == [("holy",), ("soldier", "shadow")]
    assert game.view(None).adventurers[0].lacks == ()


def test_the_view_says_of_own_cards_what_can_be_built_and_what_is_lacking() -> None:
    me = seat("hideout", "hideout armory chapel", "wood stone*", 2)
    game = table(me, seat(hand="mill", resources="stone"))
    hand = {own.card.building.id: own for own in game.player().hand}
    assert (hand["hideout"].is_built, hand["hideout"].can_build) == (True, False)
    assert (hand["armory"].can_build, hand["armory"].lacks) == (False, ("stone", "stone"))
    assert (hand["chapel"].can_build, hand["chapel"].lacks) == (True, ("stone",))
    game.play("lead develop", "discard chapel 0", "develop hideout")
    assert game.view(0).players[1].hand == ()


def test_the_view_marks_powers_that_can_be_used() -> None:
    game = table(seat("cathedral oracle inn"), seat())
    game.play("lead tax", "draw deck", "use cathedral", "draw deck")
    powers = {(own.card.id, power.row): power for own in game.player().village for power in own.powers}
    assert (powers["cathedral", 0].used, powers["cathedral", 0].usable) == (True, False)
    assert (powers["cathedral", 1].used, powers["cathedral", 1].usable) == (False, True)
    assert powers["oracle", 0].usable
    assert not powers["inn", 0].usable


def test_a_draw_says_what_it_is_for() -> None:
    deck = with_powers(bakery=Power("harvest", "draw", 2), inn=Power("harvest", "draw"))
    me = seat("bakery inn")
    game = table(me, seat(), deck=deck).play("lead harvest")
    assert said(GAME.face.prompt(game.state, 0)) == "Harvest: draw a card from a pile or the deck (3 left)."
    assert said(GAME.face.prompt(game.state, 1)) == "Ada draws for Harvest: 3 to draw."
    game.play("draw deck", "draw deck", "draw deck", "use bakery")
    assert said(GAME.face.prompt(game.state, 0)) == "Bakery: draw a card from a pile or the deck (2 left)."
    assert said(GAME.face.prompt(game.state, 1)) == "Ada draws for Bakery: 2 to draw."
    game.play("draw deck", "draw deck", "use inn")
    # the rules do not know which of the two was used last
    assert said(GAME.face.prompt(game.state, 0)) == "Draw a card from a pile or the deck (1 left)."
    assert said(GAME.face.prompt(game.state, 1)) == "Ada draws: 1 to draw."


def test_a_pile_shows_what_my_own_resources_do_not_pay() -> None:
    game = table(
        seat(resources="wood"), seat(resources="stone stone"), piles=["armory", "inn", "farm", "keep", "vault"]
    )
    assert [game.view(reader).piles[0].lacks for reader in (0, 1, None)] == [("stone", "stone"), ("wood",), ()]


def test_every_family_is_decoded() -> None:
    assert {MOVES.decode(move).family for move in range(MOVES.size)} == {family.name for family in MOVES}


def test_in_solo_play_it_is_said_what_was_turned_and_who_left() -> None:
    heard = set()
    for seed in range(40):
        game = dealt(1, seed)
        before = {place.card.name for place in game.view().adventurers if place.card}
        game.play(game.legal()[0])
        left = before - {place.card.name for place in game.view().adventurers if place.card}
        turned = game.view().piles[0].cards[0]
        words = said(GAME.face.prompt(game.state, 0))
        tail = f": {turned.building.type}, so the {left.pop()} left" if left else ""
        assert words == (
            f"{turned.building.name} ({turned.resource}) was turned onto pile 1{tail}. Choose the action that you lead."
        )
        heard.add(bool(tail))
    assert heard == {True, False}


def test_who_is_asked_but_cannot_follow_is_told_why() -> None:
    game = table(seat(hand="farm keep oracle"), seat(hand="inn mill"))
    game.play("lead develop", "discard farm 0", "develop keep")
    assert game.legal() == ["decline"]
    why = "Develop takes 3 cards of your hand: you have 2."
    assert said(GAME.face.prompt(game.state, 1)) == f"Ada leads Develop: you cannot follow. {why}"
    # nobody else is told what a hand is good for
    assert said(GAME.face.prompt(game.state, 0)) == "Ben may follow Develop."
    game = table(seat(hand="hideout", resources="wood"), seat(hand="armory", coins=1))
    game.play("lead build", "build hideout", "pay_own wood", "draw deck")
    assert game.legal() == ["decline"]
    why = "You lack wood: 0 of 1, stone: 0 of 2 for Armory."
    assert said(GAME.face.prompt(game.state, 1)) == f"Ada leads Build: you cannot follow. {why}"
    game = table(seat(hand="farm keep oracle"), seat(hand="inn mill bakery"))
    game.play("lead develop", "discard farm 0", "develop keep")
    assert said(GAME.face.prompt(game.state, 1)) == "Ada leads Develop: follow it or not."
