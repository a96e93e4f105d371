"""The catalogues that come with Thorp: in step with what is said, sound, and read as Babel reads them."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from thorp.core.catalogue import FILE, TEMPLATE, Catalogue, Entry, plural_rule, read
from thorp.core.registry import game, game_ids
from thorp.translating import folders
from thorp.translating.checking import faults_of
from thorp.translating.folders import Domain

OWN = [game(id).package for id in game_ids() if game(id).package.startswith("thorp.")]
DOMAINS = [folders.house(), *map(folders.domain_of, OWN)]
CATALOGUES = [(domain, tag) for domain in DOMAINS for tag in domain.tags()]

#: What is said by a domain does not change while its catalogues are looked at.
gathered_of = cache(folders.gather)

by_name = pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.name)
each_catalogue = pytest.mark.parametrize(("domain", "tag"), CATALOGUES, ids=lambda value: getattr(value, "name", value))


@by_name
def test_no_id_is_missing_or_left_over(domain: Domain) -> None:
    gathered = gathered_of(domain)
    assert gathered.faults == []
    for path, text in folders.texts(domain, folders.wanted(domain, gathered)):
        assert path.read_text("utf-8") == text, f"{path} is not up to date: make words"


@pytest.mark.parametrize("domain", DOMAINS[1:], ids=lambda domain: domain.name)
def test_no_card_takes_a_word_of_the_house(domain: Domain) -> None:
    """What a game says for an id goes before what the house says: a button "Keep" would be a card of that name."""
    house = {each.text for each in folders.wanted(DOMAINS[0], gathered_of(DOMAINS[0]))}
    names = {each.text for each in folders.wanted(domain, gathered_of(domain)) if each.noun}
    assert not names & house


@each_catalogue
def test_nothing_is_missing(domain: Domain, tag: str) -> None:
    """Of Thorp's own languages not even of the rules in words, without which a language may be offered."""
    assert [entry.id for entry in read(domain.folder / tag / FILE).missing] == []


@each_catalogue
def test_what_is_said_is_sound(domain: Domain, tag: str) -> None:
    assert list(faults_of(read(domain.folder / tag / FILE))) == []


@each_catalogue
def test_babel_reads_the_same(domain: Domain, tag: str) -> None:
    path = domain.folder / tag / FILE
    theirs = {
        (each.id[0] if isinstance(each.id, (list, tuple)) else each.id, each.context or ""): each.string
        for each in read_po(io.BytesIO(path.read_bytes()))
        if each.id
    }
    ours = read(path)
    assert {(each.id, each.context): each.texts if each.plural else each.texts[0] for each in ours.entries} == {
        key: tuple(said) if isinstance(said, (list, tuple)) else said for key, said in theirs.items()
    }
    assert ours.header["Plural-Forms"]


def test_what_was_said_stays_and_what_is_said_no_more_goes(tmp_path: Path) -> None:
    domain = Domain("test", tmp_path)
    (tmp_path / "page.html").write_text("{{ _('Hand') }}{{ _n('%(n)s card', '%(n)s cards', n=1) }}")

    def write() -> Catalogue:
        _write(domain)
        return read(tmp_path / "locale" / "es" / FILE)

    assert [entry.id for entry in write().missing] == ["Hand", "%(n)s card"]
    path = tmp_path / "locale" / "es" / FILE
    said = path.read_text().replace('msgid "Hand"\nmsgstr ""', '# of cards\nmsgid "Hand"\nmsgstr "Mano"')
    path.write_text(said.replace('msgstr[0] ""', 'msgstr[0] "%(n)s carta"').replace('[1] ""', '[1] "%(n)s cartas"'))
    assert write().missing == ()
    assert "# of cards\n" in path.read_text()
    (tmp_path / "page.html").write_text("{{ _('Deck') }}")
    assert [entry.id for entry in write().entries] == ["Deck"]
    assert "Deck" in (tmp_path / "locale" / TEMPLATE).read_text()


def test_a_catalogue_has_as_many_plurals_as_its_language(tmp_path: Path) -> None:
    domain = Domain("test", tmp_path)
    (tmp_path / "page.html").write_text("{{ _n('%(n)s card', '%(n)s cards', n=1) }}")
    # written, and written again: a file that stands keeps its own header
    for _ in range(2):
        _write(domain)
        for tag, count in (("ja", 1), ("es", 2)):
            found = read(tmp_path / "locale" / tag / FILE)
            assert plural_rule(found.header["Plural-Forms"])[0] == count
            assert [len(entry.texts) for entry in found.entries] == [count]


def _write(domain: Domain) -> None:
    for path, text in folders.texts(domain, folders.wanted(domain, folders.gather(domain))):
        # every language of the house gets its file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (Entry("{n} of {all}", ("{n} de todos",)), "leaves out 'all'"),
        (Entry("{seat} leads.", ("{seat} guía {action}.",)), "has 'action'"),
        (Entry("%(n)s played", ("jugadas",)), "leaves out 'n'"),
        (Entry("{n} card", ("una carta", ""), "{n} cards"), "has 1 forms, and needs 2"),
        (Entry("Done", ("<b>Listo</b>",)), "markup"),
        (Entry("{seat}", ("{seat",)), "do not fit"),
        (Entry("See [the end](#the-end).", ("Véase [el final](#final).",)), "links to ['#final']"),
        (Entry("A **town** is done.", ("Una ciudad está lista.",)), "0 times **"),
        (Entry("The preset *First game*.", ("El conjunto **Primera**.",)), "0 times *,"),
        (Entry("Harvest", ("- Cosecha",)), "begins as a heading"),
    ],
)
def test_faults_are_told(entry: Entry, fault: str) -> None:
    assert any(fault in told for told in faults_of(Catalogue(entries=(entry,))))


def test_who_plays_in_a_language_need_not_wait_for_the_rules_in_words(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.write_text(
        '#: rules.md\nmsgid "A round"\nmsgstr ""\n\n#: face/table.html\n#: rules.md\nmsgid "Hand"\nmsgstr ""\n'
    )
    found = read(path)
    assert [entry.id for entry in found.missing] == ["A round", "Hand"]
    assert [entry.id for entry in found.missing_in_play] == ["Hand"]


def test_links_may_stand_in_another_order() -> None:
    entry = Entry("[Town Hall](#town-hall) and [solo](#solo)", ("[en solitario](#solo) y [allí](#town-hall)",))
    assert list(faults_of(Catalogue(entries=(entry,)))) == []


def test_one_of_a_thing_may_be_said_without_its_number() -> None:
    entry = Entry("{n} card", ("una carta", "{n} cartas"), "{n} cards")
    assert list(faults_of(Catalogue(entries=(entry,)))) == []


def test_a_file_that_is_none_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.write_text('msgid "Hand"\nmsgstr "Mano\n')
    with pytest.raises(ValueError, match=r"words\.po:2: "):
        read(path)


def test_rules_of_plurals() -> None:
    count, rule = plural_rule("nplurals=3; plural=(n==1 ? 0 : n<5 ? 1 : 2);")
    assert (count, rule(1), rule(3), rule(7)) == (3, 0, 1, 2)
    assert plural_rule("nplurals=1; plural=0;")[1](5) == 0
