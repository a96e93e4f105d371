"""The help of commands: all of it is in the catalogues, and it is in the language of the terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

import pytest
from wrapped import wrapped

from thorp.cli import main
from thorp.cli.help import asks_for_help, language_in
from thorp.core.language import ENGLISH

#: The module, not the function of that name.
MODULE = sys.modules["thorp.cli.main"]

COMMANDS = (
    *("", "serve", "admin", "admin list", "admin restore", "play", "replay", "analyse", "arena", "arena balance"),
    *("arena play", "arena report", "train", "rules", "words", "check", "bench", "cards", "cards check", "deck check"),
)
#: Names of commands, options and their values, which are the same in all languages.
_NAME = re.compile(r"--?[a-z-]+|\b[A-Z]{1,}(?:=[A-Z]+)?\b|yes\|no")


def help_of(command: str, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main([*more, *command.split(), "--help"])
    assert ended.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_all_that_it_says_is_in_a_catalogue(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MODULE, "_language_of", lambda chosen: wrapped())
    usage, _, text = help_of(command, capsys).partition("\n\n")
    assert usage.startswith("⟦usage⟧: thorp")
    while "⟦" in text:
        # within one another: what is said in a text stands in brackets of its own
        text = re.sub(r"⟦[^⟦⟧]*⟧", "", text)
    known = (
        r"\b(file|folder|game|games|packages|table)\b|"
        r"\b(check|play|balance|report|match|list|show|close|delete|backup|restore)\b"
    )
    commands = r"\b(serve|admin|replay|analyse|arena|train|rules|words|bench|cards|deck)\b"
    assert re.findall(r"[a-z]+", re.sub(f"{known}|{commands}", "", _NAME.sub("", text))) == []


@pytest.mark.parametrize(
    ("variables", "given"),
    [({}, ["--language", "es"]), ({"LANG": "es_MX.UTF-8"}, []), ({"LANGUAGE": "tlh:es_AR:ja"}, [])],
)
def test_it_is_in_the_language_of_the_terminal(
    variables: dict[str, str],
    given: Sequence[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    english = help_of("play", capsys)
    assert english.startswith("usage: thorp play")
    assert "\noptions:\n" in english
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    text = help_of("play", capsys, *given)
    assert text.startswith("uso: thorp play")
    assert "\nopciones:\n" in text
    assert "jugar" in help_of("", capsys, *given)


def test_a_language_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "xx", "--help"]) == 1
    assert "there is no language 'xx'" in capsys.readouterr().err


def test_catalogues_are_read_for_the_help_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def language_of(chosen: str) -> object:
        asked.append(chosen)
        return ENGLISH

    monkeypatch.setattr(MODULE, "_language_of", language_of)
    with pytest.raises(SystemExit):
        main(["--version"])
    assert asked == []


@pytest.mark.parametrize(
    ("words", "asks"),
    [
        (["--help"], True),
        (["play", "-h"], True),
        (["play", "--he"], True),
        (["play", "--host"], False),
        (["play", "-"], False),
        (["play", "--"], False),
        ([], False),
    ],
)
def test_help_is_asked_for_as_argparse_has_it(words: list[str], asks: bool) -> None:
    assert asks_for_help(words) is asks


def test_the_language_is_found_before_the_rest_is_read() -> None:
    assert language_in(["--language", "es", "play", "tiny-towns"]) == "es"
    assert language_in(["--language=ja", "--help"]) == "ja"
    assert language_in(["play", "--help"]) == language_in(["--language"]) == ""
