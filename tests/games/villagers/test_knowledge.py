"""Who knows which card, and what is dealt again for those who do not."""

from collections import Counter

from games.villagers.place import Table, again, dealt, seat, table
from thorp.games.villagers import GAME
from thorp.games.villagers.rules.cards import VILLAGERS, number

ROAD = "peddler thatcher mason seeker wheeler agent"


def known(game: Table, owner: int, reader: int | None) -> list[str]:
    """What a reader knows of a hand."""
    return sorted(card.card.id for card in game.view(reader).players[owner].hand for _ in range(card.count))


def worlds(game: Table, reader: int | None, count: int = 60) -> list[Table]:
    """Games in which all is dealt again that the reader does not know."""
    made = []
    for seed in range(count):
        other = game.copy()
        GAME.determinize(other.state, -1 if reader is None else reader, seed)
        made.append(other)
    return made


def test_hands_are_known_to_their_owners_by_suit_to_all() -> None:
    game = table(seat(hand="peddler hunter"), seat())
    assert known(game, 0, 0) == ["hunter", "peddler"]
    assert known(game, 0, 1) == known(game, 0, None) == []
    for reader in (0, 1, None):
        assert game.view(reader).players[0].backs == (("hay", 1), ("solitary", 1))


def test_a_card_drafted_face_up_stays_known_and_one_drawn_blind_does_not() -> None:
    game = table(seat(), seat(), seat(), phase="draft", road=ROAD, stacks=["brewer hunter", 2, 2, 2, 2, 2])
    game.play("draft 1", "blind 0")
    assert known(game, 0, 1) == known(game, 0, None) == ["thatcher"]
    assert known(game, 1, 0) == known(game, 1, None) == []
    for world in worlds(game, 1):
        assert world.hand(0) == ["thatcher"]
    assert len({tuple(world.hand(1)) for world in worlds(game, 0)}) > 1


def test_dealing_again_keeps_suits_of_hands_and_tops_and_the_own_card_on_a_stack() -> None:
    game = table(seat(hand="peddler hunter"), seat(hand="mason tailor grazier"), seat(), seat())
    game.play("exchange peddler hayer 4")
    before = game.view(0)
    for world in worlds(game, 0):
        assert world.pile(4)[0] == "peddler"
        assert world.hand(0) == ["hunter"]
        after = world.view(0)
        assert [pile.suit for pile in after.stacks] == [pile.suit for pile in before.stacks]
        assert after.reserve.suit == before.reserve.suit
        assert after.players[1].backs == before.players[1].backs
    assert len({tuple(world.hand(1)) for world in worlds(game, 0)}) > 20
    # others do not know it
    assert len({world.pile(4)[0] for world in worlds(game, 1)}) > 3


def test_the_giver_still_knows_the_card_when_another_has_drawn_it() -> None:
    game = table(seat(hand="peddler"), seat(drafted=1, draft_limit=2), seat())
    game.play("exchange peddler hayer 4", "done", "done", "done")
    assert game.turn == 1
    game.play("blind 4")
    assert (known(game, 1, 0), known(game, 1, 2), known(game, 1, 1)) == (["peddler"], [], ["peddler"])


def test_a_card_given_up_makes_others_unsure_of_its_suit_in_that_hand() -> None:
    game = table(seat(drafted=0, draft_limit=2), seat(draft_limit=1), seat(draft_limit=1), phase="draft", road=ROAD)
    # a Peddler and a Thatcher, both seen by all
    game.play("draft 0", "draft 2", "draft 3", "draft 1")
    assert game.phase == "build"
    assert known(game, 0, 1) == ["peddler", "thatcher"]
    game.play("exchange peddler miner 5")
    assert known(game, 0, 1) == []
    assert game.view(1).stacks[5].known is None
    assert known(game, 0, 0) == ["thatcher"]


def test_a_card_given_up_that_can_be_no_other_stays_known() -> None:
    game = table(seat(draft_limit=1), seat(draft_limit=1), seat(draft_limit=1), phase="draft", road=ROAD)
    game.play("draft 0", "draft 2", "draft 3", "exchange peddler miner 5")
    # everybody saw that the one hay card was a Peddler
    for reader in (0, 1, 2, None):
        card = game.view(reader).stacks[5].known
        assert card
        assert card.id == "peddler"


def test_of_two_copies_nobody_can_tell_which_was_built() -> None:
    game = table(
        seat(hand="hunter", draft_limit=1),
        seat(draft_limit=0),
        seat(draft_limit=0),
        phase="draft",
        road="hunter " + ROAD[8:],
    )
    game.play("draft 0")
    assert known(game, 0, 1) == ["hunter"]
    game.play("build hunter new")
    assert known(game, 0, 1) == []
    assert known(game, 0, 0) == ["hunter"]


def test_it_is_the_same_whichever_copy_came_first() -> None:
    game = table(
        seat(draft_limit=2),
        seat(draft_limit=0),
        seat(draft_limit=0),
        phase="draft",
        road="hunter " + ROAD[8:],
        stacks=["agent", "hunter", 2, 2, 2, 2],
    )
    game.play("draft 0", "blind 1")
    assert (known(game, 0, 0), known(game, 0, 1)) == (["hunter", "hunter"], ["hunter"])
    game.play("build hunter new")
    assert known(game, 0, 1) == []


def test_cards_that_fill_the_road_are_seen_by_all() -> None:
    for stacks in (["hunter", 2, 2, 2, 2, 2], [0] * 6):
        game = table(seat(draft_limit=1), seat(), seat(), phase="draft", road=ROAD, stacks=stacks)
        came = game.play("draft 0").road()[0]
        game.play("draft 0")
        assert known(game, 1, 0) == known(game, 1, None) == [came]
    # those of the end of the draft too
    game = table(seat(drafted=1), seat(drafted=2), seat(drafted=2), phase="draft", road=ROAD, road_coins=(1,))
    game.play("draft 1")
    assert all(game.plain.cards[node - 1].knows == 0b111111 for node in game.plain.road)


def test_nothing_is_known_of_a_place_in_a_reserve_made_of_discards() -> None:
    plain = table(seat(), seat(), phase="draft", stacks=[0] * 6, reserve=0).plain
    for card in plain.cards:
        # all have been on top of a stack, and seen
        card.seen = 1
    game = again(plain).play("draft 0")
    nodes, link = [], game.plain.piles[6]
    while link:
        nodes.append(game.plain.cards[link - 1])
        link = nodes[-1].next
    assert [card.seen for card in nodes] == [1] + [0] * (len(nodes) - 1)
    assert {card.knows for card in nodes} == {0}


def test_a_reserve_made_of_discards_keeps_its_cards_in_unknown_order() -> None:
    game = table(seat(), seat(), phase="draft", stacks=[0] * 6, reserve=0).play("draft 0")
    cards = sorted(game.pile(6))
    orders = set()
    for world in worlds(game, 0):
        assert sorted(world.pile(6)) == cards
        orders.add(tuple(world.pile(6)))
    assert len(orders) > 50


def test_a_reserve_made_of_discards_is_not_mixed_with_what_else_is_hidden() -> None:
    hands = "tailor tailor jeweler jeweler monk monk"
    game = table(seat(), seat(hand=hands), seat(), seat(), phase="draft", stacks=[0] * 6, reserve=0).play("draft 0")
    cards = sorted(game.pile(6))
    for world in worlds(game, 0, 20):
        assert sorted(world.pile(6)) == cards
        assert world.hand(1) == sorted(hands.split())


def test_dealing_again_keeps_the_suit_of_a_back_that_has_come_to_be_seen() -> None:
    game = table(seat(), seat(), seat(hand="mason"), phase="draft", road=ROAD, stacks=[4] * 6)
    game.play("blind 3", "blind 3")
    before = [pile.suit for pile in game.view(2).stacks]
    for world in worlds(game, 2, 20):
        assert [pile.suit for pile in world.view(2).stacks] == before
    game = table(seat(hand="peddler"), seat(), stacks=[4] * 6).play("exchange peddler hayer 4")
    # below the card given up lies one whose back was seen as well
    below = game.plain.cards[game.plain.piles[4] - 1].next
    suit = VILLAGERS[game.plain.cards[below - 1].face].suit
    for world in worlds(game, 1, 20):
        assert world.view(1).stacks[4].suit == "hay"
        assert VILLAGERS[world.plain.cards[below - 1].face].suit == suit


def test_dealing_again_makes_all_worlds_that_fit_about_equally_often() -> None:
    """Two hidden ore cards of another hand: each of the unseen ore cards is there as often."""
    game = table(seat(), seat(hand="mason"), road=ROAD)
    counts = Counter(world.hand(1)[0] for world in worlds(game, 0, 2600))
    ore = {card.id: 2 for card in VILLAGERS if card.in_deck and card.suit == "ore"}
    # one Mason and one Seeker lie on the Road
    ore["mason"] -= 1
    ore["seeker"] -= 1
    share = 2600 / sum(ore.values())
    assert counts.keys() == ore.keys()
    for id, left in ore.items():
        assert abs(counts[id] - left * share) < 5 * (left * share) ** 0.5, (id, counts)


def test_backs_on_top_are_seen_from_the_deal_on() -> None:
    game = dealt(3, 5)
    before = game.view(0)
    for world in worlds(game, 0, 20):
        after = world.view(0)
        assert [pile.suit for pile in after.stacks] == [pile.suit for pile in before.stacks]
        assert after.reserve.suit == before.reserve.suit


def test_the_cards_of_the_whole_game_stay_the_same() -> None:
    game = dealt(5, 3)
    everything = Counter(card.face for card in game.plain.cards[:100])
    for world in worlds(game, 2, 10):
        assert Counter(card.face for card in world.plain.cards[:100]) == everything
    assert everything[number("tailor")] == 2


def test_who_has_freed_a_villager_has_a_place_for_it_in_every_world() -> None:
    """Its hand is hidden, but all know that it can go on: here by a Monk, whose back tells only that it is special."""
    game = table(seat(hand="apprentice monk"), seat(), seat("hayer > grazier > milk_maid"), seat(), road=ROAD)
    game.play("swap 2 grazier 0")
    for reader in (1, None):
        for world in worlds(game, reader):
            assert world.legal() == ["place monk+new"]
