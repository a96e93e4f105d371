"""A table of Villagers is told to who hears it: what stands in signs on cards and stacks stands in their names, too."""

from __future__ import annotations

import re
from html import unescape

from games.villagers.place import Table, seat, table
from thorp import Match
from thorp.checks.pages import Pages
from thorp.core.match import AnyMatch
from thorp.games.villagers import GAME

_TAG = re.compile(r"<[a-z]+ [^>]*>")


def shown(game: Table) -> str:
    """The table as its first seat is shown it."""
    match: AnyMatch = Match(GAME, game.plain.seats, seed=1)
    match.state = game.state
    pages = Pages()
    return pages.fragment(pages.table(match), 0)


def named(html: str, what: str) -> list[str]:
    """The names of the elements in whose tag that stands, in order."""
    names = [re.search(r'aria-label="([^"]*)"', tag) for tag in _TAG.findall(html) if what in tag]
    return [unescape(name[1]) if name else "" for name in names]


def other(html: str) -> str:
    """The whole village of the second seat."""
    return html.partition('id="village-1"')[2].partition("</article>")[0]


def test_the_hand_of_another_is_told_by_its_backs() -> None:
    game = table(seat(), seat(hand="brewer brewer mason hunter"), seat())
    assert named(shown(game), "vi-backs") == [
        "Hand, 4 cards; 2 grain, 1 ore, 1 solitary",
        "Hand, no cards",
    ]
    assert shown(game).count('class="vi-backs" role="img"') == 2


def test_the_village_of_another_is_told_chain_by_chain_and_card_by_card() -> None:
    village = "founders; hayer > grazier > milk_maid | thatcher; monk=miner > blacksmith:2; hunter; priest"
    html = other(shown(table(seat(), seat(village))))
    assert named(html, 'role="group"') == [
        "Chain: grain, 1 villager",
        "Chain: hay, 4 villagers, two branches",
        "Chain: ore, 2 villagers",
    ]
    founders, hayer, grazier, milk_maid, thatcher, monk, blacksmith, hunter, priest = named(
        html, 'popovertarget="about-'
    )
    assert founders == "Founders, grain. 2 gold at each market."
    assert hayer == "Hayer, hay. Begins a chain of hay. Covered."
    assert grazier == "Grazier, hay; on Hayer. 1 card more in the draft. Covered."
    assert milk_maid.startswith("Milk Maid, hay; on Grazier; padlock: Cooper. ")
    assert thatcher == "Thatcher, hay; on Hayer. 2 gold at each market, 1 build action more."
    assert monk.startswith("Monk, special. ")
    assert monk.endswith(" Stands for Miner. Covered.")
    assert blacksmith.endswith(" 2 gold lies on it.")
    assert hunter == "Hunter, solitary. 1 card more in the draft. Unlocks Truffler."
    assert priest.endswith(" Its silver would pay 3 gold now.")


def test_the_countess_has_no_suit() -> None:
    html = other(shown(table(seat())))
    assert named(html, 'popovertarget="about-') == [
        "The Countess, of no suit. 4 gold at each market, for the Countess."
    ]
    assert named(html, 'role="group"') == []


def test_the_own_village_says_what_its_silver_pays() -> None:
    html = shown(table(seat("founders; hunter; priest; hayer > ore_muler"), seat("founders; miner > seeker")))
    (priest,) = named(html, 'data-about="about-priest"')
    (muler,) = named(html, 'data-about="about-ore_muler"')
    assert ">= 3</b>" in html
    assert priest.endswith(" Its silver would pay 3 gold now.")
    assert muler.endswith(" Its silver would pay 0 gold now.")
    assert "Chain: hay, 2 villagers" in named(html, "vi-chain ")


def test_what_a_padlock_costs_and_who_is_paid_is_told() -> None:
    road = "beekeeper poulterer fisher milk_maid mason seeker"
    html = shown(table(seat("founders; lumberjack > shipwright"), seat("founders; lumberjack > carpenter"), road=road))
    beekeeper, poulterer, fisher, milk_maid, mason, _ = named(html, 'id="road-')
    assert beekeeper.startswith("Beekeeper, solitary; padlock: Carpenter, 2 gold to its owner. ")
    assert poulterer.startswith("Poulterer, grain; on Founders; padlock: Carpenter, 2 gold to its owner. ")
    assert fisher.startswith("Fisher, solitary; padlock: Shipwright, +2 gold onto yours. ")
    assert milk_maid.startswith("Milk Maid, hay; on Grazier; padlock: Cooper, 2 gold to the bank. ")
    assert mason.startswith("Mason, ore; on Miner. ")
    free = shown(table(seat(hand="beekeeper", tinner=1), seat()))
    (held,) = named(free, 'id="hand-')
    assert held.startswith("Beekeeper, solitary; padlock: Carpenter, 0 gold to pay. ")


def test_the_hand_says_what_its_silver_and_a_smuggler_would_bring() -> None:
    html = shown(table(seat("founders; hunter", hand="priest smuggler hunter"), seat()))
    hunter, priest, smuggler = named(html, 'id="hand-')
    assert priest.endswith(" In your village its silver would pay 3 gold as it stands now.")
    assert smuggler.endswith(" It would bring 1 gold now.")
    assert hunter.endswith(" Unlocks Truffler.")


def test_the_markets_are_told_at_their_stacks() -> None:
    html = shown(table(seat(), seat(), stacks=(0, 2, 2, 2, 2, 2)))
    first = "The First Market is held when stacks 1 and 2 are empty."
    second = "The Second Market is held when all stacks are empty; it ends the game."
    assert named(html, 'class="vi-market"') == [first, second]
    assert html.count('aria-describedby="market-') == 2
    assert named(html, 'id="stack-1"')[0].startswith("Stack 2, 2 cards, on top: ")
    held = shown(table(seat(), seat(), stacks=(0, 0, 2, 2, 2, 2), market=True))
    assert named(held, 'id="stack-1"') == ["Stack 2, 0 cards, First Market, paid"]
    due = shown(table(seat(), seat(), stacks=(0, 0, 2, 2, 2, 0)))
    assert named(due, 'id="stack-1"') == ["Stack 2, 0 cards, First Market"]
    assert named(due, 'id="stack-5"') == ["Stack 6, 0 cards, Second Market"]
