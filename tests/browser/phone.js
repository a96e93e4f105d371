// What a phone shows of a table: measured, for test_phone.py.
() => {
  const shown = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const name = (each) => each.tagName.toLowerCase() + (each.id ? `#${each.id}` : "") + [...each.classList].map((one) => `.${one}`).join("");
  const ask = document.getElementById("ask");
  const bar = document.querySelector(".bar").getBoundingClientRect();
  const room = innerHeight - bar.height - ask.getBoundingClientRect().height;

  // What a decision acts on, besides what is asked: where it lies, and how much of the page it takes.
  const acted = [...document.querySelectorAll("#table :is([data-ui-live], [data-ui-chosen])")]
    .filter((each) => shown(each) && !ask.contains(each) && !each.closest("[popover]"))
    // what can be chosen in the bar, too, need not be in sight
    .filter((each) => ![...ask.querySelectorAll("[data-step]")].some((twin) => shown(twin) && twin.dataset.step === each.dataset.step))
    .map((each) => ({ id: each.id, box: each.getBoundingClientRect() }));
  const top = Math.min(...acted.map(({ box }) => box.top));
  const bottom = Math.max(...acted.map(({ box }) => box.bottom));
  const fits = acted.length === 0 || bottom - top <= room + 1;

  // Targets: all that can be clicked, but for links within text.
  const inText = "p a, p button, li a, li button:not(.moves button), td a, td button, th a, th button, .card-link, h3 a, small a";
  const small = [...document.querySelectorAll("a[href], button, summary, input:not([type=hidden]), select, [data-ui-live]")]
    .filter((each) => shown(each) && !each.matches(inText) && !each.closest(".visually-hidden, .skip, [aria-hidden=true]"))
    .map((each) => ({ each, box: each.getBoundingClientRect() }))
    .filter(({ box }) => box.width && (box.width < 43.5 || box.height < 43.5))
    .map(({ each, box }) => `${name(each)} ${Math.round(box.width)}x${Math.round(box.height)}`);

  const tiny = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const each = text.parentElement;
    if (!text.data.trim() || !shown(each) || each.closest(".visually-hidden, .skip, .mark")) continue;
    const matrix = each.ownerSVGElement ? each.getScreenCTM() : null;
    const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1;
    const size = parseFloat(getComputedStyle(each).fontSize) * scale;
    if (size < 11.9) tiny.push(`${name(each)} in ${name(each.parentElement)}: ${Math.round(size * 10) / 10}`);
  }
  return {
    fits, small, tiny,
    sideways: document.documentElement.scrollWidth - innerWidth,
    misfit: fits ? "" : `${document.getElementById("asked").innerText.trim()} (${Math.round(bottom - top)} of ${Math.round(room)})`,
    places: [...document.querySelectorAll(".table-places a")].filter((each) => shown(each) && !document.querySelector(each.hash)).map((each) => each.hash),
  };
}
