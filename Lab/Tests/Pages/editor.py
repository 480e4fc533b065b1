"""Drives the editor that isalab serves in a headless Chromium, as somebody who writes scenarios would.

    python3 editor.py CHROMIUM ISALAB SCENARIO SOLUTION SCREENSHOTS-FOLDER

SCENARIO is Examples/scenarios/person.kvo, SOLUTION that of the lesson isa-swap. Says what is wrong and
fails, or says how much held.
"""

import json
import pathlib
import re
import signal
import subprocess
import sys

from browser import Browser, Tab
from checks import CONTRAST, Checks

TEXT = "document.getElementById('text')"
FRAME = "document.getElementById('run')"
PATH = FRAME + ".contentWindow.location.pathname"
HASH = FRAME + ".contentWindow.location.hash"
LINES = FRAME + ".contentDocument.querySelectorAll('#source > li').length"
RUNS = PATH + ".startsWith('/runs/') && " + LINES + " > 0"
BUBBLE = "(document.getElementById('bubble').hidden ? '' : document.getElementById('bubble').textContent)"

CHOICES = """(document.getElementById('proposals').hidden ? [] : [...document.querySelectorAll(
  '#proposals li > code')].map(one => one.textContent))"""


def caret(tab, line, column=1):
    """Puts the caret into the text as a click does."""
    tab.evaluate("""(() => {
      const start = %s.value.split('\\n').slice(0, %d - 1).reduce((sum, one) => sum + one.length + 1, 0);
      %s.focus();
      %s.setSelectionRange(start + %d - 1, start + %d - 1);
      %s.dispatchEvent(new Event('click'));
    })()""" % (TEXT, line, TEXT, TEXT, column, column, TEXT))


def typed(tab, text):
    tab.send("Input.insertText", text=text)


def choose(tab, title):
    """Opens a document by its title; changes to the one before are given up."""
    tab.evaluate("""(() => {
      window.confirm = () => true;
      const list = document.getElementById('open');
      list.value = [...list.options].find(one => one.textContent.includes(%s)).value;
      list.dispatchEvent(new Event('change'));
    })()""" % json.dumps(title))


def mistakes(tab, checks, url):
    """A mistake shows as one types it, under the caret; mended, the run is there again."""
    tab.go(url)
    checks.holds("the file of the command line runs", tab.wait(RUNS))
    first = tab.evaluate(PATH)
    lines = tab.evaluate(TEXT + ".value.split('\\n').length")
    caret(tab, lines)
    typed(tab, "ada.agee = 3")
    checks.shows(tab, "the problem is under the caret", BUBBLE + ".includes('agee')")
    checks.shows(tab, "and underlined",
                 "document.querySelector('.squiggle').textContent.includes('agee')")
    checks.shows(tab, "and said", "document.getElementById('problem').textContent.startsWith('line %d, ')"
                 % lines)
    checks.shows(tab, "its line is marked", "document.querySelector('.numbers .bad').textContent.trim()",
                 str(lines))
    checks.shows(tab, "the last run stays, grey", FRAME + ".classList.contains('stale')")
    below = """(() => {
      const bubble = document.getElementById('bubble').getBoundingClientRect();
      const mark = document.querySelector('.squiggle').getBoundingClientRect();
      return Math.min(Math.abs(bubble.top - mark.bottom), Math.abs(mark.top - bubble.bottom)) < 8;
    })()"""
    checks.shows(tab, "the message stands at the mistake", below)
    caret(tab, 1)
    checks.shows(tab, "on another line it is not in the way", BUBBLE, "")
    tab.send("Input.dispatchKeyEvent", type="keyDown", key="F8", code="F8", windowsVirtualKeyCode=119)
    checks.shows(tab, "a key leads to it",
                 "%s.value.slice(%s.selectionStart, %s.selectionEnd)" % (TEXT, TEXT, TEXT), "agee")
    typed(tab, "age")
    checks.shows(tab, "mended, there is no problem", "document.querySelectorAll('.squiggle').length", 0)
    checks.holds("and a new run", tab.wait("%s && %s !== '%s'" % (RUNS, PATH, first)))
    checks.shows(tab, "which is not grey", FRAME + ".classList.contains('stale')", False)
    checks.shows(tab, "the run goes to the caret's line",
                 FRAME + ".contentDocument.querySelector('#source .now code').textContent"
                 ".includes('ada.age = 3')")
    step = tab.evaluate(HASH)
    caret(tab, lines // 2)
    checks.holds("and goes along with it", tab.wait("%s !== '%s'" % (HASH, step)))
    tab.evaluate("window.isBefore = true; location.reload()")
    checks.holds("a draft outlives a reload", tab.wait(
        "!window.isBefore && document.readyState === 'complete' && %s.value.endsWith('ada.age = 3')"
        % TEXT))


def opening(tab, checks, url, solved):
    """Without a file it opens on an example that runs, at a step with a picture; all are in its list."""
    tab.size(1280, 800)
    tab.go(url)
    tab.evaluate("sessionStorage.clear()")
    tab.go(url)
    checks.holds("it runs at once", tab.wait(RUNS))
    checks.shows(tab, "at the step that observes", FRAME + ".contentDocument"
                 ".getElementById('statement').textContent.startsWith('observe ')")
    drawn = FRAME + ".contentDocument.querySelectorAll('#drawing .swapped:not(.off)').length"
    checks.shows(tab, "with the swap in its picture", drawn, 1)
    within = """(() => {
      const frame = document.getElementById('run'), place = frame.getBoundingClientRect();
      return ['told', 'drawing', 'lane'].every(id => {
        const part = frame.contentDocument.getElementById(id).getBoundingClientRect();
        const first = frame.contentDocument.querySelector('#told li').getBoundingClientRect();
        return part.top >= 0 && part.top < place.height && first.bottom + place.top <= innerHeight;
      });
    })()"""
    checks.shows(tab, "what happened is in view", within)
    names = "[...document.querySelectorAll('#open option')].map(one => one.textContent)"
    listed = tab.evaluate(names)
    examples = sorted(path.name for path in (solved.parent.parent / "scenarios").glob("*.kvo"))
    checks.equal("all examples are in its list", [one for one in examples if one not in listed], [])
    tab.size(1440, 900)


def key(tab, name, modifiers=0):
    code = {"ArrowDown": 40, "ArrowUp": 38, "Escape": 27, "Enter": 13, "Tab": 9, " ": 32, "z": 90}[name]
    for kind in ("rawKeyDown", "keyUp"):
        tab.send("Input.dispatchKeyEvent", type=kind, key=name, code=name, modifiers=modifiers,
                 windowsVirtualKeyCode=code, commands=["undo"] if name == "z" else [])


def completion(tab, checks, url):
    """A word is completed by keyboard: the list says its choice, and undo takes it back."""
    tab.go(url)
    checks.holds("it runs", tab.wait(RUNS))
    choose(tab, "person.kvo")
    lines = tab.evaluate(TEXT + ".value.split('\\n').length")
    before = tab.evaluate(TEXT + ".value")
    for written, offered in (
            ("ada.", ["name", "age"]), ("ada.n", ["name"]), ("obs", ["observe", "observer"]),
            ("observe ada.age options(p", ["prior"]), ("let cleo = ", ["SwiftView()", "Person()"]),
            ("remove wat", ["watcher"]), ("# ada.", []), ("ada.name = \"ada.", []),
            ("observe ada.age as ", []), ("class Robot { size: lo", ["long", "long-double"])):
        caret(tab, lines)
        typed(tab, written)
        checks.shows(tab, "behind '%s'" % written, CHOICES, offered
                     if written != "let cleo = " else [])
        if written == "let cleo = ":
            key(tab, " ", modifiers=2)
            checks.shows(tab, "asked for behind '%s'" % written, CHOICES, offered)
        tab.evaluate("%s.value = %s; %s.dispatchEvent(new Event('input'))"
                     % (TEXT, json.dumps(before), TEXT))
    caret(tab, lines)
    typed(tab, "obs")
    active = "document.getElementById(%s.getAttribute('aria-activedescendant'))" % TEXT
    checks.shows(tab, "the first is chosen", active + ".firstChild.textContent", "observe")
    key(tab, "ArrowDown")
    checks.shows(tab, "an arrow goes on", active + ".firstChild.textContent", "observer")
    checks.shows(tab, "which the list says", active + ".getAttribute('aria-selected')", "true")
    checks.shows(tab, "the field has the list",
                 "document.getElementById(%s.getAttribute('aria-controls')).getAttribute('role')" % TEXT,
                 "listbox")
    key(tab, "Escape")
    checks.shows(tab, "Escape closes it", CHOICES, [])
    key(tab, " ", modifiers=2)
    key(tab, "ArrowUp")
    key(tab, "Enter")
    last = TEXT + ".value.split('\\n').at(-1)"
    checks.shows(tab, "Enter takes the choice", last, "observer")
    checks.shows(tab, "and closes the list", CHOICES, [])
    key(tab, "z", modifiers=2)
    checks.shows(tab, "undo takes it back", last, "obs")
    tab.evaluate("document.activeElement.blur()")


def colours(tab, checks, url):
    """Words have colours that the text keeps; what an input method composes is shown by the field."""
    tab.go(url)
    choose(tab, "person.kvo")
    marks = "document.getElementById('marks')"
    checks.shows(tab, "the words are the text's", "%s.textContent === %s.value + '\\n'" % (marks, TEXT))
    kinds = "[...%s.querySelectorAll('.%s')].map(one => one.textContent)"
    checks.holds("statements", "observe" in tab.evaluate(kinds % (marks, "word")))
    checks.equal("types", tab.evaluate(kinds % (marks, "type")), ["string", "int"])
    checks.holds("comments", tab.evaluate(kinds % (marks, "comment"))[0].startswith("# Two objects"))
    colour = "getComputedStyle(%s.querySelector('.word')).color !== getComputedStyle(%s).color"
    checks.shows(tab, "they differ from the rest", colour % (marks, marks))
    lines = tab.evaluate(TEXT + ".value.split('\\n').length")
    caret(tab, lines)
    tab.send("Input.imeSetComposition", text="# 你", selectionStart=3, selectionEnd=3)
    checks.shows(tab, "while one composes the field shows it",
                 "getComputedStyle(%s).visibility + (getComputedStyle(%s).color.endsWith(', 0)'))"
                 % (marks, TEXT), "hiddenfalse")
    tab.send("Input.insertText", text="# 你好")
    checks.shows(tab, "then it is a comment like others",
                 "[...%s.querySelectorAll('.comment')].at(-1).textContent" % marks, "# 你好")
    checks.shows(tab, "which one sees", "getComputedStyle(%s).visibility" % marks, "visible")


def reference(tab, checks, url):
    """Each statement at the side is inserted by a click, in names of the text, and can be read."""
    tab.go(url)
    choose(tab, "person.kvo")
    checks.holds("it runs", tab.wait(RUNS))
    before = tab.evaluate(TEXT + ".value")
    count = tab.evaluate("document.querySelectorAll('#reference button').length")
    checks.holds("there are many", count > 50)
    tab.evaluate("for (const one of document.querySelectorAll('#reference details')) one.open = true")
    line = "[...document.querySelectorAll('#reference button')].find(one => one.firstChild.textContent === %s)"
    for shown, written in (
            ("observe p.age as t", "observe bob.age as t"), ("let p = Person()", "let p = Person()"),
            ("p.age = 40", "bob.age = 40"), ("imp p setAge:", "imp bob setAge:"),
            ("remove t", "remove reader"), ("methods Person", "methods Person"),
            ("observe p.age by o", "observe bob.age by o"), ("observer o", "observer o")):
        tab.evaluate("%s.value = %s; %s.dispatchEvent(new Event('input'))"
                     % (TEXT, json.dumps(before), TEXT))
        caret(tab, before.count("\n"))
        tab.evaluate((line % json.dumps(shown)) + ".click()")
        checks.shows(tab, "'%s' in the text's names" % shown,
                     TEXT + ".value.split('\\n')[%d]" % before.count("\n"), written)
        checks.shows(tab, "and the caret behind it",
                     "%s.value.slice(0, %s.selectionStart).endsWith(%s)"
                     % (TEXT, TEXT, json.dumps(written)))
    caret(tab, 4)
    tab.evaluate((line % json.dumps("observer o")) + ".click()")
    checks.shows(tab, "none comes into a class", TEXT + ".value.split('\\n').slice(2, 7).join('|')",
                 "class Person {|  name: string|  age: int|}|observer o")
    key(tab, "z", modifiers=2)
    checks.shows(tab, "undo takes it back",
                 TEXT + ".value.split('\\n')[6]", "")


def lessons(tab, checks, solution):
    """A lesson comes with its page and its exercise, which is judged in place."""
    choose(tab, "The isa swap")
    checks.holds("the lesson's page is shown", tab.wait(PATH + ".includes('/lecture/en/05-isa-swap')"
                 " && " + FRAME + ".contentDocument.querySelector('.question') !== null", 120))
    checks.shows(tab, "with its exercise", "document.getElementById('exercise').hidden", False)
    tab.click("#check")
    said = "document.getElementById('verdict').textContent"
    checks.shows(tab, "unchanged it is not solved", said + ".startsWith('Not solved')")
    tab.evaluate(TEXT + ".select()")
    tab.evaluate(TEXT + ".focus()")
    typed(tab, solution)
    checks.shows(tab, "the judgement goes with a change", said, "")
    tab.click("#check")
    checks.shows(tab, "the solution is solved", said + ".startsWith('Solved')")
    checks.holds("and its run is shown", tab.wait(RUNS))
    choose(tab, "Removed twice")
    checks.shows(tab, "a failure has no exercise", "document.getElementById('exercise').hidden")
    checks.holds("its page is shown, where its design fails", tab.wait(
        PATH + ".includes('/lecture/en/museum-double-removal')", 60))
    checks.shows(tab, "with cause and cure",
                 FRAME + ".contentDocument.body.textContent.includes('NSRangeException')")
    designs = "['design', 'beside', 'third'].map(id => document.getElementById(id).value).join()"
    checks.shows(tab, "and its design is chosen", designs, "apple,,")
    pick(tab, "beside", "isakvo")
    frames = FRAME + ".contentDocument.querySelectorAll('.design iframe').length"
    checks.holds("another design stands beside it", tab.wait(frames + " === 2", 60))
    pick(tab, "third", "mk-strong")
    checks.holds("and a third one", tab.wait(frames + " === 3", 60))
    tab.evaluate("document.getElementById('beside').value = ''")
    pick(tab, "third", "")
    checks.holds("alone it runs as it is", tab.wait(RUNS + " && " + frames + " === 0", 60))


def pick(tab, id, name):
    tab.evaluate("document.getElementById('%s').value = '%s'" % (id, name))
    tab.evaluate("document.getElementById('%s').dispatchEvent(new Event('change'))" % id)


def sharing(tab, checks, browser, url, folder):
    """Sharing downloads one file, which works without the server."""
    browser.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    tab.go(url)
    choose(tab, "person.kvo")
    checks.holds("it runs", tab.wait(RUNS))
    for button, name in (("share", "person.html"), ("save", "person.kvo")):
        tab.click("#" + button)
        file = folder / name
        checks.holds(name + " is downloaded", wait_for(tab, file))
    other = Tab(browser)
    other.go((folder / "person.html").as_uri() + "#step=4")
    checks.shows(other, "the shared page works by itself",
                 "document.getElementById('statement').textContent.startsWith('observe')")
    other.settle()
    checks.equal("and asks nobody", other.errors, [])
    tab.send("Page.bringToFront")


def wait_for(tab, file):
    for _ in range(600):
        if file.exists() and file.stat().st_size:
            return True
        tab.evaluate("new Promise(done => setTimeout(done, 50))")
    return False


def keyboard(tab, checks, url):
    """All by keyboard: the field lets go of the focus, and all has a name."""
    tab.go(url)
    checks.holds("it runs", tab.wait(RUNS))
    tab.evaluate(TEXT + ".focus()")
    tab.key("Tab")
    checks.holds("Tab leaves the field", tab.wait("document.activeElement !== " + TEXT))
    unnamed = """[...document.querySelectorAll('button,select,textarea,iframe,section')]
      .filter(one => !(one.getAttribute('aria-label') || one.getAttribute('aria-labelledby')
        || one.title || one.labels?.length || one.textContent.trim()))
      .map(one => one.outerHTML.slice(0, 80))"""
    checks.shows(tab, "all has a name", unnamed, [])


def looks(tab, checks, url, screens):
    """Light and dark, on a desk and on a phone, with a mistake under the caret."""
    for name, width, height in (("wide", 1280, 800), ("phone", 390, 844)):
        for scheme in ("light", "dark"):
            tab.size(width, height)
            tab.media(scheme=scheme)
            tab.go(url)
            tab.evaluate("sessionStorage.clear()")
            tab.go(url)
            checks.holds("it runs", tab.wait(RUNS))
            look = "%s-%s" % (name, scheme)
            tab.screenshot(str(screens / ("editor-%s.png" % look)))
            lines = tab.evaluate(TEXT + ".value.split('\\n').length")
            tab.evaluate(TEXT + ".scrollTop = 1e6")
            caret(tab, lines)
            typed(tab, "observe ada.nam as late")
            tab.wait("document.querySelectorAll('.squiggle').length > 0")
            checks.shows(tab, "contrast, " + look, CONTRAST, [])
            checks.shows(tab, "no sideways scrolling, " + look,
                         "document.documentElement.scrollWidth <= innerWidth")
            checks.shows(tab, "field and marks stand on each other, " + look, """(() => {
              const style = one => { const s = getComputedStyle(one);
                return [s.font, s.lineHeight, s.paddingTop, s.paddingLeft, s.tabSize].join(); };
              return style(document.getElementById('text')) === style(document.getElementById('marks'));
            })()""")
            tab.screenshot(str(screens / ("editor-%s-mistake.png" % look)))
    tab.media()
    tab.size(1440, 900)


def chinese(tab, checks, url):
    tab.go(url + "?lang=zh")
    checks.shows(tab, "in Chinese", "document.getElementById('share').textContent", "导出为单个页面")
    checks.holds("with its run", tab.wait(RUNS))
    checks.shows(tab, "in Chinese too", FRAME + ".contentDocument.documentElement.lang", "zh-Hans")


def serving(isalab, *files):
    """A server, and the address of its page."""
    # A shell has what it starts behind ignore the interrupt.
    server = subprocess.Popen([isalab, "serve", *files, "--lang", "en"],
                              stdout=subprocess.PIPE, text=True,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    return server, re.search(r"http://\S+", server.stdout.readline()).group()


def main():
    program, isalab = sys.argv[1:3]
    scenario, solution, screens = (pathlib.Path(name).resolve() for name in sys.argv[3:6])
    server, url = serving(isalab, str(scenario))
    bare, address = serving(isalab)
    checks = Checks()
    browser = Browser(program)
    try:
        tab = Tab(browser, own=(url, address, "data:", "about:", "blob:" + url))
        opening(tab, checks, address, solution)
        mistakes(tab, checks, url)
        completion(tab, checks, url)
        colours(tab, checks, url)
        reference(tab, checks, url)
        lessons(tab, checks, solution.read_text())
        sharing(tab, checks, browser, url, screens)
        keyboard(tab, checks, url)
        chinese(tab, checks, url)
        looks(tab, checks, url, screens)
        tab.settle()
        checks.equal("nothing on the console, nothing from elsewhere", tab.errors, [])
    finally:
        browser.close()
        server.send_signal(signal.SIGINT)
        bare.send_signal(signal.SIGINT)
    checks.equal("an interrupt ends the server with success", server.wait(20), 0)
    checks.report("editor", screens)


main()
