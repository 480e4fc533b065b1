"""Drives the page of `isalab export --compare`: designs beside each other on one slider."""

# What each design's page shows: its step, its station, the tops of its stations, the place of its box.
INNER = """[...document.querySelectorAll('.design iframe')].map(frame => {
  const inner = frame.contentDocument;
  const tops = [...inner.querySelectorAll('#lane .station')].map(one =>
    Math.round(one.getBoundingClientRect().top));
  const box = inner.querySelector('[data-id="obj#1"]:not(.off) rect')?.getBoundingClientRect();
  return {count: inner.getElementById('count').value, tops,
    now: [...inner.querySelectorAll('#lane .station')].findIndex(one => one.matches('.now')),
    box: box ? [box.left, box.top, box.width].map(Math.round) : null,
    told: inner.getElementById('told').textContent,
    scrolls: inner.documentElement.scrollHeight > inner.documentElement.clientHeight + 1};
})"""
COUNT = "document.getElementById('count').value"
READY = "[...document.querySelectorAll('.design iframe')].every(one => one.contentWindow.isalab?.lead)"


def same(values):
    return all(value == values[0] for value in values)


def near(boxes):
    """Whether boxes stand in one place, but for what rounding makes of it."""
    return all(abs(one - other) <= 1 for box in boxes for one, other in zip(box, boxes[0]))


def beside(tab, checks, page, screens):
    """Three designs, of which the second crashes in the last line."""
    tab.size(1280, 800)
    tab.go(page)
    checks.holds("the designs' pages are led", tab.wait(READY))
    first = tab.evaluate("Number(document.getElementById('differs').dataset.step)")
    last = tab.evaluate("Number(document.getElementById('count').value.split(' / ')[1])")
    checks.shows(tab, "it is open where they first differ", COUNT, "%d / %d" % (first, last))
    checks.shows(tab, "which is marked",
                 "document.querySelector('.statement').matches('.differs')")
    checks.holds("so is its stop", tab.evaluate("!!document.querySelector('#stops .differs')"))
    for step in range(last + 1):
        tab.go(page + "#step=%d" % step)
        tab.wait(READY)
        checks.shows(tab, "step %d" % step, COUNT, "%d / %d" % (step, last))
        inner = tab.evaluate(INNER)
        checks.holds("all at step %d" % step, same([one["count"] for one in inner]))
        checks.holds("their stations in line at step %d" % step,
                     same([one["tops"] for one in inner]))
        checks.holds("their boxes in line at step %d" % step,
                     near([one["box"] for one in inner if one["box"]]))
        checks.holds("none scrolls by itself at step %d" % step,
                     not any(one["scrolls"] for one in inner))
    checks.holds("they are told different things at the end",
                 not same([one["told"] for one in inner]))
    tab.screenshot(str(screens / "beside.png"))
    tab.key("Home")
    checks.shows(tab, "Home leads all to the start", "%s.every(one => one.count === '0 / %d')"
                 % (INNER, last))
    tab.key("End")
    tab.key("u")
    checks.shows(tab, "a step back is a station back, in all",
                 "%s.every(one => one.now === one.tops.length - 1)" % INNER)
    tab.evaluate("""document.querySelector('.design iframe').contentWindow
      .dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft'}))""")
    checks.shows(tab, "a key within one design leads all",
                 "%s.every(one => one.count === '%d / %d')" % (INNER, last - 1, last))
    tab.evaluate("""document.querySelectorAll('.design iframe')[1].contentDocument
      .querySelector('#lane .station button').click()""")
    checks.shows(tab, "so does a station", "%s.every(one => one.now === 0)" % INNER)
    tab.click("#differs")
    checks.shows(tab, "the button leads to the first difference", COUNT, "%d / %d" % (first, last))
    checks.holds("the differences are listed, each a link", tab.evaluate(
        "[...document.querySelectorAll('.differences a')].every(one => /^#step=/.test(one.hash))"))
    dark = tab.evaluate("document.documentElement.dataset.theme")
    tab.click("#theme")
    checks.shows(tab, "all are dark together", """
      [...document.querySelectorAll('.design iframe')].every(one =>
        one.contentDocument.documentElement.dataset.theme
          === document.documentElement.dataset.theme)""")
    checks.holds("and were not before", tab.evaluate(
        "document.documentElement.dataset.theme") != dark)
    tab.click("#theme")
    tab.size(390, 844)
    tab.go(page + "#step=%d" % last)
    tab.wait(READY)
    checks.shows(tab, "on a phone one scrolls from design to design",
                 "document.getElementById('designs').scrollWidth > innerWidth * 2")
    checks.holds("and not the whole page", tab.evaluate(
        "document.documentElement.scrollWidth <= innerWidth"))
    tab.screenshot(str(screens / "beside-narrow.png"))
    tab.size(1440, 900)
