"""Where the system sets the colours, as with high contrast, what can be chosen is seen, and the board is there."""

from playwright.sync_api import Browser
from serving import Server

from browser.table_page import TablePage

_DRAWN = """(selector) => {
  const {outlineStyle, outlineWidth, borderStyle, borderWidth} = getComputedStyle(document.querySelector(selector));
  return {outline: [outlineStyle, parseFloat(outlineWidth)], border: [borderStyle, parseFloat(borderWidth)]};
}"""


def test_what_can_be_chosen_and_the_board(server: Server, browser: Browser) -> None:
    context = browser.new_context(forced_colors="active", reduced_motion="reduce")
    page = context.new_page()
    TablePage(page, seed=1).open_new(server.address, seats=1, monuments="no")
    live = page.evaluate(_DRAWN, "[data-ui-live]")
    assert live["outline"][0] == "solid"
    assert live["outline"][1] >= 2
    square = page.evaluate(_DRAWN, "#square-0:not([data-ui-live])")
    assert square == {"outline": ["none", square["outline"][1]], "border": ["solid", 1]}
    page.evaluate("document.getElementById('square-0').setAttribute('data-ui-chosen', '')")
    assert page.evaluate(_DRAWN, "#square-0")["outline"][0] == "double"
    context.close()
