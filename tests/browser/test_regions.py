"""What is sent as new makes a page what it would be if it were loaded anew."""

import pytest
from playwright.sync_api import Browser, Page

from browser.conftest import Server
from browser.table_page import TablePage

#: What comes before that which it follows waits for it. On a slow machine that takes longer than the page has patience
#: for, which would ask for the whole of the table then.
_PATIENCE = """
  window.setTimeout = ((later) => (act, time) => later(act, time === 400 ? 15000 : time))(setTimeout);
"""

_COUNT = """() => {
  window.counted = {news: 0, whole: 0, fetched: 0};
  document.addEventListener('htmx:after:swap', ({detail: {ctx}}) => {
    window.counted[ctx.text.includes('data-base=') ? 'news' : 'whole'] += 1;
  });
  document.addEventListener('htmx:config:request', ({detail: {ctx}}) => {
    if (ctx.request.action.endsWith('/fragment')) window.counted.fetched += 1;
  });
}"""

#: The table of the page and the table that the server shows, without what the script and the browser add.
_BOTH = """async () => {
  const OURS = /^(data-ui-|data-htmx-|hx-nonce$|tabindex$|open$|hidden$|style$|popover$|aria-pressed$|aria-disabled$)/;
  const plain = (table) => {
    table = table.cloneNode(true);
    table.querySelector('#table-news').replaceWith();
    table.querySelector('#telling')?.replaceChildren();
    for (const each of [table, ...table.querySelectorAll('*')]) {
      for (const {name} of [...each.attributes]) {
        if (OURS.test(name)) each.removeAttribute(name);
      }
      for (const name of [...each.classList]) if (name.startsWith('htmx-')) each.classList.remove(name);
      if (!each.classList.length) each.removeAttribute('class');
      const sorted = [...each.attributes].map(({name, value}) => [name, value]).sort();
      for (const [name] of sorted) each.removeAttribute(name);
      for (const [name, value] of sorted) each.setAttribute(name, value);
    }
    return table.outerHTML.replace(/\\s+/g, ' ').replace(/> </g, '><');
  };
  const {table} = document.getElementById('table').dataset;
  for (;;) {
    const before = document.getElementById('table').dataset.mark;
    const answer = await fetch(`/tables/${table}/fragment`);
    const parsed = new DOMParser().parseFromString(`<body>${await answer.text()}</body>`, 'text/html');
    const other = parsed.getElementById('table');
    if (other.dataset.mark === document.getElementById('table').dataset.mark)
      return [plain(document.getElementById('table')), plain(other)];
    // a move is on its way to the page, unless it came while this was fetched
    if (document.getElementById('table').dataset.mark === before)
      await new Promise((done) => document.addEventListener('htmx:after:swap', done, {once: true}));
  }
}"""


def _is_as_loaded(page: Page) -> None:
    shown, loaded = page.evaluate(_BOTH)
    assert shown == loaded


@pytest.mark.parametrize("game", ["tiny-towns", "villagers", "valeria"])
def test_a_page_becomes_what_it_would_be_loaded_anew(server: Server, page: Page, browser: Browser, game: str) -> None:
    page.add_init_script(_PATIENCE)
    table = TablePage(page, seed=5)
    table.open_new(server.address, seats=2, game=game)
    watching = browser.new_context()
    onlooker = watching.new_page()
    onlooker.add_init_script(_PATIENCE)
    onlooker.goto(page.url)
    for each in (page, onlooker):
        each.evaluate(_COUNT)
    for _ in range(9):
        before = table.version
        while table.version == before and not table.over:
            table.click_something()
        for each in (page, onlooker):
            _is_as_loaded(each)
    for each in (page, onlooker):
        counted = each.evaluate("window.counted")
        # most is told as what is new, and nothing was missed
        assert counted["news"] > 6 > counted["whole"]
        assert counted["fetched"] == 0
    watching.close()
