"""Catalogues are read as gettext's tools write them, and what is no text between quotation marks is told."""

from pathlib import Path

import pytest

from thorp.core.catalogue import CatalogueError, read


def written(folder: Path, text: str) -> Path:
    file = folder / "words.po"
    file.write_text(f'msgid "Hand"\nmsgstr {text}\n', "utf-8")
    return file


@pytest.mark.parametrize(
    ("quoted", "text"),
    [
        ('"Mano"', "Mano"),
        ('""', ""),
        ('""\n"Ma"\n"no"', "Mano"),
        (r'"La \"mano\"\n\tdel\\"', 'La "mano"\n\tdel\\'),
        ('"手札 — «é»"', "手札 — «é»"),
        ('"l\'or"', "l'or"),
    ],
)
def test_texts_are_what_stands_between_the_quotation_marks(quoted: str, text: str, tmp_path: Path) -> None:
    (entry,) = read(written(tmp_path, quoted)).entries
    assert (entry.id, entry.texts) == ("Hand", (text,))


@pytest.mark.parametrize("quoted", ['""\n"Mano', '"Ma"no"', '"Mano\\"', '""\n"', '"Ma" "no" + "x"'])
def test_quotation_marks_that_do_not_fit_are_told(quoted: str, tmp_path: Path) -> None:
    file = written(tmp_path, quoted)
    with pytest.raises(CatalogueError, match=rf"{file}:\d: the quotation marks do not fit"):
        read(file)
