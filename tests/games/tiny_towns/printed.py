"""The printed cards, as tests speak of them."""

from thorp.games.tiny_towns.cards.card_toml import printed

CARDS = printed().cards
number = printed().number
cards_of = printed().of_type
