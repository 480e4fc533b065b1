"""Drives the page of `isalab trace --html`."""

EVENTS = "isalab.lanes.reduce((sum, lane) => sum + lane.events.length, 0)"
WHY = "(document.querySelector('#why h2')?.textContent ?? '')"
VIEW = "(() => { const {from, to} = isalab.view(); return to - from; })()"


def trace(tab, checks, page, screens, contrast):
    """Findings, lanes, zoom, search, causes, in both colours and sizes."""
    for name, width, height in (("wide", 1280, 800), ("phone", 390, 844)):
        for scheme in ("light", "dark"):
            tab.size(width, height)
            tab.media(scheme=scheme)
            tab.go(page)
            checks.holds("the page runs", tab.wait("isalab?.lanes.length > 0"))
            checks.shows(tab, "it does not scroll sideways at %s" % name,
                         "document.documentElement.scrollWidth <= innerWidth")
            tab.evaluate("document.querySelector('#findings button').click()")
            checks.shows(tab, "a finding leads to its event", WHY + " !== ''")
            checks.shows(tab, "all is read easily, %s %s" % (name, scheme), contrast, [])
            tab.screenshot(str(screens / ("trace-%s-%s.png" % (name, scheme))))
    tab.size(1280, 800)
    tab.media(scheme="light")
    tab.go(page)
    tab.wait("isalab?.lanes.length > 0")
    whole = tab.evaluate(VIEW)
    tab.key("+")
    checks.shows(tab, "plus zooms in", VIEW + " < %r" % whole)
    tab.key("0")
    checks.shows(tab, "0 shows all", VIEW, whole)
    tab.key("ArrowRight")
    first = tab.evaluate(WHY)
    checks.holds("the right arrow chooses an event", first != "")
    tab.key("ArrowRight")
    checks.shows(tab, "and goes on", WHY + " !== %r" % first)
    checks.shows(tab, "the address names it", "/^#event=\\d+$/.test(location.hash)")
    told = """(() => {
      const rows = [...document.querySelectorAll('#findings .slow button')];
      rows[0].click();
      return document.querySelectorAll('#why .chain li').length; })()"""
    checks.holds("a slow handler has a cause", tab.evaluate(told) >= 2)
    before = tab.evaluate("isalab.chosen()")
    tab.key("ArrowUp")
    checks.shows(tab, "up goes to the cause", "isalab.chosen() < %r" % before)
    cause = tab.evaluate("isalab.chosen()")
    tab.key("ArrowDown")
    # The first one, which another handler than the slow one may have been.
    checks.shows(tab, "down goes to an effect", "isalab.chosen() > %r" % cause)
    tab.key("ArrowUp")
    checks.shows(tab, "from which up leads back", "isalab.chosen() === %r" % cause)
    tab.key("/")
    checks.shows(tab, "a slash searches", "document.activeElement.id", "search")
    tab.evaluate("""document.getElementById('search').value = 'age';
      document.getElementById('search').dispatchEvent(new Event('input'))""")
    checks.shows(tab, "some match, not all",
                 "isalab.found().size > 0 && isalab.found().size < " + EVENTS)
    checks.shows(tab, "and are counted",
                 "document.getElementById('matches').textContent.includes(isalab.found().size)")
    hit = """(() => {
      const at = isalab.lanes[0].events.find(one => isalab.boxOf(isalab.lanes[0], one).width > 1);
      const box = isalab.boxOf(isalab.lanes[0], at);
      return isalab.eventAt(box.x + box.width / 2, box.y + box.height / 2) >= 0; })()"""
    checks.holds("an event is found where it is drawn", tab.evaluate(hit))
    drawn = """(() => {
      const canvas = document.getElementById('lanes'), pen = canvas.getContext('2d');
      const data = pen.getImageData(0, 0, canvas.width, canvas.height).data;
      return new Set(new Uint32Array(data.buffer)).size; })()"""
    checks.holds("something is drawn", tab.evaluate(drawn) > 5)
    checks.holds("each event's sentence stands in the history", tab.evaluate(
        "document.querySelectorAll('#history tr').length > 0"))
    tab.size(1440, 900)
