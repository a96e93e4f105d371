"""Forms that browsers send, read with distrust."""

from __future__ import annotations

import re
from typing import Any

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from thorp.core.words import Message, Said
from thorp.server.web.refusals import BadForm

#: Numbers as our pages send them: no sign, no spaces, no foreign digits.
NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)


async def read_form(request: Request) -> FormData:
    """The form of a request, with the text of a file in its place.

    Raises HTTPException 400 where it cannot be read, BadForm for a file that is no text, and for what is said to be in
    an encoding that is none.
    """
    try:
        async with request.form(max_files=4, max_fields=100) as form:
            return FormData([(name, await _text_of(value)) for name, value in form.multi_items()])
    except UnicodeError as error:
        raise BadForm("The form came in an encoding that is none. Load the page again, and try once more.") from error


async def _text_of(value: str | UploadFile) -> str:
    if isinstance(value, str):
        return value
    try:
        return (await value.read()).decode()
    except UnicodeDecodeError as error:
        words = "{file} is not text in UTF-8. Save it as such, or choose another file."
        raise BadForm(words, file=repr(value.filename)) from error


def text(value: Any) -> str:
    """A field as text; a missing one is empty."""
    return value if isinstance(value, str) else ""


def field(form: FormData, name: str) -> str:
    """A field that must be there. Raises BadForm."""
    if name not in form:
        words = "The form came without its field {name}. Load the page again, and try once more."
        raise BadForm(words, name=repr(name))
    return text(form[name])


def number(form: FormData, name: str, meaning: Said[str]) -> int:
    """A field that must be a number; `meaning` says of what. Raises BadForm."""
    return _number(field(form, name), name, meaning)


def numbers(form: FormData, name: str, meaning: Said[str]) -> list[int]:
    """A field that must be there once or several times, each time a number. Raises BadForm."""
    field(form, name)
    return [_number(text(value), name, meaning) for value in form.getlist(name)]


def _number(value: str, name: str, meaning: str) -> int:
    if not NUMBER.fullmatch(value):
        words = "{name} should be a number ({meaning}). Load the page again, and try once more."
        raise BadForm(words, name=repr(name), meaning=Message(meaning))
    return int(value)
