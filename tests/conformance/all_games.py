"""Every game that there is, the games of the tests included."""

import connect_four
import toy

import thorp

GAMES = tuple(thorp.game(id) for id in thorp.game_ids())
assert {toy.GAME, connect_four.GAME} < set(GAMES)
