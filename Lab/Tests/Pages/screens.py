"""Checks of pages on a projector, on a phone and on paper: what has to be seen together, and looked at."""

# Texts of which a reader sees all: inside of the window and of each box that scrolls.
SEES = """
const sees = part => {
  const box = part?.getBoundingClientRect();
  if (!box || !box.width) return false;
  const frames = [[0, 0, innerWidth, HEIGHT]];
  for (let at = part.parentElement; at; at = at.parentElement) {
    if (getComputedStyle(at).overflowY === 'visible' || at === document.documentElement) continue;
    const one = at.getBoundingClientRect();
    frames.push([one.left, one.top, one.right, one.bottom]);
  }
  return frames.every(([left, top, right, bottom]) => box.left >= left - 1 && box.top >= top - 1
    && box.right <= right + 1 && box.bottom <= bottom + 1);
};
"""

# The parts of a station that are not seen: its line, itself, what it is about in the drawing, its event.
UNSEEN = "(() => {" + SEES + """
  const parts = {
    line: [document.querySelector('#source .now')],
    station: [document.querySelector('#lane .now')],
    drawing: [...document.querySelectorAll('#drawing .node:is(.lit, .object, .class):not(.off) rect')],
    event: [document.querySelector('#events .present')],
  };
  const lit = [...document.querySelectorAll('#drawing .node.lit:not(.off) rect')];
  if (lit.length) parts.drawing = lit;
  return Object.keys(parts).filter(name => !parts[name].some(sees));
})()"""

# Entries of the legend that are cut off or cover each other, on a screen that shows it.
LEGEND = """[...document.querySelectorAll('.legend')].filter(one => one.getClientRects().length)
  .flatMap(one => [...one.querySelectorAll(':scope > span')].filter(entry => {
    const box = entry.getBoundingClientRect(), frame = one.getBoundingClientRect();
    return entry.closest('.drawing') || box.left < frame.left - 1 || box.right > frame.right + 1;
  })).map(entry => entry.textContent)
  .concat([...document.querySelectorAll('.legend')].some(one => one.getClientRects().length)
    ? [] : ['none'])"""

# Ways to look at a page: its name, the window, the media, and how far down one sees without scrolling.
# Paper is A4 across with its margins.
LOOKS = [
    ("wide-light", 1280, 800, {"scheme": "light"}),
    ("wide-dark", 1280, 800, {"scheme": "dark"}),
    ("phone-light", 390, 844, {"scheme": "light"}),
    ("phone-dark", 390, 844, {"scheme": "dark"}),
    ("print", 1047, 718, {"kind": "print", "scheme": "light"}),
]
NOW = "document.querySelector('#lane .now')?.classList[0] ?? ''"
STEP = "Number(location.hash.match(/\\d+/)?.[0])"


def lessons(folder):
    return sorted(folder.glob("[0-9]*.html"))


def clear(tab, page):
    """Opens a page as somebody who has not been asked anything yet."""
    tab.go(page.as_uri())
    tab.evaluate("localStorage.clear()")
    tab.go(page.as_uri())


def turning_points(tab, checks, folder, screens):
    """In the middle of each lesson's turning point its line, way, drawing and event stand together."""
    for page in lessons(folder):
        tab.size(1280, 800)
        tab.media()
        tab.go(page.as_uri())
        step = tab.evaluate("Number(document.getElementById('turn').dataset.step)")
        count = tab.evaluate("isalab.steps[%d].lane.length" % step)
        tab.go("%s#step=%d%s" % (page.as_uri(), step, ".%d" % (count // 2 + 1) if count else ""))
        # A write past the setter sends nothing: then that is said where the station would be.
        missing = [] if count else ["station", "event"]
        if not count:
            checks.shows(tab, "%s: that there is no way" % page.stem,
                         "document.getElementById('said').textContent", "No message is sent here.")
        for name, width, height, media in LOOKS:
            tab.size(width, height)
            tab.media(**media)
            unseen = UNSEEN.replace("HEIGHT", str(height))
            checks.shows(tab, "%s, %s: not seen" % (page.stem, name), unseen, missing)
            checks.shows(tab, "%s, %s: the legend is clipped" % (page.stem, name), LEGEND, [])
            if name.startswith("wide"):
                checks.shows(tab, "%s, %s: what happened is cut" % (page.stem, name),
                             "(box => box.scrollHeight > Math.max(box.clientHeight + 1, innerHeight * .38))"
                             "(document.getElementById('told'))", False)
            checks.shows(tab, "%s, %s: no sideways scrolling" % (page.stem, name),
                         "document.documentElement.scrollWidth <= innerWidth")
            tab.evaluate("new Promise(done => setTimeout(done, 450))")
            tab.screenshot(str(screens / ("%s-%s.png" % (page.stem, name))))
    tab.media()
    tab.size(1440, 900)


def branches(tab, checks, folder):
    """A key path's forwarder and a dependent key begin a branch, out of which one goes and comes back."""
    page = next(path for path in lessons(folder) if "key-paths" in path.name)
    tab.go(page.as_uri() + "#step=11")
    tab.key("i")
    depths = "isalab.steps[%d].lane.map(row => row.depth)"
    step = tab.evaluate(STEP)
    lane = tab.evaluate(depths % step)
    inside = lane.index(1)
    for _ in range(inside):
        tab.key("i")
    checks.shows(tab, "into leads into the branch",
                 "document.querySelector('#lane .now')?.closest('.branch') !== null")
    tab.key("o")
    back = next(at for at in range(inside, len(lane)) if lane[at] == 0)
    checks.shows(tab, "out comes back to the way",
                 "location.hash", "#step=%d.%d" % (step, back + 1))
    checks.shows(tab, "which is no branch",
                 "document.querySelector('#lane .now').closest('.branch') === null")
    checks.shows(tab, "as many branches as the way has",
                 "document.querySelectorAll('#lane .branch').length",
                 sum(one < other for one, other in zip(lane, lane[1:])))
    kinds = "[...document.querySelectorAll('#drawing .edge:not(.off)')].map(one => one.classList[1])"
    for kind in ("refers", "forwards"):
        checks.shows(tab, "the drawing has what %s" % kind, "%s.includes('%s')" % (kinds, kind))
    page = next(path for path in lessons(folder) if "dependent-keys" in path.name)
    tab.go(page.as_uri() + "#step=7")
    checks.shows(tab, "the drawing has dependent keys", "%s.includes('depends')" % kinds)


def key(tab, name):
    tab.send("Input.dispatchKeyEvent", type="keyDown", key=name, code=name)
    tab.send("Input.dispatchKeyEvent", type="keyUp", key=name, code=name)


# What a question that is asked covers of the picture, and what of itself one does not see.
ASKED = """(() => {
  const box = one => document.querySelector(one).getBoundingClientRect();
  const panel = box('.hold'), drawing = box('.drawing');
  const meet = panel.left < drawing.right && drawing.left < panel.right
    && panel.top < drawing.bottom && drawing.top < panel.bottom;
  const cut = [...document.querySelectorAll('.hold .choice, .hold .pass')].filter(one => {
    const place = one.getBoundingClientRect();
    return one.getClientRects().length && (place.bottom > innerHeight || place.bottom > panel.bottom);
  });
  return [meet, drawing.height > 150 && drawing.bottom <= innerHeight, cut.length];
})()"""


def panels(tab, checks, folder, screens):
    """A question stands beside the picture, on a desk and on a phone, in every lesson."""
    for page in lessons(folder):
        for name, width, height, media in LOOKS[:4]:
            tab.size(width, height)
            tab.media(**media)
            clear(tab, page)
            tab.key("End")
            tab.evaluate("scrollTo(0, 0)")
            checks.shows(tab, "%s, %s: covers the picture, leaves it, cut" % (page.stem, name), ASKED,
                         [False, True, 0])
            if "isa-swap" in page.stem:
                tab.screenshot(str(screens / ("question-%s.png" % name)))
                tab.key("a")
                checks.shows(tab, name + ": one sees where to go on", """(() => {
                  const place = document.querySelector('.hold .go-on').getBoundingClientRect();
                  return place.top > 0 && place.bottom <= innerHeight; })()""")
                tab.screenshot(str(screens / ("answer-%s.png" % name)))
    tab.media()
    tab.size(1440, 900)


def predictions(tab, checks, folder):
    """A question holds the step that answers it, says why an idea is wrong, and keeps the score."""
    page = next(path for path in lessons(folder) if "isa-swap" in path.name)
    clear(tab, page)
    step = tab.evaluate("Number(document.querySelector('.question').dataset.step)")
    for _ in range(step):
        tab.key("ArrowRight")
    checks.shows(tab, "the step is held", STEP, step - 1)
    shown = "document.querySelectorAll('.hold .choice').length > 0"
    checks.shows(tab, "and the question asked", shown)
    checks.shows(tab, "without its answer",
                 "document.querySelector('.hold .answer').getClientRects().length", 0)
    for name in ("ArrowLeft", "ArrowRight", "Home", "End", "i", "u"):
        tab.key(name)
        checks.shows(tab, "%s does not step the page behind it" % name, STEP, step - 1)
    tab.key("Enter")
    tab.click(".hold summary")
    checks.shows(tab, "the choices stay",
                 "document.querySelector('.hold .choice').getClientRects().length", 1)
    key(tab, "Escape")
    checks.shows(tab, "Escape puts it away", shown, False)
    tab.key("End")
    checks.shows(tab, "the end is held as well", STEP, step - 1)
    checks.shows(tab, "and asks again", shown)
    tab.key("a")
    said = "document.querySelector('.hold .verdict').textContent"
    checks.shows(tab, "a wrong idea is said to be, and why",
                 "%s.startsWith('Not so. That would be method swizzling.')" % said)
    checks.shows(tab, "then the focus is where one goes on", "document.activeElement.className", "go-on")
    tab.click(".hold li:nth-child(3) .choice")
    checks.shows(tab, "the right one is said to be", said,
                 "Right: the run confirms it.")
    score = "document.querySelector('.score')?.textContent"
    checks.shows(tab, "the first answer counts", score, "0 of 1 predictions right so far.")
    tab.key("Enter")
    checks.shows(tab, "then it goes where one was going", STEP, tab.evaluate("isalab.steps.length - 1"))
    checks.shows(tab, "and the question is away", shown, False)
    tab.key("Home")
    for _ in range(step):
        tab.key("ArrowRight")
    checks.shows(tab, "and holds no more", STEP, step)
    page = lessons(folder)[0]
    tab.go(page.as_uri())
    right = tab.evaluate("Number(document.querySelector('.question').dataset.answer)")
    tab.click(".question summary")
    tab.click(".question li:nth-child(%d) .choice" % (right + 1))
    checks.shows(tab, "another page counts on", score, "1 of 2 predictions right so far.")
    tab.go((folder / "index.html").as_uri())
    checks.shows(tab, "and the index knows", score, "1 of 2 predictions right so far.")
    tab.click("#again")
    checks.shows(tab, "until it forgets", score, "0 of 0 predictions right so far.")


def picture(tab, checks, folder):
    """A drawing that is larger than its place shows what has changed, in letters one can read; whole on
    demand."""
    page = next(path for path in lessons(folder) if "key-paths" in path.name)
    tab.size(1280, 800)
    tab.go(page.as_uri() + "#step=11")
    place = "document.querySelector('.drawing')"
    checks.shows(tab, "it is larger than its place", "%s.classList.contains('zoomed')" % place)
    seen = "(() => {" + SEES.replace("HEIGHT", "innerHeight") + """
      return ['obj#1', 'obj#3'].filter(id =>
        !sees(document.querySelector(`#drawing [data-id="${id}"] rect`)));
    })()"""
    checks.shows(tab, "what has moved is in sight", seen, [])
    swap = next(path for path in lessons(folder) if "isa-swap" in path.name)
    for width, height in ((1280, 800), (390, 844)):
        tab.size(width, height)
        tab.go(swap.as_uri() + "#step=4")
        ends = seen.replace("'obj#1', 'obj#3'", "'obj#1', 'class NSKVONotifying_Person'")
        checks.shows(tab, "the swap is seen from end to end at %d" % width, ends, [])
        wide = """[...document.querySelectorAll('#drawing .node:not(.off)')].filter(node => {
          const box = node.querySelector('rect').getBoundingClientRect();
          return box.width && [...node.querySelectorAll('text')].some(text => {
            const place = text.getBoundingClientRect();
            return place.left < box.left || place.right > box.right; });
        }).map(node => node.dataset.id)"""
        checks.shows(tab, "each box holds its words at %d" % width, wide, [])
    tab.size(1280, 800)
    tab.go(page.as_uri() + "#step=11")
    tab.click("#whole")
    checks.shows(tab, "the whole of it on demand", "(() => {" + SEES.replace("HEIGHT", "innerHeight")
                 + "return [...document.querySelectorAll('#drawing .node:not(.off):not(.metaclass)"
                   ":not(.notifying-metaclass) rect')].every(sees); })()")
    tab.click("#whole")
    tab.size(1440, 900)


def crowd(tab, checks, page):
    """Of a hundred objects one sees those that a step touches; all of them on demand."""
    checks.holds("the page of a hundred objects is less than 2 MB", page.stat().st_size < 2_000_000)
    tab.size(1280, 800)
    tab.go(page.as_uri() + "#step=320")
    there = "document.querySelectorAll('#drawing .object:not(.off)').length"
    checks.shows(tab, "the step touches one object", there, 1)
    checks.shows(tab, "and so do the tables",
                 "document.querySelectorAll('#objects tbody tr').length", 1)
    tab.click("#touched")
    checks.shows(tab, "all on demand", there, 100)
    tab.click("#touched")
    checks.shows(tab, "and one again", there, 1)
    tab.key("ArrowLeft")
    checks.shows(tab, "another step, another object",
                 "document.querySelector('#drawing .object:not(.off)').dataset.id", "obj#95")
    tab.size(1440, 900)
