"""The options of Tiny Towns."""

from __future__ import annotations

from collections.abc import Mapping

from thorp.core.errors import OptionError
from thorp.core.options import Option
from thorp.core.words import Card, Said, Term
from thorp.games.tiny_towns.cards.card_toml import printed
from thorp.games.tiny_towns.cards.known import CARD_SETS, PRINTED
from thorp.games.tiny_towns.cards.summary import summary
from thorp.games.tiny_towns.rules.cards import MONUMENT, SUPPLY_TYPES, TYPES, CardSet
from thorp.games.tiny_towns.rules.deal import OPTION_CARDS, OPTION_CAVERN, OPTION_MONUMENTS, OPTION_NAMING
from thorp.games.tiny_towns.rules.state import MAX_SEATS

#: What an option of a type says where any card of it will do.
_ANY = "random"

#: Dealt to each player, to keep one.
_MONUMENTS_DEALT = 2

CARD_FILE = CARD_SETS.option_file(summary)

_TYPE_OPTIONS = tuple(
    Option(
        id=TYPES[type].id,
        label=TYPES[type].name,
        values=(_ANY, *(card.id for card in printed().of_type(type))),
        labels=("Random", *(card.name for card in printed().of_type(type))),
    )
    for type in range(1, SUPPLY_TYPES)
)

OPTIONS = (
    *_TYPE_OPTIONS,
    Option(
        id="monuments",
        label="Monuments",
        values=("yes", "no"),
        labels=("With monuments", "Without monuments"),
        help="Everybody is dealt two monuments and keeps one, secret until it is built.",
    ),
    Option(
        id="cavern",
        label="Cavern rule",
        values=("no", "yes"),
        labels=("Without", "With the Cavern rule"),
        help="Twice in the game you may put a cube that another player named aside, instead of placing it.",
        rare=True,
    ),
    Option(
        id="naming",
        label="Who names resources",
        values=("master_builder", "town_hall"),
        labels=("Master Builder", "Town Hall"),
        help="Master Builder: players take turns naming. Town Hall: two cards are turned, then everybody picks freely.",
        seats=range(2, MAX_SEATS + 1),
        rare=True,
    ),
    Option(
        id="cards",
        label="Cards",
        values=(PRINTED,),
        labels=(printed().name,),
        help="A file of cards brings buildings and monuments of your own, instead of the printed ones or beside them.",
        rare=True,
        file=CARD_FILE,
    ),
)
assert OPTIONS[OPTION_MONUMENTS].id == "monuments"
assert OPTIONS[OPTION_CAVERN].id == "cavern"
assert OPTIONS[OPTION_NAMING].id == "naming"
assert OPTIONS[OPTION_CARDS].id == "cards"


def check(seats: int, options: Mapping[str, str]) -> None:
    """Solo play leaves some cards out; a file of cards chooses those of its types, and has monuments for so many."""
    cards = CARD_SETS.of_value(options["cards"])
    for number, option in enumerate(_TYPE_OPTIONS, 1):
        chosen = options[option.id]
        if chosen == _ANY:
            continue
        if _ids(cards, number) != _ids(printed(), number):
            raise OptionError(
                "{option} cannot be {card}: the file {file} brings the cards of this type",
                option=Term(option.label),
                card=Term(option.label_of(chosen)),
                file=repr(cards.name),
            )
        if seats == 1 and not printed().cards[printed().number(chosen)].in_solo:
            raise OptionError(
                "{option} cannot be {card} in solo play; choose another card",
                option=Term(option.label),
                card=Term(option.label_of(chosen)),
            )
    monuments = sum(card.in_solo or seats > 1 for card in cards.of_type(MONUMENT))
    if options["monuments"] == "yes" and monuments < _MONUMENTS_DEALT * seats:
        raise OptionError(
            "{n} seat needs {needed} monuments, and {file} has {found}",
            "{n} seats need {needed} monuments, and {file} has {found}",
            n=seats,
            needed=_MONUMENTS_DEALT * seats,
            file=repr(cards.name),
            found=monuments,
        )


def _ids(cards: CardSet, type: int) -> list[str]:
    return [card.id for card in cards.of_type(type)]


def secret(options: Mapping[str, str]) -> bool:
    """Monuments are all that anybody hides."""
    return options["monuments"] == "yes"


def cards(options: Mapping[str, str]) -> tuple[Card, ...]:
    """All buildings and monuments, whichever take part."""
    return tuple(Card(card.id, card.name) for card in CARD_SETS.of_value(options["cards"]).cards)


PRESETS: Mapping[Said[str], Mapping[str, str]] = {
    "First game": {
        "farm": "farm",
        "well": "well",
        "chapel": "chapel",
        "tavern": "tavern",
        "theater": "theater",
        "factory": "factory",
        "monuments": "no",
    },
}
