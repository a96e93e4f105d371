"""A table at rest: nothing comes any more before who looks at it has moved."""

from playwright.sync_api import Page

#: Nobody else is asked, and I am; or all is over.
_RESTS = """() => document.querySelector('#table.over') || (document.querySelector('#moves button[name=move]')
  && !document.querySelector('#table :is(.thinking, .vi-thinking, .va-thinking)'))"""

#: When what a page does after a change is done, and painted.
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def wait_for_rest(page: Page) -> None:
    """Until all others have moved, however long that takes them. The answer to one's own move has to be there."""
    page.wait_for_function(_RESTS)
