"""Where the system sets the colours, as with high contrast: what can be chosen, the board, signs that are filled."""

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


#: The colour in the middle of a picture: what is seen, as the style of an element does not say what is taken from it.
_MIDDLE = """async (png) => {
  const image = await createImageBitmap(new Blob([Uint8Array.from(png)]));
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  return [...context.getImageData(image.width / 2, image.height / 2, 1, 1).data.slice(0, 3)];
}"""
#: The upper and lower edges of arrows to a side, which are not seen, and the colour of what they stand on.
_EDGES = """() => {
  const arrows = [...document.querySelectorAll('.beside')];
  const edges = arrows.flatMap((each) => ['::before', '::after'].map((part) => getComputedStyle(each, part)))
    .filter((style) => style.content !== 'none')
    .map((style) => [style.borderTopColor, style.borderBottomColor]);
  return [edges, getComputedStyle(document.body).backgroundColor];
}"""


def test_drafts_that_are_made_are_filled(server: Server, browser: Browser) -> None:
    context = browser.new_context(forced_colors="active", reduced_motion="reduce")
    page = context.new_page()
    table = TablePage(page, seed=1)
    table.open_new(server.address, seats=2, game="villagers")
    while not page.locator(".vi-limit.on .vi-pips i.on").count():
        table.click_something()
    made, left = (
        page.evaluate(_MIDDLE, list(page.locator(f".vi-limit.on .vi-pips i{which}").first.screenshot()))
        for which in (".on", ":not(.on)")
    )
    assert made != left
    context.close()


def test_neighbours_are_arrows(server: Server, browser: Browser) -> None:
    context = browser.new_context(forced_colors="active", reduced_motion="reduce")
    page = context.new_page()
    TablePage(page, seed=1).open_new(server.address, seats=3, monuments="no")
    edges, ground = page.evaluate(_EDGES)
    assert edges == [[ground, ground]] * 2
    context.close()
