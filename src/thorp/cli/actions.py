"""What `thorp admin` can do, for the command line; doing it is in admin.py, which needs the web extra."""

from __future__ import annotations

import argparse
from pathlib import Path

from thorp.cli.help import told


def add_actions(parser: argparse.ArgumentParser) -> None:
    """Add what can be done."""
    actions = parser.add_subparsers(title=told("actions"), required=True, metavar="ACTION", dest="action")
    listing = actions.add_parser("list", help=told("list the newest tables"))
    which = listing.add_mutually_exclusive_group()
    which.add_argument("--running", action="store_true", help=told("only those that are not over"))
    which.add_argument("--finished", action="store_true", help=told("only those that are over"))
    listing.add_argument("--limit", type=int, default=50, metavar="N", help=told("how many (default: 50)"))
    show = actions.add_parser("show", help=told("tell about a table what is no secret"))
    show.add_argument("table", help=told("the id of the table: what follows /tables/ in its address"))
    closing = actions.add_parser("close", help=told("end a table: nobody wins, and what was played can be read"))
    closing.add_argument("table", help=told("the id of the table"))
    deleting = actions.add_parser("delete", help=told("delete a table with all its moves"))
    deleting.add_argument("table", help=told("the id of the table"))
    deleting.add_argument("--yes", action="store_true", help=told("do it: there is no way back"))
    backup = actions.add_parser("backup", help=told("copy the database into a new file, while it is in use"))
    backup.add_argument("file", type=Path, help=told("the file to be made; it holds secrets, and only you can read it"))
    restore = actions.add_parser("restore", help=told("put a copy in the place of the database, while no server runs"))
    restore.add_argument("file", type=Path, help=told("a file that backup made"))
    restore.add_argument(
        "--overwrite", action="store_true", help=told("also where there is a database, which is lost then")
    )
