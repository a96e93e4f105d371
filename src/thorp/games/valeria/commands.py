"""The commands of Villages of Valeria: `thorp deck check FILE`."""

from thorp.core.commands import file_command
from thorp.games.valeria.options import DECK_FILE

COMMANDS = (file_command("deck", DECK_FILE),)
