"""What names of cards may be."""

from typing import Any

import pytest

from thorp.cardfiles.reader import LONGEST_NAME, Reader, check


@pytest.mark.parametrize(
    "name", ["Inn", "7", "Toll-Gate", "Witch's Hut", "Peddlers' Inn", "Äpfel 2", "a - b", "x" * 32]
)
def test_names_are_letters_digits_spaces_hyphens_and_apostrophes(name: str) -> None:
    assert Reader().is_name(name)


@pytest.mark.parametrize(
    "name", ["", " ", "Malt_House", "Malt _ House", "_Inn", "Inn_", "Inn ", "-Inn", "Inn\n", "A\tB", "A.B", "x" * 33]
)
def test_nothing_else_is_a_name(name: str) -> None:
    reader = Reader()
    assert not reader.is_name(name)
    assert reader.name({"name": name}) == "Nameless"
    (fault,) = reader.faults
    assert f"must be a text of 1 to {LONGEST_NAME} letters, digits, spaces, hyphens and apostrophes" in str(fault)


def test_the_mark_that_some_editors_begin_a_file_with_is_taken_away() -> None:
    def named(table: dict[str, Any]) -> Any:
        return table["name"]

    thing: Any = "card"
    assert check("name = 'Inn'".encode("utf-8-sig"), thing, Reader(), named) == ("Inn", ())
    _, (fault,) = check(b"\xef\xbb\xbfname = '\xff'", thing, Reader(), named)
    assert "(at byte 11)" in str(fault)
