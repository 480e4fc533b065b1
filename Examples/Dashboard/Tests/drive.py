"""Drives the page of a Dashboard in a headless Chromium, as those who run a plant would.

    python3 drive.py CHROMIUM DASHBOARD SCREENSHOTS-FOLDER

Says what is wrong and fails, or says how much held.
"""

import pathlib
import sys

from server import Server

sys.path.append(str(pathlib.Path(__file__).parents[3] / "Lab/Tests/Pages"))
from browser import Browser, Tab  # noqa: E402
from checks import CONTRAST, Checks  # noqa: E402

# Texts that are smaller than 12 points.
SMALL = """[...document.querySelectorAll('body *')]
  .filter(one => one.getClientRects().length && parseFloat(getComputedStyle(one).fontSize) < 12)
  .map(one => one.outerHTML.slice(0, 60))"""

FIRST = "[data-machine='1'] "
SECOND = "[data-machine='2'] "


def value(selector):
    return "document.querySelector(\"%s\")?.value" % selector


def wrong(field):
    return "document.querySelector(\"%s\").closest('.field').querySelector('.wrong')?.textContent" \
        % field


def follows(tab, checks, url):
    """The page shows what is told, and goes on by itself."""
    tab.go(url)
    live = "document.querySelector('#connection').textContent"
    checks.shows(tab, "it is live", live, "live")
    checks.shows(tab, "all machines", "document.querySelectorAll('article').length", 6)
    checks.shows(tab, "the plant's name", value("header [data-key='name']"), "Bottling works")
    checks.shows(tab, "a machine's name", value(FIRST + "[data-key='name']"), "Ada")
    checks.shows(tab, "a target", value(FIRST + "[data-key='settings.target']"), "60")
    checks.holds("bottles are filled", tab.wait("Number(%s) > 0" % value(
        FIRST + "[data-key='bottles']")))
    checks.holds("what is computed from all machines goes on", tab.wait("Number(%s) > 100" % value(
        ".figures [data-key='output']")))
    checks.holds("the temperature is drawn", tab.wait(
        "document.querySelector('polyline')?.getAttribute('points').split(' ').length > 5"))


def edits(tab, other, checks):
    """An edit reaches the model and every other page; one that is refused stays beside its reason."""
    target, limit = FIRST + "[data-key='settings.target']", FIRST + "[data-key='settings.limit']"
    tab.enter(target, "90")
    checks.shows(other, "a target is seen elsewhere", value(target), "90")
    tab.enter(target, "900")
    checks.shows(tab, "validation has replaced it", value(target), "200")
    checks.shows(other, "and elsewhere", value(target), "200")
    tab.enter(target, "-5")
    checks.shows(tab, "the reason stands beside the field", wrong(target), "A target is 0 or more.")
    checks.shows(tab, "the field is marked for all readers",
                 "document.querySelector(\"%s\").getAttribute('aria-invalid')" % target, "true")
    checks.shows(tab, "what was entered stays", value(target), "-5")
    checks.shows(other, "nothing has changed elsewhere", value(target), "200")
    tab.enter(target, "60")
    checks.shows(tab, "once it is right the reason goes", wrong(target), "")
    tab.enter(limit, "")
    checks.shows(tab, "a field must not be empty", wrong(limit), "A value is missing.")
    tab.enter(limit, "30")
    checks.shows(other, "a limit is seen elsewhere", value(limit), "30")
    checks.shows(other, "the machine is too hot", value(FIRST + "[data-key='state']"), "hot")
    checks.shows(other, "the plant counts it", value(".figures [data-key='alarms']"), "1")
    tab.enter("header [data-key='name']", "The mill")
    checks.shows(other, "the plant's name", value("header [data-key='name']"), "The mill")
    tab.enter(SECOND + "[data-key='name']", " ")
    checks.shows(tab, "a name is needed", wrong(SECOND + "[data-key='name']"),
                 "A name has 1 to 30 characters.")
    tab.enter(SECOND + "[data-key='name']", "Béla")
    checks.shows(other, "another name", value(SECOND + "[data-key='name']"), "Béla")
    tab.click(SECOND + "[data-key='isOn']")
    checks.shows(other, "a machine is turned off", value(SECOND + "[data-key='state']"), "off")
    running = "document.querySelector(\"[data-key='isRunning']\").checked"
    tab.click("[data-key='isRunning']")
    checks.shows(other, "the plant stands", running, False)
    other.click("[data-key='isRunning']")
    checks.shows(tab, "and runs again", running, True)


def comes_and_goes(tab, other, checks):
    """Machines come and go on every page."""
    names = "[...document.querySelectorAll(\"article [data-key='name']\")].map(one => one.value)"
    tab.enter("#new", "  ")
    checks.shows(tab, "a new machine needs a name", wrong("#new"), "A name has 1 to 30 characters.")
    tab.enter("#new", "Mary")
    six = ["Ada", "Béla", "Charles", "Dorothy", "Edsger", "Grace"]
    checks.shows(other, "a machine comes", names, six + ["Mary"])
    checks.holds("it works", other.wait("Number(%s) > 0" % value(
        "[data-machine='7'] [data-key='speed']")))
    checks.shows(tab, "the field is free for the next", value("#new"), "")
    other.click("[data-machine='7'] .remove")
    checks.shows(tab, "and goes", names, six)
    checks.shows(tab, "they are counted", value(".figures [data-key='machines']"), "6")


def looks(tab, checks, url):
    """Light, dark, contrast, and a telephone."""
    for scheme, ground in (("light", "rgb(244, 245, 243)"), ("dark", "rgb(20, 24, 22)")):
        tab.media(scheme=scheme)
        checks.shows(tab, scheme, "getComputedStyle(document.body).backgroundColor", ground)
        checks.shows(tab, "contrast in " + scheme, CONTRAST, [])
    tab.media(scheme="light")
    for width, height in ((390, 844), (1280, 800)):
        tab.size(width, height)
        tab.go(url)
        tab.wait("document.querySelectorAll('article').length === 6")
        checks.shows(tab, "no sideways scrolling at %d" % width,
                     "document.documentElement.scrollWidth <= innerWidth")
        checks.shows(tab, "no small text at %d" % width, SMALL, [])
    checks.shows(tab, "a page that is left is no longer counted", value("[data-key='browsers']"), "2")


def refuses(server, checks):
    """What is not to be served is not."""
    checks.equal("a property that is not to be set",
                 server.ask("PATCH", "/machines/1/bottles", 7)[0], 404)
    checks.equal("a machine that is not there", server.ask("DELETE", "/machines/99")[0], 404)
    checks.equal("text in a number's place",
                 server.ask("PATCH", "/machines/1/settings.target", "fast")[0], 422)
    checks.equal("a page of another server", server.ask(
        "PATCH", "/plant/name", "x", {"Origin": "http://example.org"})[0], 403)
    checks.equal("a name that leads here from elsewhere",
                 server.ask("GET", "/", headers={"Host": "example.org"})[0], 403)
    checks.equal("no JSON", server.ask("PATCH", "/plant/name")[0], 400)


def pictures(tab, url, folder):
    """For people to look at, with a value that is refused."""
    third = "[data-machine='3'] [data-key='settings.target']"
    for name, width, height, scheme in (
            ("light", 1280, 800, "light"), ("dark", 1280, 800, "dark"),
            ("narrow", 390, 844, "light"), ("narrow-dark", 390, 844, "dark")):
        tab.size(width, height)
        tab.media(scheme=scheme)
        tab.go(url)
        tab.wait("document.querySelectorAll('polyline')[5]?.points.length > 100")
        tab.enter(third, "-5")
        tab.wait(wrong(third))
        tab.evaluate("scrollTo(0, 0)")
        tab.screenshot(str(folder / (name + ".png")))


def shuts_down(program, server, tab, checks):
    """The server ends while pages are open; they say so, and go on with the next one."""
    live = "document.querySelector('#connection').textContent"
    checks.equal("exit status", server.end(), 0)
    checks.shows(tab, "the page says so", live, "the server is gone")
    again = Server(program, "--port", str(server.port))
    checks.shows(tab, "the page goes on", live, "live")
    checks.shows(tab, "with the new plant", value("header [data-key='name']"), "Bottling works")
    checks.equal("exit status of the next", again.end(), 0)


def main():
    browser, server = Browser(sys.argv[1]), Server(sys.argv[2])
    folder = pathlib.Path(sys.argv[3])
    checks = Checks()
    try:
        own = (server.url, "data:", "about:")
        tab, other = Tab(browser, own), Tab(browser, own)
        follows(tab, checks, server.url + "/")
        follows(other, checks, server.url + "/")
        checks.shows(tab, "browsers are counted", value("[data-key='browsers']"), "2")
        edits(tab, other, checks)
        comes_and_goes(tab, other, checks)
        looks(tab, checks, server.url + "/")
        refuses(server, checks)
        pictures(tab, server.url + "/", folder)
        tab.settle()
        # The browser itself notes each answer that says no.
        noted = [one for one in tab.errors if "status of 422" not in one]
        checks.equal("nothing on the console, nothing from elsewhere", noted, [])
        shuts_down(sys.argv[2], server, other, checks)
    finally:
        server.process.kill()
        browser.close()
    checks.report("dashboard", folder)


main()
