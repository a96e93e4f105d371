"""Tiny Towns in words: every move and every moment has its sentences, and no sentence tells a secret."""

from itertools import pairwise

import pytest

from games.tiny_towns.printed import CARDS, cards_of
from games.tiny_towns.saying import NAMES, games, moments, readers, said
from games.tiny_towns.town import Table, dealt, played, spell, table, town
from thorp.core.language import language, speaking
from thorp.core.words import say
from thorp.games.tiny_towns import GAME
from thorp.games.tiny_towns.face.words import SIGNS
from thorp.games.tiny_towns.rules.cards import LETTERS, MONUMENT, RESOURCES
from thorp.games.tiny_towns.rules.moves import MOVES
from thorp.games.tiny_towns.rules.state import STOCK, State

CARD_NAMES = {card.id: card.name for card in CARDS}


def facts(game: State, seat: int, move: int) -> set[str]:
    """What a sentence about a move has to name: its card, its resource, its squares."""
    found = set()
    family, *words = spell(game, seat, move).split()
    for word in words[: words.index("from")] if "from" in words else words:
        if word in CARD_NAMES:
            found.add(CARD_NAMES[word])
        elif word in RESOURCES or (len(word) == 2 and word[0] in "ABCD"):
            found.add(word)
    if family in ("place", "store", "swap", "shelter", "set_aside", "substitute"):
        found.add(RESOURCES[game.towns[seat].hand - 1])
    return found


def test_every_move_is_offered_in_words_that_name_all_it_does() -> None:
    for game in moments(every=9):
        plain = game.plain
        for seat in game.waiting:
            offers = {move: said(GAME.face.offer(plain, seat, move)) for move in game.numbers(seat)}
            for move, offer in offers.items():
                assert all(fact in offer for fact in facts(plain, seat, move)), offer
            # and no two moves in the same words
            assert len(set(offers.values())) == len(offers)


def test_every_move_is_told_to_every_reader() -> None:
    for game, chance in games():
        for seat, move in played(game, chance):
            plain = game.plain
            for reader in readers(game):
                told = said(GAME.face.tell(plain, seat, move, reader))
                assert told.startswith(NAMES[seat])
                if MOVES.decode(move).family != "keep":
                    assert all(fact in told for fact in facts(plain, seat, move)), told


def test_only_its_owner_is_told_which_monument_is_kept() -> None:
    game = dealt(3)
    for move in game.numbers(1):
        own = say(GAME.face.tell(game.plain, 1, move, 1), NAMES)
        assert own == f"Ben keeps {CARDS[game.town(1).dealt[move - game.numbers(1)[0]]].name}."
        for reader in (0, 2, None):
            told = GAME.face.tell(game.plain, 1, move, reader)
            # neither in words nor in what comes with them
            assert say(told, NAMES) == "Ben keeps a monument."
            assert list(told.data or {}) == ["seat"]


def test_every_move_has_things_to_click_that_lead_to_no_other_move() -> None:
    for game in moments(every=9):
        plain = game.plain
        for seat in game.waiting:
            steps = sorted(GAME.face.steps(plain, seat, move) for move in game.numbers(seat))
            assert all(steps)
            for first, second in pairwise(steps):
                assert second[: len(first)] != first


def test_there_is_a_prompt_for_every_reader_at_all_times() -> None:
    for game in moments(every=2):
        for reader in readers(game):
            prompt = said(GAME.face.prompt(game.state, reader))
            assert (prompt == "The game is over.") == game.over


def test_the_prompt_says_what_is_asked_and_who_is_waited_for() -> None:
    game = table(town("", hand="glass"), town("", hand="glass"), "")
    game.play(1, "place A1", "done")
    assert said(GAME.face.prompt(game.state, 0)) == "Place the glass."
    assert said(GAME.face.prompt(game.state, 1)) == "Waiting for Ada, Cy."
    assert said(GAME.face.prompt(game.state, None)) == "Waiting for Ada, Cy."


def test_the_prompt_names_what_can_be_built() -> None:
    # a Well is wood and stone, side by side; a Theater has stone above wood, glass and wood
    both = table("W S W . / W G W .", "")
    assert said(GAME.face.prompt(both.state, 0)) == "You can build: Well, Theater. Or be done."
    assert said(GAME.face.prompt(table("W . S", "").state, 0)) == "Nothing to build: say that you are done."


def test_one_player_chooses_and_several_choose() -> None:
    game = dealt(3)
    assert said(GAME.face.prompt(game.state, None)) == "Ada, Ben, Cy still choose a monument."
    for seat in (1, 2):
        game.play(seat, game.legal(seat)[0])
    assert said(GAME.face.prompt(game.state, 2)) == "Ada still chooses a monument."


def test_one_player_goes_on_and_several_go_on() -> None:
    game = table(town("", completed=4), "", "")
    assert said(GAME.face.prompt(game.state, 0)) == "Your town is complete. Ben, Cy go on."
    game = table(town("", completed=4), "", town("", completed=4))
    assert said(GAME.face.prompt(game.state, 0)) == "Your town is complete. Ben goes on."


def test_one_type_is_put_on_a_watch_and_several_types_are() -> None:
    several = table(town("Mon", monument="opaleyes_watch", task=STOCK, watch_room=2), "")
    assert said(GAME.face.prompt(several.state, 0)) == "Put 2 more types of building on Opaleye's Watch."
    one = table(town("Mon", monument="opaleyes_watch", task=STOCK, watch_room=1), "")
    assert said(GAME.face.prompt(one.state, 0)) == "Put 1 more type of building on Opaleye's Watch."


def test_no_prompt_names_a_monument_that_is_not_built() -> None:
    monuments = {card.name for card in cards_of(MONUMENT)}
    for seed in range(20):
        game = dealt(4, seed)
        while game.plain.round == 0:
            seat = game.waiting[0]
            for reader in readers(game):
                assert not [name for name in monuments if name in said(GAME.face.prompt(game.state, reader))]
            game.play(seat, game.legal(seat)[0])


def test_the_rows_of_the_score_sheet_add_up_to_the_totals() -> None:
    for game in moments(every=20):
        sheet = GAME.face.sheet(game.state)
        assert sheet.totals == game.scores()
        assert sheet.standings == game.standings()
        assert tuple(map(sum, zip(*(row.points for row in sheet.rows)))) == sheet.totals


def test_the_score_sheet_says_everything_in_words() -> None:
    for game in moments(every=20):
        sheet = GAME.face.sheet(game.state)
        for row in sheet.rows:
            said(row.label)
            assert len(row.notes) == game.plain.seats
            for note, points in zip(row.notes, row.points):
                assert note or points == 0
                assert said(note or row.label)
        for remark in sheet.remarks:
            said(remark)


def test_the_score_sheet_has_a_row_for_every_card_the_monument_and_the_empty_squares() -> None:
    game = dealt(3)
    rows = GAME.face.sheet(game.state).rows
    assert [row.card for row in rows[:7]] == list(game.cards)
    assert [said(row.label) for row in rows[7:]] == ["Monument", "Squares without a building"]
    assert len(GAME.face.sheet(dealt(3, monuments="no").state).rows) == 8


def notes(game: Table, seat: int = 0) -> list[str]:
    """Why the sources of points give what they give."""
    return [said(row.notes[seat]) for row in GAME.face.sheet(game.state).rows if row.notes[seat]]


def test_the_score_sheet_says_why() -> None:
    game = table("Cot Cot Cot Far / Cot Cot Cha War:WT / Fea Fea", "Fea")
    assert notes(game) == [
        "4 of 5 fed",
        "1 built",
        "1 built, 4 Cottages fed",
        "2 built, more than the neighbour",
        "2 cubes on 1 built",
        "6 squares",
    ]


def test_the_score_sheet_counts_a_fed_barrett_castle_as_the_two_cottages_that_a_chapel_scores() -> None:
    game = table(town("Cha Far Mon Cot", monument="barrett_castle"))
    assert game.points("chapel") == 3
    assert "1 built, 3 Cottages fed" in notes(game)


def test_the_score_sheet_says_how_many_give_points_where_each_looks_around_itself() -> None:
    # the upper Temple stands beside two Cottages, the lower one beside none
    game = table("Cot Tem Cot / Far / Tem")
    assert game.points("temple") == 4
    assert "2 built, 1 of them with points" in notes(game)
    both = table("Cot Tem Cot / Cot Far / Tem Cot")
    assert both.points("temple") == 8
    assert "2 built" in notes(both)


def test_the_score_sheet_counts_one_thing_as_one() -> None:
    full = "Cot Cha Far War:W / Wel Wel Wel Wel / Wel Wel Wel Wel / Wel Wel Wel"
    assert {"1 built, 1 Cottage fed", "1 cube on 1 built", "1 square"} <= set(notes(table(full)))
    cathedral = town("Mon", monument="cathedral_of_caterina")
    assert "15 squares, waived by Cathedral of Caterina" in notes(table(cathedral))
    shrine = town("Mon", monument="shrine_of_the_elder_tree", shrine=1)
    assert "Shrine of the Elder Tree, 1 building" in notes(table(shrine))
    assert remarks(table("Tav Tav Tav Tav / War:WW")) == [
        "Aspiring Architect: 1 point",
        "Next: Builder's Apprentice, from 10 points.",
    ]


def test_the_score_sheet_says_of_no_town_in_the_game_that_it_was_completed() -> None:
    most = "Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot Cot / Cot Cot Cot"
    others = (town(f"Cot {most} Cot", completed=4), "")
    building = table(town(f"Mon {most}", monument="the_starloom"), *others)
    assert "The Starloom, would now be completed as number 2" in notes(building)
    completed = table(town(f"Mon {most} Cot", monument="the_starloom", completed=6), *others)
    assert "The Starloom, completed as number 2" in notes(completed)


def test_the_score_sheet_names_no_neighbour_in_solo_play() -> None:
    assert "2 built" in notes(table("Fea Fea"))
    assert "2 built, no more than the neighbour" in notes(table("Fea Fea", "Fea Fea"))


def remarks(game: Table) -> list[str]:
    """What the score sheet remarks."""
    return [said(remark) for remark in GAME.face.sheet(game.state).remarks]


@pytest.mark.parametrize("naming", ["master_builder", "town_hall"])
def test_the_score_sheet_says_how_a_tie_is_settled(naming: str) -> None:
    settled, *counts = remarks(table("Cot", "Cot", naming=naming))
    assert ("Master Builder" in settled) == (naming == "master_builder")
    assert len(counts) == 2
    assert remarks(table("Cot", "", naming=naming)) == []


def test_the_score_sheet_has_the_counts_that_settle_a_tie_as_far_as_they_are_looked_at() -> None:
    # -15 points each
    towns = town("Cot", turns=17), town("Far War:W", turns=16), town("Far", turns=16), town("Cot", turns=16)
    game = table(*towns)
    assert set(game.scores()) == {-15}
    assert game.standings() == (4, 1, 3, 2)
    assert remarks(game)[1:] == [
        "Ada: 17 turns as Master Builder.",
        "Ben: 16 turns as Master Builder, 14 squares without a building.",
        "Cy: 16 turns as Master Builder, 15 squares without a building, 0 Cottages.",
        "Dee: 16 turns as Master Builder, 15 squares without a building, 1 Cottage.",
    ]


def test_the_score_sheet_has_the_counts_of_every_tie_the_most_points_first() -> None:
    game = table(town("Far", turns=1), "Tav Tav", town("Cot", turns=2), town("Tav Tav", turns=3), "Wel Wel Wel Wel")
    assert len(set(game.scores())) == 3
    assert remarks(game)[1:] == [
        "Ben: 0 turns as Master Builder.",
        "Dee: 3 turns as Master Builder.",
        "Ada: 1 turn as Master Builder.",
        "Cy: 2 turns as Master Builder.",
    ]


def test_who_shares_a_place_has_the_same_counts_and_town_hall_counts_no_turns() -> None:
    same = remarks(table(town("Cot", turns=4), town("Cot", turns=9), naming="town_hall"))[1:]
    assert same == [f"{name}: 15 squares without a building, 1 Cottage." for name in ("Ada", "Ben")]
    castle = remarks(table(town("Mon", monument="barrett_castle"), "Cot"))[1:]
    assert [remark.split(", ")[-1] for remark in castle] == ["2 Cottages.", "1 Cottage."]


def test_the_text_shows_all_towns_to_every_reader_at_all_times() -> None:
    for game in moments(every=20):
        for reader in readers(game):
            text = GAME.face.text(game.state, reader)
            assert all(f"Seat {seat + 1}: {points}" in text for seat, points in enumerate(game.scores()))


def test_the_text_draws_a_town() -> None:
    text = GAME.face.text(table("W Cot . G / War:W").state, 0)
    assert "1  W  Cot  .   G\n2 War  .   .   ." in text


@pytest.mark.parametrize(
    ("tag", "letters", "row"),
    [
        ("es", "M madera   T trigo   L ladrillo   V vidrio   P piedra", "1  M  "),
        ("pt", "M madeira   T trigo   J tijolo   V vidro   P pedra", "1  M  "),
        ("ja", "木 木材   麦 小麦   レ レンガ   ガ ガラス   石 石材", "1  木 "),
    ],
)
def test_the_text_has_letters_of_the_language(tag: str, letters: str, row: str) -> None:
    assert tuple(LETTERS) == SIGNS
    with speaking(language(tag).within(GAME.words)):
        text = GAME.face.text(table("W Cot . G / War:W").state, 0)
    assert letters in text
    assert row in text


def test_the_text_names_an_unbuilt_monument_to_its_owner_only() -> None:
    game = table(town(". T / S G", monument="cathedral_of_caterina"), "")
    told = [reader for reader in readers(game) if "Cathedral of Caterina" in GAME.face.text(game.state, reader)]
    assert told == [0]
