"""The commands of Tiny Towns: `thorp cards check FILE`."""

from thorp.core.commands import file_command
from thorp.games.tiny_towns.options import CARD_FILE

COMMANDS = (file_command("cards", CARD_FILE),)
