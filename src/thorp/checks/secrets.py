"""Checks of secrets: what a seat cannot know is in nothing that it is shown or told, and in no pace of another seat."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from thorp.checks.matches import play_randomly, random_match, until_next_look
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch, Step
from thorp.core.words import say
from thorp.players.fields import same_but_for_chance

_SEEDS = 1 << 62


def _dealt_again(match: AnyMatch, reader: int | None, seed: int) -> Any:
    copy = match.game.copy(match.state)
    match.game.determinize(copy, -1 if reader is None else reader, seed)
    return copy


def _shown(game: AnyGame, state: Any, reader: int | None) -> list[Any]:
    """All that a reader is shown of a state, and offered."""
    face = game.face
    shown = [face.view(state, reader), say(face.prompt(state, reader)), face.text(state, reader)]
    if reader is not None:
        for move in game.legal_moves(state, reader):
            shown += [str(move), say(face.offer(state, reader, move)), *face.steps(state, reader, move)]
    return shown


def _where(match: AnyMatch, seed: int, reader: int | None) -> str:
    who = "a spectator" if reader is None else f"seat {reader}"
    return f"(random match {seed} of {match.seats} seats, ply {match.ply}, {who})"


def what_is_hidden_is_not_shown(game: AnyGame, games: int) -> Iterator[str]:
    """View, words, text, moves and steps are the same whatever a reader cannot know."""
    changed = False
    for seed in range(max(3, min(games // 80, 8))):
        match = random_match(game, seed)
        rng = random.Random(seed)
        while not match.over:
            for reader in (None, *range(match.seats)):
                other = _dealt_again(match, reader, rng.randrange(_SEEDS))
                changed |= game.bytes(other) != game.bytes(match.state)
                ours, theirs = _shown(game, match.state, reader), _shown(game, other, reader)
                if ours != theirs:
                    different = next((a, b) for a, b in zip_longest(ours, theirs) if a != b)
                    yield f"What is hidden is shown: {different[0]!r} or {different[1]!r} {_where(match, seed, reader)}"
                    return
            play_randomly(match, rng, moves=until_next_look(match, 8, rng))
    if not changed and (game.hidden or game.chance):
        yield "determinize changes nothing: if nothing is hidden and left to chance, write hidden=False, chance=False"


def what_is_hidden_is_dealt_again(game: AnyGame, games: int) -> Iterator[str]:
    """Two states that a reader cannot tell apart are dealt again alike, from the same seed."""
    for seed in range(max(3, min(games // 100, 10))):
        match = random_match(game, seed)
        play_randomly(match, random.Random(seed), moves=10 * seed)
        for reader in (None, *range(match.seats)):
            one, other = _dealt_again(match, reader, 1), _dealt_again(match, reader, 77)
            game.determinize(other, -1 if reader is None else reader, 1)
            if game.bytes(one) != game.bytes(other):
                yield f"determinize depends on what it should deal again {_where(match, seed, reader)}"


def what_others_know_is_dealt_again(game: AnyGame, games: int) -> Iterator[str]:
    """Where seats hide something from each other, dealing again changes what another seat is shown, at some time."""
    kept = {}
    for seed in range(max(6, min(games // 20, 20))):
        match = random_match(game, seed)
        if match.seats == 1 or not game.has_secrets(match.options):
            continue
        rng = random.Random(seed)
        while not match.over:
            reader = rng.randrange(match.seats)
            other = (reader + rng.randrange(1, match.seats)) % match.seats
            shown = game.face.view(match.state, other)
            for who in (None, reader):
                again = _dealt_again(match, who, rng.randrange(_SEEDS))
                if game.face.view(again, other) != shown:
                    kept[who is None] = ""
                elif who is None or match.seats > 2 or not same_but_for_chance(game, again, match.state):
                    # what one of two holds may tell all that the other does: then there is nothing to deal again
                    kept.setdefault(who is None, _where(match, seed, who))
            play_randomly(match, rng, moves=until_next_look(match, 8, rng))
    for where in filter(None, kept.values()):
        yield f"determinize never changes what another seat is shown, though seats have secrets {where}"


def what_is_said_to_be_open_is(game: AnyGame, games: int) -> Iterator[str]:
    """Where a game says that seats hide nothing from each other, none of them knows more than a spectator."""
    for seed in range(max(4, min(games // 50, 20))):
        match = random_match(game, seed)
        if game.has_secrets(match.options):
            continue
        rng = random.Random(seed)
        while not match.over:
            watcher = game.bytes(_dealt_again(match, None, seed))
            for reader in range(match.seats):
                if game.bytes(_dealt_again(match, reader, seed)) != watcher:
                    yield f"secret says that nothing is hidden, and this seat knows more {_where(match, seed, reader)}"
                    return
            play_randomly(match, rng, moves=until_next_look(match, 8, rng))


def readers_are_told_nothing_secret(game: AnyGame, games: int) -> Iterator[str]:
    """A move of another seat, and what follows from it, are told the same whatever a reader may not know."""
    for seed in range(max(2, min(games // 160, 4))):
        match = random_match(game, seed)
        rng = random.Random(seed)
        while not match.over:
            seat = rng.choice(match.waiting)
            move = rng.choice(match.legal(seat))
            for reader in (None, *(other for other in range(match.seats) if other != seat)):
                told = _told(game, match.state, seat, move, reader)
                hidden = _dealt_again(match, reader, rng.randrange(_SEEDS))
                if move in game.legal_moves(hidden, seat):
                    other = _told(game, hidden, seat, move, reader)
                    if other[0] == told[0] and other[1:] != told[1:]:
                        yield f"What is hidden is told: {told[1:]} or {other[1:]} {_where(match, seed, reader)}"
                        return
            match.play(seat, move)


def _told(game: AnyGame, state: Any, seat: int, move: int, reader: int | None) -> list[Any]:
    """What a reader sees after a move, and what it is told."""
    after = game.copy(state)
    game.play(after, seat, move)
    follows = game.face.follows(state, after, reader)
    return [game.face.view(after, reader), say(game.face.tell(state, seat, move, reader)), *map(say, follows)]


def secret_moves_stay_secret(game: AnyGame, games: int) -> Iterator[str]:
    """Two moves that lead to what a reader sees alike are told alike, and dealt again alike: or neither.

    Moves are secret too where nobody sees them. What is told differs where something is known, as what was discarded
    and is seen no more: then it is known when the game is dealt again.
    """
    for seed in range(max(2, min(games // 160, 4))):
        match = random_match(game, seed)
        rng = random.Random(seed)
        while not match.over:
            seat = rng.choice(match.waiting)
            legal = match.legal(seat)
            pair = rng.sample(legal, 2) if len(legal) > 1 else []
            states = [game.copy(match.state) for _ in pair]
            for state, move in zip(states, pair):
                game.play(state, seat, move)
            if pair and game.bytes(states[0]) != game.bytes(states[1]):
                for reader in (other for other in range(match.seats) if other != seat):
                    if fault := _kept_apart(game, match, states, seat, pair, reader):
                        yield f"{fault} {_where(match, seed, reader)}"
                        return
            match.play(seat, rng.choice(legal))


def _kept_apart(game: AnyGame, match: AnyMatch, states: list[Any], seat: int, pair: list[int], reader: int) -> str:
    """What is wrong where a reader sees the same after both of two moves; "" where nothing is."""
    told = [_told(game, match.state, seat, move, reader) for move in pair]
    if told[0][0] != told[1][0] or _shown(game, states[0], reader) != _shown(game, states[1], reader):
        return ""
    played = " or ".join(str(game.moves.decode(move)) for move in pair)
    for state in states:
        game.determinize(state, reader, 1)
    is_alike = game.bytes(states[0]) == game.bytes(states[1])
    if is_alike and told[0] != told[1]:
        return f"What is hidden is told: {told[0][1:]} or {told[1][1:]}"
    if not is_alike and told[0] == told[1]:
        return f"determinize keeps what is hidden, whether {played} was played"
    return ""


def forced_moves_tell_nothing(game: AnyGame, games: int) -> Iterator[str]:
    """Where a match plays a move by itself at once, it does so for all that others may know; else write `asked`."""
    for seed in range(max(3, min(games // 80, 12))):
        match = random_match(game, seed, forced=True)
        rng = random.Random(seed)
        readers = (None, *range(match.seats)) if match.seats > 1 else ()
        for step in _played(match, rng):
            for reader in readers:
                if not step.forced or reader == step.seat:
                    continue
                hidden = game.copy(step.before)
                game.determinize(hidden, -1 if reader is None else reader, rng.randrange(_SEEDS))
                if not _is_forced(game, hidden, step.seat):
                    played = game.moves.decode(step.move)
                    where = _where(match, seed, reader)
                    yield f"{played} was played at once, and tells a secret: write the rule asked {where}"
                    return


def _is_forced(game: AnyGame, state: Any, seat: int) -> bool:
    """Whether a match would play the seat's move at once."""
    move, *others = game.legal_moves(state, seat)
    return not others and not (game.asked and game.asked(state, seat, move))


def _played(match: AnyMatch, rng: random.Random) -> Iterator[Step]:
    """Every move of a random match, forced ones too."""
    while not match.over:
        seat = rng.choice(match.waiting)
        yield from match.play(seat, rng.choice(match.legal(seat)))
