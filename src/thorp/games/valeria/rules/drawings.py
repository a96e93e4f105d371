"""Which drawings of buildings there are (`face/buildings.html`), and which one a building has that names none."""

#: By type: one for each building of the Thorp deck, named as its id. Any building may have any of them.
BY_TYPE = {
    "worker": (
        *("bakery", "farm", "granary", "inn", "market", "mill", "quarry", "sawmill", "smithy", "tannery"),
        "warehouse",
    ),
    "soldier": (
        *("armory", "barracks", "citadel", "guard-tower", "keep", "palisade", "stables", "toll-gate"),
        *("training-yard", "war-camp", "watch-house"),
    ),
    "shadow": (
        *("black-market", "gambling-house", "hideout", "shadow-court", "smugglers-cove", "spy-post"),
        *("thieves-den", "vault", "witchs-hut", "wizards-tower"),
    ),
    "holy": (
        *("abbey", "bell-tower", "cathedral", "chapel", "hermitage", "library", "oracle", "pilgrims-rest"),
        *("sacred-spring", "tithe-barn"),
    ),
}
DRAWINGS = tuple(name for names in BY_TYPE.values() for name in names)


def drawing_of(id: str, type: str, number: int) -> str:
    """The drawing of its own name, or else one of those of its type; neighbours in a deck have different ones."""
    names = BY_TYPE[type]
    return id if id in DRAWINGS else names[number % len(names)]
