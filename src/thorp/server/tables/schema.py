"""The tables of the database. A change here needs a migration in migrations/versions; a test compares the two."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    false,
    text,
    true,
)
from sqlalchemy.types import TypeDecorator

#: In the place of a move's number: the seat took its last move back.
TAKE_BACK = -1
#: In the place of a move's number: the rows above come from another match, which this table goes on from.
CONTINUED = -2
#: The match went back to just before the seat's last choice, as all agreed; `chance` is what is drawn from then on.
WENT_BACK = -3
#: The same, in a match that this table goes on from: what was taken back is not there.
ANEW = -4


class Moment(TypeDecorator[datetime]):
    """A time in UTC, aware of it; SQLite would forget the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        """What is read."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


# Names for all constraints, so that later migrations can name what they change on every kind of database.
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

settings = Table(
    "setting",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", String(400), nullable=False),
)

tables = Table(
    "table",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(80), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    # the whole match follows from it: it leaves the server only when the match is over
    Column("seed", BigInteger, nullable=False),
    Column("salt", String(64), nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("generator_version", Integer, nullable=False),
    # whether the match plays a single legal move by itself
    Column("forced", Boolean, nullable=False),
    Column("created", Moment, nullable=False),
    Column("finished", Moment),
    Column("next_table", String(32), ForeignKey("table.id")),
    # the person who decides about its seats
    Column("opener", String(32)),
    # when the match began; until then the table gathers, and nothing is shown of what is dealt
    Column("started", Moment),
    # whether who has no seat may look on, and whether the first page names it while it gathers
    Column("watchable", Boolean, nullable=False, server_default=true()),
    Column("listed", Boolean, nullable=False, server_default=false()),
    # how often something about the seats has changed: so other processes find out
    Column("seating", Integer, nullable=False, server_default="0"),
    # the seats that have to decide after the last move, for lists of tables; unknown for older ones
    Column("waiting", JSON(none_as_null=True)),
    # how it ended, seat by seat; unknown for older ones
    Column("scores", JSON(none_as_null=True)),
    Column("standings", JSON(none_as_null=True)),
    # how long its seats may think, as `clocks.Clock` has it; null: as long as they like
    Column("clock", JSON(none_as_null=True)),
    # how far a guided first game is, as `guiding.Guiding` has it; null: nobody is guided here
    Column("guide", JSON(none_as_null=True)),
    # whether hints are given; null: while one person plays alone, or with bots
    Column("hints", Boolean),
    # the table of the match that it goes on from, if that is still there; unknown for older ones
    Column("former", String(32)),
    Index("ix_table_opener", "opener"),
    # what goes on, or gathers, beside all that is over
    Index(
        "ix_table_running", "created", sqlite_where=text("finished IS NULL"), postgresql_where=text("finished IS NULL")
    ),
)

seats = Table(
    "seat",
    metadata,
    Column("table", String(32), ForeignKey("table.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    # a person (the id in its cookie), a bot (its level), or neither while the table gathers
    Column("person", String(32)),
    Column("bot", String(40)),
    Column("name", String(40), nullable=False),
    # the person for whom the bot keeps the seat
    Column("away", String(32)),
    # when somebody else has given the seat to that bot; null where its person has left it
    Column("replaced", Moment),
    # whether its person, or whom the bot keeps it for, took it over while the match ran
    Column("taken", Boolean, nullable=False, server_default=false()),
    # who asks to take the seat over from the bot, and under what name
    Column("asker", String(32)),
    Column("asker_name", String(40)),
    CheckConstraint("person IS NULL OR bot IS NULL", name="one_player"),
    Index("ix_seat_person", "person"),
    Index("ix_seat_away", "away"),
)

# Which of its seats a person has in hand, where people share a device; null: all are behind the curtain.
hands = Table(
    "hand",
    metadata,
    Column("table", String(32), ForeignKey("table.id"), primary_key=True),
    Column("person", String(32), primary_key=True),
    Column("seat", Integer),
    # how much of the match was told when it was taken
    Column("told", Integer, nullable=False),
)

# Append-only. The primary key is what makes a move happen once: of two writers of one ply, one fails.
moves = Table(
    "move",
    metadata,
    Column("table", String(32), ForeignKey("table.id"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("move", Integer, nullable=False),
    # how many rows this seat had before
    Column("counter", Integer, nullable=False),
    Column("made", Moment, nullable=False),
    # what the clock of the seat had left then, in milliseconds, where the table has one
    Column("clock_left", Integer),
    # the seed of all chance to come, where it is drawn anew
    Column("chance", BigInteger),
    UniqueConstraint("table", "seat", "counter"),
)

# What seats have left, in milliseconds: now, or since they are asked. See `clocks.py`.
clocks = Table(
    "clock",
    metadata,
    Column("table", String(32), ForeignKey("table.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("left", Integer, nullable=False),
    Column("since", Moment),
    # since + left, for whoever looks which clock runs out next
    Column("deadline", Moment),
    # whether it has run out, and the seat has not moved since
    Column("out", Boolean, nullable=False, server_default=false()),
    Index("ix_clock_deadline", "deadline"),
)

# What became of people's matches, a row for each seat that counts for its person (`results.py`); written with the last
# move, and deleted with the table.
results = Table(
    "result",
    metadata,
    Column("table", String(32), ForeignKey("table.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", String(32), nullable=False),
    Column("game", String(80), nullable=False),
    Column("finished", Moment, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("score", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    # whether it was won; null: a lone player with nobody to beat
    Column("won", Boolean),
    # what the points of a lone player are called, where that is known: the id of a message
    Column("rank", String(60)),
    # who sat there besides: levels of bots and "people", each once, in their order, with commas between them
    Column("against", String(250), nullable=False),
    Index("ix_result_person", "person", "finished"),
)

# How strong people and levels are in a game, as far as their matches tell (`ratings.py`); it follows from other tables.
ratings = Table(
    "rating",
    metadata,
    Column("game", String(80), primary_key=True),
    # whether it is a level, by its name; or else a person, by its id
    Column("level", Boolean, primary_key=True),
    Column("player", String(40), primary_key=True),
    # as openskill has them: a mean and a deviation
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    Index("ix_rating_player", "player"),
)

# What many records share, kept once: a style sheet, or the drawings that boards refer to.
looks = Table(
    "look",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

# A match that is over as it can be read whatever becomes of the rules: words, boards, scores, packed.
records = Table(
    "record",
    metadata,
    Column("table", String(32), ForeignKey("table.id"), primary_key=True),
    Column("sheet", String(64), ForeignKey("look.digest"), nullable=False),
    Column("drawings", String(64), ForeignKey("look.digest"), nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("made", Moment, nullable=False),
)

# A running match that went on by newer rules, with how many moves it had then.
rules_changes = Table(
    "rules_change",
    metadata,
    Column("table", String(32), ForeignKey("table.id"), primary_key=True),
    Column("rules_version", Integer, primary_key=True),
    Column("generator_version", Integer, primary_key=True),
    Column("ply", Integer, nullable=False),
    Column("made", Moment, nullable=False),
)

# Where a person wants to be told of its turn: a browser (push), an address (mail), a chat (hook).
ways = Table(
    "way",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", String(32), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("address", String(2000), nullable=False),
    # as the person has reached this server: what addresses of tables begin with
    Column("base", String(300), nullable=False),
    Column("token", String(64), nullable=False, unique=True),
    Column("made", Moment, nullable=False),
    # nothing is sent before
    Column("confirmed", Moment),
    # what came of it last, and when
    Column("outcome", String(16)),
    Column("tried", Moment),
    Index("ix_way_person", "person"),
)

# What people are to be told, once: "key" says of what. They are sent, or were not needed.
notices = Table(
    "notice",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("key", String(120), primary_key=True),
    Column("table", String(32), ForeignKey("table.id"), nullable=False),
    Column("kind", String(8), nullable=False),
    # "due", "seen", "gone" or "sent"
    Column("stage", String(8), nullable=False),
    Column("due", Moment, nullable=False),
    Column("sent", Moment),
    Index("ix_notice_stage", "stage", "due"),
)

# What is to be sent, one for each way.
letters = Table(
    "letter",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("way", Integer, ForeignKey("way.id"), nullable=False),
    Column("content", JSON, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    # when it is tried next; who tries it puts that off, so that nobody else does
    Column("next", Moment, nullable=False),
    Index("ix_letter_next", "next"),
    Index("ix_letter_way", "way"),
)

# What is kept of a person besides its seats: only of those who have ever asked for it.
people = Table(
    "person",
    metadata,
    Column("id", String(32), primary_key=True),
    # how often its private links were called back
    Column("link_generation", Integer, nullable=False, server_default="0"),
)

# The link that takes a person to another device, one a person: it holds once. Its key is not kept.
once_links = Table(
    "once_link",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("name", String(40), nullable=False),
    Column("until", Moment, nullable=False),
    Column("used", Moment),
    UniqueConstraint("digest"),
)

# Who asks everybody at a table to go back to its last choice. It holds while nothing else happens there.
going_back = Table(
    "going_back",
    metadata,
    Column("table", String(32), ForeignKey("table.id"), primary_key=True),
    Column("seat", Integer, nullable=False),
    # how many rows there were, and how often the seats had changed, this request and its answers counted
    Column("version", Integer, nullable=False),
    Column("seating", Integer, nullable=False),
    # the people who have agreed, and the one who has not
    Column("agreed", JSON, nullable=False),
    Column("declined", String(32)),
)

# What a person has chosen among its settings; what they are, `preferences.py` knows.
preferences = Table(
    "preference",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("key", String(20), primary_key=True),
    Column("value", String(20), nullable=False),
)

# Who talks at a table (`chat.py`), where that was ever chosen or anything said, and how many lines were said.
chats = Table(
    "chat",
    metadata,
    Column("table", String(32), ForeignKey("table.id"), primary_key=True),
    Column("whom", String(20), nullable=False),
    Column("said", Integer, nullable=False),
)

# The last lines that were said at a table.
chat_lines = Table(
    "chat_line",
    metadata,
    Column("table", String(32), ForeignKey("table.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("person", String(32), nullable=False),
    Column("seat", Integer),
    Column("name", String(40), nullable=False),
    Column("text", String(300), nullable=False),
    Column("said", Moment, nullable=False),
)

# Whom a person does not want to hear, at any table.
mutes = Table(
    "mute",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("muted", String(32), primary_key=True),
)

# What the person of a seat has answered beforehand (`beforehand.py`), for a while that the game tells, or always.
beforehand = Table(
    "beforehand",
    metadata,
    Column("table", String(32), ForeignKey("table.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("answer", String(40), primary_key=True),
    Column("person", String(32), nullable=False),
    Column("span", Integer),
)

# What was told to a seat by a hint (`hints.py`), by the decision: how many rows the seat had made, and what is undone.
hints = Table(
    "hint",
    metadata,
    Column("table", String(32), ForeignKey("table.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("counter", Integer, primary_key=True),
    # rises with everything that is taken back at the table, whoever does it
    Column("undone", Integer, primary_key=True),
    Column("content", JSON, nullable=False),
)

# What the decisions of a seat were worth in a match that is over (`reviews.py`): judged, or being judged.
reviews = Table(
    "review",
    metadata,
    Column("table", String(32), ForeignKey("table.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    # who has asked for it
    Column("person", String(32), nullable=False),
    # how many decisions are judged, of how many, and when that was said last
    Column("judged", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("touched", Moment, nullable=False),
    # null until all are judged
    Column("content", JSON(none_as_null=True)),
    Index("ix_review_person", "person"),
)
