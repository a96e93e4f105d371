"""What servers of tests begin with where they are forked: the application imported, rules loaded, templates compiled.

A server of its own needs more than three seconds of processor for that, and there are a hundred of them.
"""

import serve

import thorp.players
from thorp.core.registry import game as find_game
from thorp.core.registry import game_ids
from thorp.server.tables.readiness import warm_up
from thorp.server.web import languages
from thorp.server.web.looks import Looks
from thorp.server.web.templates import TEMPLATES, Assets, environment

for _id in game_ids():
    warm_up(_id, thorp.players)

# what is compiled of a template is kept for all environments of a process
_templates = environment(Assets(), Looks(keep=True))
for _file in TEMPLATES.iterdir():
    _templates.get_template(_file.name)
for _id in game_ids():
    for _file in find_game(_id).folder.glob("*.html"):
        _templates.get_template(f"{_id}/{_file.name}")
languages._complete(tuple(sorted(game_ids())))

main = serve.main
