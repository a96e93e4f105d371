"""What servers of tests begin with where they are forked: the application imported, and the rules of all games loaded.

A server of its own needs three seconds of processor for that, and there are a hundred of them.
"""

import serve

import thorp.players
from thorp.core.registry import game_ids
from thorp.server.tables.readiness import warm_up

for _id in game_ids():
    warm_up(_id, thorp.players)

main = serve.main
