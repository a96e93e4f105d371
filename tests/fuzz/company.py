"""What persons do about seats, positions and matches from files: at tables of their own, which the book only names.

Who sits at these tables changes all the time, and others play there, so no book can tell what has to be in their rows.
What has to hold all the same is looked at: no answer is a mistake of the server (the watch sees to that), a match that
has begun has no free seat, nobody sees with others' eyes while it runs, and nothing goes on from one that is not over.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import thorp
from fuzz import broken
from fuzz.book import Account
from thorp.checks.matches import random_options

if TYPE_CHECKING:
    from fuzz.persons import Person

#: So many of these tables are kept in mind.
MOST = 12


async def gather(person: Person) -> None:
    """Open a table with seats for others: by link, at my device, for bots."""
    rng, others = person.rng, person.book.others
    game = thorp.game(rng.choice(person.watch.games))
    if not (several := [seats for seats in game.seats if seats > 1]):
        return
    seats = rng.choice(several)
    kinds = ("link", "link", "here", "random", "greedy")
    form = {"game": game.id, "seats": str(seats), "watchable": rng.choice(("yes", "yes", "no")), "listed": "yes"}
    form |= {f"seat.{seat}": rng.choice(kinds) for seat in range(1, seats)}
    form |= {f"name.{seat}": rng.choice((f"Guest {seat}", broken.odd_text(rng))) for seat in range(1, seats)}
    form |= {f"option.{id}": value for id, value in random_options(game, seats, rng).items()}
    answer = await person.ask("POST", "/tables", data=form)
    place = answer.headers.get("location", "") if answer is not None else ""
    if not place.startswith("/tables/"):
        return
    account = person.book.database.account(place.removeprefix("/tables/"))
    if account is None:
        return person.watch.fault(f"the table {place} was acknowledged and is not there")
    person.watch.done["gatherings"] += 1
    others[account.id] = account
    while len(others) > MOST:
        del others[next(iter(others))]
    return None


async def change_seats(person: Person) -> None:
    """Sit down, leave, let a bot play, come back, ask, answer, begin: where that goes and where it does not."""
    rng = person.rng
    if not (account := _some(person)):
        return
    seat = rng.choice((str(rng.randrange(len(account.persons))), "0", "99", broken.odd_text(rng)))
    level = rng.choice(("random", "greedy", "free", broken.odd_text(rng)))
    deeds = (
        ("sit", {"seat": seat, "name": rng.choice((person.name, broken.odd_text(rng)))}),
        ("sit", {"seat": seat}),
        ("leave", rng.choice(({}, {"seat": seat}))),
        ("seat", {"seat": seat, "to": level}),
        ("start", {}),
        ("come-back", {}),
        ("ask", {"seat": seat}),
        ("answer", {"seat": seat, "seating": str(rng.randrange(12)), "answer": rng.choice(("yes", "no", "x"))}),
        ("hand", rng.choice(({}, {"seat": seat}))),
    )
    for _ in range(rng.randint(1, 3)):
        end, form = rng.choice(deeds)
        headers = rng.choice(({}, {"HX-Request": "true"}))
        answer = await person.ask("POST", f"/tables/{account.id}/{end}", data=form, headers=headers)
        if answer is not None and answer.status_code < 400:
            person.watch.done["seats"] += 1
    _look_at_seats(person, account)


async def play_there(person: Person) -> None:
    """Make moves at such a table, for whichever of my seats is in hand."""
    if not (account := _some(person)):
        return
    for _ in range(person.rng.randint(1, 6)):
        answer = await person.ask("GET", f"/tables/{account.id}/fragment", headers={"HX-Request": "true"})
        text = answer.text if answer is not None else ""
        moves = re.findall(r'<button name="move" value="(\d+)"', text)
        counter = re.search(r'name="counter" value="(\d+)"', text)
        if not moves or not counter:
            # behind the curtain, or not my turn
            await person.ask("POST", f"/tables/{account.id}/hand", data={"seat": str(person.rng.randrange(6))})
            return
        form = {"counter": counter[1], "move": person.rng.choice(moves)}
        if seat := re.search(r'name="seat" value="(\d+)"', text):
            form["seat"] = seat[1]
        await person.ask("POST", f"/tables/{account.id}/moves", data=form, headers={"HX-Request": "true"})


async def look_back(person: Person) -> None:
    """Look at a position of any table, with any eyes, and at the picture of it."""
    rng = person.rng
    account = rng.choice([*person.book.tables.values(), *person.book.others.values()])
    ply = rng.choice((str(rng.randrange(1 + len(account.rows) * 2)), "0", broken.odd_path(rng, "x")[1:50] or "-1"))
    eyes = rng.choice(("", "", "?as=watch", "?as=1", "?as=2", "?as=0", "?as=%00"))
    paths = (f"at/{ply}{eyes}", f"at/{ply}{eyes}", f"at?ply={ply}", "at", f"at/{ply}/picture.png", "picture.png")
    seat = account.seat_of(person.id)
    running = not person.book.database.rows(account.id)[1]
    path = f"/tables/{account.id}/{rng.choice(paths)}"
    answer = await person.ask("GET", path)
    if answer is None or answer.status_code != 200 or account.id in person.book.others:
        return
    person.watch.done["positions"] += 1
    # Of a match that has not ended meanwhile nobody sees what another seat sees.
    other = eyes in ("?as=1", "?as=2") and int(eyes[-1]) - 1 != seat
    if running and other and eyes in path and not person.book.database.rows(account.id)[1]:
        person.watch.fault(f"{person.name} sees {path} with others' eyes")


async def take_in(person: Person) -> None:
    """Look at a match from a file: a sound one, a harmed one, rubbish."""
    rng = person.rng
    text = broken.odd_text(rng)
    if finished := [account for account in person.book.tables.values() if account.finished and not account.broken]:
        text = rng.choice(finished).match.export()
    elif running := list(person.book.tables.values()):
        text = rng.choice(running).match.export()
    harmed = rng.random() < 0.6
    for _ in range(rng.randint(1, 4) if harmed and text else 0):
        text = rng.choice(broken.HARMS)(rng, text)
    data = text.encode() if rng.random() < 0.9 else rng.randbytes(300)
    answer = await person.ask("POST", "/matches", files={"match": ("match.json", data)})
    if answer is None:
        return
    if answer.status_code == 303:
        person.watch.done["matches taken in"] += 1
        await person.ask("GET", answer.headers["location"])
    elif answer.status_code not in (400, 403, 413, 422, 429, 503):
        person.watch.fault(f"answer {answer.status_code} to a file of a match")


async def play_on(person: Person) -> None:
    """Go on from a position, which only goes where the match is over."""
    rng = person.rng
    account = rng.choice(list(person.book.tables.values()))
    ply = rng.choice((0, rng.randrange(1 + len(account.rows)), 9999))
    seat = rng.choice((str(rng.randint(1, len(account.persons))), broken.odd_text(rng)))
    form = rng.choice(({"seat": seat, "bot": rng.choice(("random", "x"))}, {"players": "same"}, {}))
    answer = await person.ask("POST", f"/tables/{account.id}/at/{ply}/play-on", data=form)
    if answer is None or answer.status_code != 303:
        return
    person.watch.done["played on"] += 1
    if not person.book.database.rows(account.id)[1]:
        person.watch.fault(f"a table goes on from {account.id}, whose match is not over")


async def ask_the_judge(person: Person) -> None:
    """Ask for a hint, or for the review of a match, where that goes and where it does not."""
    rng = person.rng
    account = rng.choice([*person.book.tables.values(), *person.book.others.values()])
    counter = rng.choice((str(rng.randrange(1 + len(account.rows))), broken.odd_text(rng)))
    seat = rng.choice((str(rng.randrange(len(account.persons))), "99", broken.odd_text(rng)))
    form = rng.choice(({"counter": counter, "seat": seat}, {"counter": counter}, {"seat": seat}, {}))
    path = f"/tables/{account.id}/{rng.choice(('hint', 'review'))}"
    headers = rng.choice(({}, {"HX-Request": "true"}))
    method = rng.choice(("GET", "POST"))
    answer = await person.ask(method, path, headers=headers, **({"data": form} if method == "POST" else {}))
    if answer is not None and answer.status_code < 400:
        person.watch.done["judgements"] += 1


def _some(person: Person) -> Account | None:
    others = list(person.book.others.values())
    return person.rng.choice(others) if others else None


def _look_at_seats(person: Person, account: Account) -> None:
    """A match that has begun has somebody at every seat."""
    if person.book.database.empty_seats(account.id):
        person.watch.fault(f"the match at {account.id} has begun with a free seat")


#: What persons do about all this, and how often.
DEEDS: dict[Callable[[Person], Awaitable[None]], int] = {
    gather: 3,
    change_seats: 10,
    play_there: 5,
    look_back: 8,
    take_in: 3,
    play_on: 3,
    ask_the_judge: 2,
}
