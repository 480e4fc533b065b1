"""Drives the pages that isalab exports in a headless Chromium, as a lecturer and a reader would.

    python3 drive.py CHROMIUM PAGE HOSTILE-PAGE CROWD-PAGE COMPARE-PAGE TRACE-PAGE LECTURE-FOLDER SCREENSHOTS-FOLDER

PAGE is that of Examples/scenarios/person.kvo, CROWD-PAGE one of a hundred objects, COMPARE-PAGE one of three
designs, TRACE-PAGE that of a traced program. Says what is wrong and
fails, or says how much held.
"""

import json
import pathlib
import sys

from beside import beside
from browser import Browser, Tab
from checks import CONTRAST, Checks
from screens import UNSEEN, branches, crowd, panels, picture, predictions, turning_points
from traces import trace

SWAPPED = "document.querySelector('[data-id=\"isa obj#1\"]').classList.contains('swapped')"
PLAY = "document.getElementById('play').getAttribute('aria-label')"
STATE = """({
  slider: Number(document.getElementById('slider').value),
  hash: location.hash,
  count: document.getElementById('count').value,
  statement: document.getElementById('statement').textContent,
  line: document.querySelector('#source [aria-current]')?.textContent ?? '',
  status: document.getElementById('status').textContent,
})"""


# Whether everything on the page is at a step.
AT = """(() => {
  const state = %s;
  const {steps} = isalab;
  const moment = steps[%d];
  const stop = steps.slice(0, %d + 1).reduce((sum, one) => sum + one.lane.length + 1, 0) - 1;
  const line = document.querySelector('#source [data-step="%d"] a')?.textContent ?? '';
  return state.slider === stop && state.hash === '#step=%d' && state.statement === moment.text
    && (moment.line === 0 || state.line === line) && state.status.includes(moment.text);
})()"""


LAST = "isalab.steps.length - 1"


def at(tab, step):
    """Whether everything on the page comes to be at a step."""
    return tab.wait(AT % (STATE, step, step, step, step))


def steps(tab, checks, page):
    """Slider, buttons, arrow keys, links and deep links."""
    tab.go(page)
    last = tab.evaluate(LAST)
    checks.holds("without a link the page begins at the start", at(tab, 0))
    tab.key("ArrowRight")
    checks.holds("the right arrow goes on", at(tab, 1))
    tab.key("End")
    checks.holds("End goes to the last step", at(tab, last))
    tab.key("ArrowLeft")
    checks.holds("the left arrow goes back", at(tab, last - 1))
    tab.key("Home")
    checks.holds("Home goes to the start", at(tab, 0))
    tab.key("ArrowLeft")
    checks.holds("there is nothing before the start", at(tab, 0))
    tab.click("#next")
    checks.holds("the button goes on", at(tab, 1))
    tab.click("#previous")
    checks.holds("the button goes back", at(tab, 0))
    checks.shows(tab, "no way back at the start", "document.getElementById('first').disabled")
    tab.click("#slider")
    tab.wait("location.hash !== '#step=0'")
    value = "Number(document.getElementById('slider').value)"
    middle = tab.evaluate(value)
    most = tab.evaluate("Number(document.getElementById('slider').max)")
    checks.holds("the slider can be clicked", 0 < middle < most)
    tab.evaluate("document.getElementById('slider').focus()")
    tab.key("ArrowRight")
    checks.shows(tab, "an arrow on the slider goes one stop", value, middle + 1)
    tab.click("#source [data-step='5'] a")
    checks.holds("a line of the scenario leads to its step", at(tab, 5))
    tab.evaluate("location.hash = '#step=4'")
    checks.holds("a changed link is followed", at(tab, 4))
    for link, step in (("#step=7", 7), ("#step=999", last), ("#step=x", 0)):
        tab.go(page + link)
        checks.holds("the page opens at " + link, at(tab, step))


def drawing(tab, checks, page):
    """What is drawn at each step is what the page's data says, and moves there."""
    tab.go(page)
    shown = "document.querySelectorAll('#drawing .metaclass').length > 0 && getComputedStyle("
    shown += "document.querySelector('#drawing .metaclass')).display !== 'none'"
    checks.shows(tab, "metaclasses are behind a switch", shown, False)
    tab.click("#metaclasses")
    checks.shows(tab, "which shows them", shown, True)
    count = tab.evaluate(LAST)
    compare = """(() => {
      const moment = isalab.moments[isalab.steps[%d].end];
      const there = kind => [...document.querySelectorAll('#drawing ' + kind + '[data-id]')]
        .filter(part => getComputedStyle(part).display !== 'none');
      const names = list => list.map(part => part.dataset.id).sort().join();
      const {nodes, edges} = moment.drawing;
      if (names(there('.node')) !== Object.keys(nodes).sort().join()) return 'nodes';
      if (names(there('.edge')) !== Object.keys(edges).sort().join()) return 'edges';
      for (const part of there('.edge')) {
        const edge = edges[part.dataset.id];
        if (part.classList.contains('swapped') !== edge.isSwapped) return 'swapped';
        if (edge.line && part.querySelector('path').getAttribute('d') !== edge.line) return 'line';
        if (edge.line && (part.querySelector('.swap-mark').getAttribute('visibility') === 'visible')
            !== edge.isSwapped) return 'mark';
      }
      return '';
    })()"""
    for step in range(count + 1):
        checks.shows(tab, "the drawing of step %d differs in" % step, compare % step, "")
        tab.key("ArrowRight")
    tab.go(page + "#step=3")
    checks.shows(tab, "not swapped before", SWAPPED, False)
    start = tab.evaluate("document.querySelector('[data-id=\"isa obj#1\"] path').getAttribute('d')")
    tab.key("ArrowRight")
    checks.shows(tab, "swapped after", SWAPPED, True)
    moved = "document.querySelector('[data-id=\"isa obj#1\"] path').getAttribute('d')"
    checks.holds("the isa moves", tab.wait(moved + " !== '%s'" % start))
    tab.media(motion="reduce")
    tab.go(page + "#step=3")
    tab.click("#metaclasses")
    tab.key("ArrowRight")
    checks.holds("with less motion it goes on", at(tab, 4))
    checks.equal("and is there at once", tab.evaluate(compare % 4), "")
    tab.media()


def events(tab, checks, page):
    """An event shows its chain of causes; twice, and it goes."""
    tab.go(page + "#step=5")
    chain = "[...document.querySelectorAll('#events .chain .kind')].map(kind => kind.textContent)"
    tab.evaluate("[...document.querySelectorAll('#events button')]"
                 ".find(one => one.textContent.startsWith('notification')).id = 'told-event'")
    tab.click("#told-event")
    expected = ["message", "wrapper-entered", "did-change", "notification"]
    checks.shows(tab, "the chain of a notification", chain, expected)
    why = "document.getElementById('why').textContent"
    checks.shows(tab, "the chain is said", "%s.every(word => %s.includes(word))" % (expected, why))
    tab.evaluate("document.getElementById('told-event').focus()")
    tab.key("Enter")
    checks.shows(tab, "chosen again it goes", chain, [])
    checks.shows(tab, "the thunk stands in the table",
                 "document.querySelector('#methods').textContent.includes('thunk[setAge:]')")
    checks.shows(tab, "what changed is marked",
                 "document.querySelector('#objects mark').textContent", "_age = 36")


# The stations of an observed assignment, in their order.
STATIONS = ["sender", "object", "isa", "slot", "wrapper", "will", "old", "original", "ivar", "did",
            "new", "observer", "back"]
NOW = "document.querySelector('#lane .now')?.classList[0] ?? ''"


def way(tab, checks, page):
    """One goes into an assignment, station by station, out of it, and back."""
    tab.go(page + "#step=5")
    found = []
    for _ in STATIONS:
        tab.key("i")
        found.append(tab.evaluate(NOW))
    checks.equal("the stations of ada.age = 36", found, STATIONS)
    checks.shows(tab, "the present event is marked",
                 "document.querySelectorAll('#events .present').length", 1)
    tab.key("i")
    checks.holds("behind the last station the step is over", at(tab, 5))
    tab.key("u")
    checks.shows(tab, "back leads to the last station", NOW, "back")
    tab.go(page + "#step=5.5")
    checks.shows(tab, "a link leads to a station", NOW, "wrapper")
    checks.shows(tab, "the drawing shows what it is about",
                 "document.querySelectorAll('#drawing .lit').length > 0")
    checks.shows(tab, "it is said in words",
                 "document.getElementById('said').textContent.includes('thunk[setAge:]')")
    tab.key("o")
    checks.holds("out leads to the step's end", at(tab, 5))
    tab.click("#lane .ivar button")
    checks.shows(tab, "a station can be chosen", NOW, "ivar")
    checks.shows(tab, "and has its value",
                 "document.querySelector('#lane .now strong').textContent", "36")


def languages(tab, checks, page):
    """Each line stands beside the same in the language that the reader chooses, which is kept."""
    tab.go(page + "#step=4")
    shown = "document.querySelectorAll('#source .translation:not([hidden])').length"
    checks.shows(tab, "at first the scenario is alone", shown, 0)
    text = "document.querySelector('#source .now .translation:not([hidden])').textContent"
    said = {"objc": "addObserver:watcher", "swift": "ada.observe(\\\\.age", "c": "kvo_observe(ada",
            "apple": "ada.observe("}
    for language, words in said.items():
        tab.evaluate("(() => { const box = document.getElementById('language');"
                     " box.value = '%s'; box.dispatchEvent(new Event('change')); })()" % language)
        checks.shows(tab, "each line in " + language, shown + " === " + LAST)
        checks.shows(tab, "the line in " + language, "%s.includes('%s')" % (text, words))
    tab.size(1280, 800)
    tab.go(page + "#step=5.9")
    checks.shows(tab, "the choice is kept", shown + " === " + LAST)
    checks.shows(tab, "and all is still on one screen",
                 UNSEEN.replace("HEIGHT", "800"), [])
    tab.evaluate("localStorage.clear()")
    tab.size(1440, 900)


def player(tab, checks, page):
    """Play goes on by itself, and stops when somebody else does something."""
    tab.go(page)
    tab.click("#play")
    checks.shows(tab, "play becomes pause", PLAY, "Pause")
    checks.holds("play goes on", tab.wait("Number(location.hash.slice('#step='.length)) >= 2"))
    tab.key("Home")
    checks.shows(tab, "a key stops it", PLAY, "Play")


def looks(tab, checks, page):
    """Light, dark, contrast, and a screen of 400 points."""
    ground = "getComputedStyle(document.body).backgroundColor"
    tab.media(scheme="light")
    tab.go(page + "#step=4")
    light = "rgb(255, 255, 255)"
    checks.shows(tab, "light", ground, light)
    tab.media(scheme="dark")
    checks.shows(tab, "the system's dark is followed", "%s !== '%s'" % (ground, light))
    dark = tab.evaluate(ground)
    tab.click("#theme")
    checks.shows(tab, "the button switches to light", ground, light)
    tab.click("#theme")
    checks.shows(tab, "and to dark", ground, dark)
    for scheme in ("light", "dark"):
        tab.evaluate("document.documentElement.dataset.theme = '%s'" % scheme)
        checks.shows(tab, "contrast in " + scheme, CONTRAST, [])
        tab.evaluate("location.hash = '#step=5.5'")
        ahead = "document.querySelectorAll('#lane .ahead').length"
        checks.holds("stations are ahead", tab.wait(ahead + " > 3"))
        checks.shows(tab, "contrast of what is ahead in " + scheme, CONTRAST, [])
        tab.evaluate("location.hash = '#step=4'")
    tab.evaluate("localStorage.clear()")
    tab.media(scheme="light")
    for width in (400, 800, 1440):
        tab.size(width, 800)
        tab.go(page + "#step=4")
        checks.shows(tab, "no sideways scrolling at %d" % width,
                     "document.documentElement.scrollWidth <= innerWidth")
        checks.shows(tab, "no small text at %d" % width, SMALL, [])
    tab.size(400, 800)
    tab.go("about:blank")
    tab.go(page + "#step=4")
    checks.shows(tab, "the objects are in sight at 400",
        "(() => { const box = document.querySelector('#drawing .object').getBoundingClientRect();"
        " return box.left >= 0 && box.right <= innerWidth; })()", True)
    tab.size(1440, 900)


# Texts of the drawing that are shown smaller than 11 points, on a phone 8: there the swap is whole.
SMALL = """(() => {
  const svg = document.getElementById('drawing');
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return [...svg.querySelectorAll('text')]
    .filter(text => parseFloat(getComputedStyle(text).fontSize) * scale < (innerWidth > 420 ? 11 : 8) - .1)
    .map(text => text.textContent);
})()"""


def readers(tab, checks, page):
    """Names for what cannot be seen, and the whole page by keyboard."""
    tab.go(page + "#step=4")
    unnamed = """[...document.querySelectorAll('button,input,section,nav,table,svg[role=img]')]
      .filter(one => !(one.getAttribute('aria-label') || one.getAttribute('aria-labelledby')
        || one.textContent.trim())).map(one => one.outerHTML.slice(0, 80))"""
    checks.shows(tab, "all has a name", unnamed, [])
    joined = """[...document.querySelectorAll('button')].filter(one => [...one.childNodes]
      .some((part, at, all) => at && !/\\s$/.test(all[at - 1].textContent)
        && !/^\\s/.test(part.textContent) && part.textContent)).map(one => one.textContent)"""
    checks.holds("there are events", tab.wait("document.querySelectorAll('#events button').length > 3"))
    checks.shows(tab, "the words of a button's name are apart", joined, [])
    dangling = """[...document.querySelectorAll('[aria-labelledby]')]
      .flatMap(one => one.getAttribute('aria-labelledby').split(' '))
      .filter(id => !document.getElementById(id)?.textContent)"""
    checks.shows(tab, "names lead somewhere", dangling, [])
    checks.shows(tab, "one main", "document.querySelectorAll('main').length", 1)
    twice = """[...document.querySelectorAll('[id]')].map(one => one.id)
      .filter((id, at, all) => all.indexOf(id) !== at)"""
    checks.shows(tab, "no id twice", twice, [])
    said = "document.getElementById('%s').textContent.includes('%s')"
    checks.shows(tab, "the drawing in words",
                 said % ("drawing-desc", "The isa of ada was swapped"))
    checks.shows(tab, "the step is said", said % ("status", "Step 4 of"))
    checks.shows(tab, "and its class", said % ("status", "NSKVONotifying_Person"))
    tab.key("Tab")
    checks.shows(tab, "first comes the way past the bar",
                 "document.activeElement.className", "skip")
    tab.key("Tab")
    ring = "getComputedStyle(document.activeElement).outlineStyle"
    checks.shows(tab, "focus can be seen", ring, "solid")


def paper(tab, checks, page, folder):
    """On paper: no controls, all steps, light."""
    tab.media(kind="print", scheme="dark")
    tab.go(page + "#step=4")
    display = "getComputedStyle(document.querySelector('%s')).display"
    checks.shows(tab, "no controls", display % ".steps", "none")
    checks.shows(tab, "all steps", display % ".whole" + " !== 'none'")
    checks.shows(tab, "dark ink", "getComputedStyle(document.body).color", "rgb(27, 27, 27)")
    tab.media()
    pdf = tab.pdf(str(folder / "person.pdf"))
    checks.holds("it prints", pdf.startswith(b"%PDF") and len(pdf) > 10_000)


def without_script(tab, checks, page):
    """Where no script runs, all steps are there to read, and nothing that does nothing."""
    tab.send("Emulation.setScriptExecutionDisabled", value=True)
    tab.go(page)
    shown = "document.querySelector('%s').getClientRects().length > 0"
    checks.shows(tab, "the table of all steps", shown % ".whole", True)
    for dead in (".steps", ".theme", "#methods", "#objects"):
        checks.shows(tab, dead, shown % dead, False)
    tab.send("Emulation.setScriptExecutionDisabled", value=False)


def hostile(tab, checks, page):
    """A scenario's text stays text."""
    tab.go(page)
    last = tab.evaluate(LAST)
    for _ in range(last):
        tab.key("ArrowRight")
    checks.holds("the last step is reached", at(tab, last))
    checks.shows(tab, "no element came of it",
        "document.querySelectorAll('img,iframe,b,main script,a[href^=javascript]').length", 0)
    checks.shows(tab, "nor a script", "document.querySelectorAll('script').length", 2)
    checks.shows(tab, "nor did any run", "typeof window.hacked", "undefined")
    tab.go(page + "#step=4")
    text = "ada.name = \"</script><script>window.hacked = 1</script><img src=x onerror=hacked=1>\""
    checks.shows(tab, "it is shown as written",
                 "document.getElementById('statement').textContent", text)


LINKS = "[...document.querySelectorAll('%s')].map(one => one.href)"


def articles(folder):
    """The pages of the articles themselves; those of their runs have a number behind."""
    return sorted(path for path in folder.glob("article-*.html") if not path.stem[-1].isdigit())


def claims(tab, checks, folder):
    """Each claim is one click from the step that shows it, and one from there back."""
    for page in articles(folder):
        tab.go(page.as_uri())
        checks.shows(tab, "%s: no sideways scrolling" % page.stem,
                     "document.documentElement.scrollWidth <= innerWidth")
        links = tab.evaluate(LINKS % ".lessons p a")
        checks.holds("%s has runs" % page.stem, len(links) > 10)
        for link in links:
            tab.go(link)
            step = link.split("#step=")[1]
            checks.shows(tab, "%s is open" % link.split("/")[-1], """
                document.getElementById('step=%s')?.open
                  ?? location.hash === '#step=%s'""" % (step, step))
            checks.shows(tab, "the way back",
                         "document.querySelector('header a').href", page.as_uri())


def lecture(tab, checks, folder):
    """The index leads to every lesson, and each to its neighbours and back."""
    index = (folder / "index.html").as_uri()
    tab.go(index)
    links = tab.evaluate(LINKS % "#articles h3 a")
    checks.equal("all articles", len(links), len(articles(folder)))
    links = tab.evaluate(LINKS % "#lessons h3 a")
    checks.equal("all lessons", len(links), len(list(folder.glob("[0-9]*.html"))))
    exhibits = tab.evaluate(LINKS % "#museum h3 a")
    checks.holds("the museum", len(exhibits) >= 40)
    checks.shows(tab, "choices are hidden",
        "[...document.querySelectorAll('details')].every(one => !one.open)")
    arrow = "getComputedStyle(document.querySelector('.swap .isa')).transform"
    start = tab.evaluate(arrow)
    checks.holds("the swap plays by itself", tab.wait("%s !== %s" % (arrow, json.dumps(start))))
    tab.click("#rest")
    rest = tab.evaluate("new Promise(done => setTimeout(() => done(%s), 100))" % arrow)
    later = tab.evaluate("new Promise(done => setTimeout(() => done(%s), 1500))" % arrow)
    checks.equal("until somebody has it rest", later, rest)
    tab.media(motion="reduce")
    tab.go(index)
    checks.shows(tab, "without motion it stands still, swapped",
                 "document.querySelector('.swap').getAnimations({subtree: true}).length", 0)
    checks.shows(tab, "with its arrow at the new class", """(() => {
      const tip = document.querySelector('.swap .tip').getBoundingClientRect();
      const made = document.querySelector('.swap .made rect').getBoundingClientRect();
      return tip.top > made.top - tip.height && tip.bottom < made.bottom + tip.height
        && Math.abs(tip.right - made.left) < 20; })()""")
    tab.media()
    for width, height in ((1280, 800), (390, 844)):
        tab.size(width, height)
        tab.go(index)
        checks.shows(tab, "picture, sentence and button at once at %d" % width, """
          ['.swap', '.opening p', '.begin'].every(one => {
            const box = document.querySelector(one).getBoundingClientRect();
            return box.top >= 0 && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
          })""")
    tab.size(1440, 900)
    tab.click(".question summary")
    checks.shows(tab, "and come when asked for",
        "document.querySelector('.question ol').getClientRects().length > 0")
    for number, link in enumerate(links):
        tab.go(link)
        checks.holds("lesson %d runs" % (number + 1), at(tab, 0))
        ways = "[...document.querySelectorAll('.ways a')].map(one => one.href)"
        near = [links[at] for at in (number - 1, number + 1) if 0 <= at < len(links)]
        checks.shows(tab, "the neighbours of lesson %d" % (number + 1), ways, near)
        checks.shows(tab, "the way back from lesson %d" % (number + 1),
                     "document.querySelector('.bar a').href", index)


def pictures(tab, page, folder, screens):
    """For people to look at."""
    views = [
        ("light", page + "#step=4", 1440, 900, {"scheme": "light"}),
        ("way", page + "#step=5.9", 1280, 800, {"scheme": "light"}),
        ("way-narrow", page + "#step=5.9", 390, 844, {"scheme": "dark"}),
        ("dark", page + "#step=5", 1440, 900, {"scheme": "dark"}),
        ("narrow", page + "#step=4", 400, 800, {"scheme": "light"}),
        ("print", page + "#step=4", 1040, 720, {"kind": "print"}),
        ("index", (folder / "index.html").as_uri(), 1440, 900, {"scheme": "light"}),
    ]
    for name, url, width, height, media in views:
        tab.size(width, height)
        tab.media(**media)
        tab.go(url)
        tab.size(width, tab.evaluate("document.documentElement.scrollHeight"))
        tab.screenshot(str(screens / (name + ".png")))


def main():
    program = sys.argv[1]
    page, bad, many, three, traced, folder, screens = (
        pathlib.Path(name).resolve() for name in sys.argv[2:9])
    checks = Checks()
    browser = Browser(program)
    try:
        tab = Tab(browser)
        steps(tab, checks, page.as_uri())
        drawing(tab, checks, page.as_uri())
        events(tab, checks, page.as_uri())
        way(tab, checks, page.as_uri())
        languages(tab, checks, page.as_uri())
        player(tab, checks, page.as_uri())
        looks(tab, checks, page.as_uri())
        readers(tab, checks, page.as_uri())
        paper(tab, checks, page.as_uri(), screens)
        without_script(tab, checks, page.as_uri())
        hostile(tab, checks, bad.as_uri())
        lecture(tab, checks, folder)
        claims(tab, checks, folder)
        branches(tab, checks, folder)
        predictions(tab, checks, folder)
        panels(tab, checks, folder, screens)
        picture(tab, checks, folder)
        crowd(tab, checks, many)
        beside(tab, checks, three.as_uri(), screens)
        trace(tab, checks, traced.as_uri(), screens, CONTRAST)
        turning_points(tab, checks, folder, screens)
        pictures(tab, page.as_uri(), folder, screens)
        tab.settle()
        checks.equal("nothing on the console, nothing from the network", tab.errors, [])
    finally:
        browser.close()
    checks.report("pages", screens)


main()
