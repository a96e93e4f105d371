"""Who knows which card, and what is dealt again for those who do not."""

from collections import Counter

from games.valeria.place import Table, seat, table
from thorp.compiling.mode import COMPILED
from thorp.games.valeria import GAME

WORLDS = 400 if COMPILED else 120


def worlds(game: Table, reader: int | None, count: int = WORLDS) -> list[Table]:
    """Games in which all is dealt again that the reader does not know."""
    made = []
    for seed in range(count):
        other = game.copy()
        GAME.determinize(other.state, -1 if reader is None else reader, seed)
        made.append(other)
    return made


def everything(game: Table) -> list[int]:
    """All cards of hands, piles and deck."""
    plain = game.plain
    found = list(plain.deck[: plain.deck_size])
    for link in [*(player.hand for player in plain.players), *plain.piles]:
        while link:
            found.append(link - 1)
            link = plain.cards[link - 1].next
    return sorted(found)


def test_the_own_hand_stays_and_others_are_dealt_again() -> None:
    game = table(seat(hand="inn farm"), seat(hand="keep oracle abbey"), seat(hand="mill"))
    found = set()
    for world in worlds(game, 0):
        assert world.hand(0) == game.hand(0)
        assert [world.hand_size(each) for each in range(3)] == [2, 3, 1]
        assert everything(world) == everything(game)
        found.add(tuple(world.hand(1)))
    assert len(found) > WORLDS // 2


def test_a_spectator_knows_no_hand() -> None:
    game = table(seat(hand="inn farm"), seat(hand="keep"))
    assert all(player.hand == () for player in game.view(None).players)
    assert len({tuple(world.hand(0)) for world in worlds(game, None)}) > WORLDS // 2


def test_cards_that_all_know_stay_where_they_are() -> None:
    game = table(seat(), seat(hand="keep", known="farm/food"))
    hidden = Counter()
    for world in worlds(game, 0):
        assert "farm/food" in world.hand(1)
        assert world.hand_size(1) == 2
        hidden.update(set(world.hand(1)) - {"farm/food"})
    assert len(hidden) > 50


def test_every_unseen_card_is_as_likely_in_a_hand() -> None:
    """Chi-square over the cards that the only hidden card may be: the deck is small on purpose."""
    game = table(seat(), seat(hand="inn"), cards=4)
    unseen = {*game.plain.deck[:4], *(n for n in range(84) if game.plain.cards[n].knows == 0b10)}
    count = 5000 if COMPILED else 1000
    found = Counter(world.plain.players[1].hand - 1 for world in worlds(game, 0, count))
    assert found.keys() == unseen
    expected = count / len(unseen)
    # 4 degrees of freedom: beyond 23.5 once in 10,000 times
    assert sum((n - expected) ** 2 / expected for n in found.values()) < 23.5


def test_every_deal_to_several_hands_is_as_likely() -> None:
    """Chi-square over all ways to deal two hands out of five cards."""
    game = table(seat(), seat(hand="inn"), seat(hand="keep mill"), cards=2)
    count = 6000 if COMPILED else 1500
    found: Counter[tuple[str, ...]] = Counter()
    for world in worlds(game, 0, count):
        plain = world.plain
        hands = []
        for player in plain.players[1:3]:
            link = player.hand
            while link:
                hands.append(str(link - 1))
                link = plain.cards[link - 1].next
        found[tuple(hands)] += 1
    # 5 cards to the one, 6 pairs of the rest to the other
    assert len(found) == 30
    expected = count / 30
    # 29 degrees of freedom: beyond 66.2 once in 10,000 times
    assert sum((n - expected) ** 2 / expected for n in found.values()) < 66.2


def test_hidden_cards_come_from_the_deck_that_they_were_drawn_from() -> None:
    """After the piles were shuffled, an older hidden card is none of those, and a younger one is one of them."""
    piles = ["inn/wood mill/wood market/food granary/stone", "smithy", "farm", "keep", "oracle"]
    game = table(seat(), seat(hand="abbey/wood"), seat(hand="vault/food"), piles=piles, cards=0, turn=1, active=1)
    game.play("lead tax", "draw deck", "decline", "decline")
    assert game.plain.origin == 1
    young = {"mill/wood", "market/food", "granary/stone"}
    assert len(young & set(game.hand(1))) == 1
    seen = Counter()
    for world in worlds(game, 0):
        drawn = set(world.hand(1)) & young
        assert len(drawn) == 1
        (older,) = set(world.hand(1)) - drawn
        assert {older, *world.hand(2)} == {"abbey/wood", "vault/food"}
        assert world.view().deck == 2
        seen.update([*drawn, older])
    assert len(seen) == 5


def test_what_was_taken_from_a_hand_is_known_to_both_players_in_worlds_of_theirs() -> None:
    game = table(seat("thieves-den"), seat(hand="inn farm keep"), seat())
    before = game.hand(1)
    game.play("lead tax", "draw 0", "use thieves-den", "take 1")
    (card,) = set(before) - set(game.hand(1))
    assert all(card in world.hand(0) for world in worlds(game, 1))
    assert len({tuple(world.hand(0)) for world in worlds(game, 2)}) > 20


def test_chance_to_come_is_dealt_again_too() -> None:
    game = table(seat(), seat())
    drawn = set()
    for world in worlds(game, 0, 60):
        world.play("lead tax", "draw deck")
        drawn.update(world.hand(0))
    assert len(drawn) > 20


def test_every_card_of_the_deck_is_as_likely_to_be_drawn() -> None:
    """Chi-square over what is drawn first and second from a deck of four cards."""
    game = table(seat(), seat(), cards=4)
    count = 4800 if COMPILED else 1200
    found: Counter[tuple[int, ...]] = Counter()
    for world in worlds(game, 0, count):
        world.play("lead harvest", "draw deck")
        first = world.plain.players[0].hand - 1
        left = set(world.plain.deck[:3])
        world.play("draw deck")
        (second,) = left - set(world.plain.deck[:2])
        found[first, second] += 1
    assert len(found) == 12
    expected = count / 12
    # 11 degrees of freedom: beyond 37.4 once in 10,000 times
    assert sum((n - expected) ** 2 / expected for n in found.values()) < 37.4


def test_adventurers_to_come_are_random() -> None:
    game = table(seat("armory oracle"), seat(), pool="paladin")
    came = set()
    for world in worlds(game, 0, 100):
        world.play("lead recruit", "recruit paladin")
        came.add(world.pool()[0])
    assert len(came) == 15
