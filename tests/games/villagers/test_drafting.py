"""The draft, and what happens to the Road at its end."""

from games.villagers.place import again, dealt, seat, table

ROAD = "peddler thatcher mason seeker wheeler agent"


def test_the_limit_is_two_and_the_food_that_shows_at_most_five() -> None:
    two = seat("founders > brewer; hunter")
    five = seat("founders_food; hunter; harvester; fisher; graper")
    game = table(seat("chandler"), two, five, first=0, turn=2)
    game.play("done")
    assert [game.player(each).draft_limit for each in range(3)] == [2, 4, 5]


def test_a_covered_villager_shows_no_food() -> None:
    game = table(seat("founders; graper > vintner"), seat(), first=0, turn=1)
    game.play("done")
    # the Founders are turned at the end of the round
    assert game.village(0) == "founders_food; graper > vintner"
    assert game.player(0).draft_limit == 3


def test_seats_draft_in_turn_and_those_at_their_limit_are_skipped() -> None:
    game = table(seat(draft_limit=2), seat(draft_limit=4), seat(draft_limit=3), phase="draft", first=1, turn=1)
    turns = []
    while game.phase == "draft":
        turns.append(game.turn)
        game.play("draft 0")
    assert turns == [1, 2, 0, 1, 2, 0, 1, 2, 1]


def test_drafting_is_obligatory() -> None:
    game = dealt(3)
    assert game.legal() == sorted([f"draft {slot}" for slot in range(6)] + [f"blind {stack}" for stack in range(6)])


def test_a_road_card_comes_with_its_coins_and_is_replaced_at_once_from_the_leftmost_stack() -> None:
    stacks = [0, "brewer hunter", 3, 3, 3, 3]
    game = table(seat(), seat(), phase="draft", road=ROAD, road_coins=(0, 0, 3), stacks=stacks)
    game.play("draft 2")
    assert game.hand(0) == ["mason"]
    assert game.gold(0) == 11
    assert game.road()[2] == "brewer"
    assert game.plain.road_coins[2] == 0
    assert game.pile(1) == ["hunter"]


def test_a_blind_draw_takes_the_top_card_and_leaves_the_road() -> None:
    game = table(seat(), seat(), phase="draft", road=ROAD, stacks=[2, 2, 2, "brewer hunter", 2, 2])
    assert (game.view().stacks[3].suit, game.view().stacks[3].known) == ("grain", None)
    game.play("blind 3")
    assert (game.hand(0), game.road(), game.pile(3)) == (["brewer"], ROAD.split(), ["hunter"])


def test_with_all_stacks_empty_the_road_is_filled_from_the_reserve_and_only_it_is_drafted() -> None:
    game = table(seat(draft_limit=5), seat(draft_limit=5), phase="draft", stacks=[0] * 6)
    before = game.plain.heights[6]
    game.play("draft 0")
    assert game.plain.heights[6] == before - 1
    assert game.legal() == [f"draft {slot}" for slot in range(6)]


def test_discards_are_shuffled_when_the_reserve_is_empty() -> None:
    game = table(seat(), seat(), phase="draft", stacks=[0] * 6, reserve=0)
    pool = game.discards()
    game.play("draft 0")
    assert game.discards() == []
    assert sorted([*game.pile(6), game.road()[0]]) == pool


def test_with_nothing_left_slots_stay_empty_and_drafts_end() -> None:
    game = table(seat(draft_limit=5), seat(draft_limit=5), phase="draft", stacks=[0] * 6, reserve=0)
    plain = game.plain
    plain.discards = 0
    game = again(plain)
    for slot in range(6):
        assert game.phase == "draft"
        game.play(f"draft {slot}")
    assert game.phase == "build"
    assert game.road() == [""] * 6


def last_draft(seats: int, coins: tuple[int, ...], **more):  # type: ignore[no-untyped-def]
    """The last draft of a round, taken blind; the first seat was seat 0."""
    others = [seat(drafted=2) for _ in range(seats - 1)]
    return table(
        *others, seat(drafted=1), phase="draft", turn=seats - 1, first=0, road=ROAD, road_coins=coins, **more
    ).play("blind 5")


def test_two_seats_lay_coins_in_reverse_order() -> None:
    game = last_draft(2, ())
    assert (game.phase, game.turn) == ("guard", 1)
    assert game.legal() == sorted([f"guard {slot}" for slot in range(6)] + ["leave"])
    game.play("guard 0")
    assert game.turn == 0
    game.play("guard 5")
    assert (game.phase, game.turn) == ("build", 0)
    assert (game.road()[0], game.road()[5]) == ("peddler", "agent")
    assert game.plain.road_coins == [1, 0, 0, 0, 0, 1]
    assert game.discards() == sorted(["thatcher", "mason", "seeker", "wheeler"])


def test_two_seats_may_lay_no_coin_and_old_coins_protect() -> None:
    game = last_draft(2, (0, 1, 0, 0, 2, 0)).play("leave", "guard 4")
    assert game.plain.road_coins == [0, 1, 0, 0, 3, 0]
    assert [game.road()[slot] for slot in (1, 4)] == ["thatcher", "wheeler"]
    assert game.discards() == sorted(["peddler", "mason", "seeker", "agent"])


def test_three_seats_recycle_cards_with_a_coin_and_lay_one_on_each() -> None:
    game = last_draft(3, (1, 0, 1, 0, 0, 0))
    assert game.phase == "build"
    assert game.discards() == ["mason", "peddler"]
    assert [game.road()[slot] for slot in (1, 3, 4, 5)] == ["thatcher", "seeker", "wheeler", "agent"]
    assert game.plain.road_coins == [1] * 6


def test_nothing_is_recycled_in_the_first_round_with_three() -> None:
    game = dealt(3)
    while game.phase == "draft":
        game.play("draft 0")
    assert game.discards() == []
    assert game.plain.road_coins == [1] * 6


def test_the_update_draws_from_the_reserve_not_from_stacks() -> None:
    game = last_draft(4, (1, 1, 1, 1, 1, 1), stacks=[3] * 6)
    assert sum(game.plain.heights[:6]) == 17
    assert game.discards() == sorted(ROAD.split())


def test_hands_have_no_limit() -> None:
    game = table(seat(hand="hunter hunter brewer brewer truffler truffler grazier grazier"), seat(), phase="draft")
    assert len(game.play("blind 0").hand(0)) == 9


def test_both_may_lay_their_coin_on_the_same_card() -> None:
    game = last_draft(2, ()).play("guard 3", "guard 3")
    assert (game.plain.road_coins[3], game.road()[3]) == (2, "seeker")
    assert len(game.discards()) == 5


def test_with_two_the_road_is_filled_from_the_reserve_too() -> None:
    game = last_draft(2, (), stacks=[3] * 6, reserve=9).play("leave", "leave")
    assert (sum(game.plain.heights[:6]), game.plain.heights[6]) == (17, 3)
    assert [coins for coins in game.plain.road_coins if coins] == []


def test_a_place_of_the_road_that_is_empty_is_filled_when_a_card_can_be_laid_there() -> None:
    game = table(seat(), seat(), phase="draft", road=ROAD, stacks=["brewer hunter", 2, 2, 2, 2, 2])
    plain = game.plain
    plain.road[4] = 0
    game = again(plain).play("draft 1")
    assert [game.road()[slot] for slot in (1, 4)] == ["brewer", "hunter"]


def test_a_place_without_a_card_gets_no_coin() -> None:
    others = [seat(drafted=2), seat(drafted=2)]
    game = table(*others, seat(drafted=1), phase="draft", turn=2, first=0, road=ROAD, stacks=[0] * 6, reserve=0)
    plain = game.plain
    plain.discards = 0
    game = again(plain).play("draft 2")
    assert game.road()[2] == ""
    assert game.plain.road_coins == [1, 1, 0, 1, 1, 1]


def test_the_drafts_of_a_seat_end_at_its_limit_though_others_go_on() -> None:
    game = table(seat(draft_limit=5, drafted=4), seat(draft_limit=5, drafted=1), phase="draft", turn=1)
    game.play("draft 0", "draft 0")
    assert game.turn == 1
    assert len(game.hand(0)) == 1


def test_no_coin_stays_where_a_card_was_discarded() -> None:
    others = [seat(drafted=2), seat(drafted=2)]
    game = table(*others, seat(drafted=1), phase="draft", turn=2, first=0, road=ROAD, stacks=[0] * 6, reserve=0)
    plain = game.plain
    plain.discards = plain.road[2] = 0
    plain.road_coins[4] = 1
    game = again(plain).play("draft 0")
    # two places are empty: the card that is discarded is shuffled and fills the first of them
    assert game.road() == ["wheeler", "thatcher", "", "seeker", "", "agent"]
    assert game.plain.road_coins == [1, 1, 0, 1, 0, 1]
