"""The four cards of the Factory type."""

from games.tiny_towns.town import points


def test_factory_scores_nothing_and_neither_does_its_cube() -> None:
    assert points("Fac:W Fac:G", "factory") == 0


def test_bank_scores_4_and_its_cube_nothing() -> None:
    assert points("Ban:W", "bank") == 4
    assert points("Ban:W Ban:G . Ban:T", "bank") == 12


def test_trading_post_scores_1() -> None:
    assert points("Tra", "trading_post") == 1
    assert points("Tra . Tra", "trading_post") == 2


def test_warehouse_scores_minus_1_for_each_cube_on_it() -> None:
    assert points("War:W", "warehouse") == -1
    assert points("War:WWW War:TB", "warehouse") == -5


def test_warehouse_scores_nothing_if_it_is_empty() -> None:
    assert points("War", "warehouse") == 0
