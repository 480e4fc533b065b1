"""Puts load on a Dashboard: 100 browsers, 10 000 changes a second.

    python3 load.py DASHBOARD [SECONDS [BROWSERS]]

Holds that no browser misses or repeats a value, that memory does not grow, that a browser which stops
reading is left behind, and that the server shuts down while all are there. Prints what it measured.
"""

import resource
import selectors
import sys
import time

from server import Follower, Server

CHANGES = 10_000
PATIENCE = 60


class Load:
    """Browsers that are read by one loop."""

    def __init__(self, server, path, count=1):
        self.server = server
        self.selector = selectors.DefaultSelector()
        self.followers = [Follower(server, path) for _ in range(count)]
        for follower in self.followers:
            self.selector.register(follower, selectors.EVENT_READ)

    def read(self, seconds):
        """Reads what comes within some seconds; answers whether anything came."""
        end, count = time.monotonic() + seconds, self.count()
        while time.monotonic() < end and self.selector.get_map():
            for key, _ in self.selector.select(0.1):
                if not key.fileobj.read():
                    self.selector.unregister(key.fileobj)
        return self.count() != count

    def count(self):
        """The events that all browsers have been told."""
        return sum(one.count for one in self.followers)

    def until(self, what, condition):
        """Reads until a condition holds for each browser, as long as something comes."""
        end = time.monotonic() + PATIENCE
        last = end + 9 * PATIENCE
        while not all(condition(one) for one in self.followers):
            if self.read(0.2):
                end = time.monotonic() + PATIENCE
            elif time.monotonic() > end:
                raise AssertionError(what + " does not come")
            if time.monotonic() > last:
                raise AssertionError(what + " does not come, though others do")

    def close(self):
        for follower in self.followers:
            follower.close()


def settled(server):
    """Stops the plant; answers the last value of each property."""
    assert server.ask("PATCH", "/plant/isRunning", False)[0] == 204
    return state(server)


def state(server):
    """The value of each property at this moment, but for the number of browsers."""
    load = Load(server, "/events")
    load.until("the state", is_complete)
    load.close()
    return without_browsers(load.followers[0].latest)


def is_complete(follower):
    """Whether a browser has been told of all that the page shows."""
    machines = follower.latest.get((None, "machines"))
    return machines is not None and len(follower.latest) == 6 + 8 * len(machines)


def without_browsers(latest):
    return {key: value for key, value in latest.items() if key[1] != "browsers"}


def total(values):
    return sum(value for key, value in values.items() if key[1] == "bottles")


def newest(program, seconds, browsers):
    """The newest values: each browser ends with the last of each, and memory stays as it is."""
    server = Server(program, "--changes", str(CHANGES))
    load = Load(server, "/events", browsers)
    load.until("the first values", is_complete)
    load.read(seconds / 4)
    before, told, start = total(load.followers[0].latest), load.count(), time.monotonic()
    memory = []
    while time.monotonic() - start < seconds:
        load.read(1)
        memory.append(server.memory())
    last = settled(server)
    elapsed = time.monotonic() - start
    load.until("the last values", lambda one: without_browsers(one.latest) == last)
    for follower in load.followers:
        for machine, values in follower.bottles.items():
            assert all(a < b for a, b in zip(values, values[1:])), "machine %d goes back" % machine
    half = len(memory) // 2
    first, second = max(memory[:half]), max(memory[half:])
    print("newest: %d browsers, %.0f changes a second for %.0f s, %.0f events a second to each"
          % (browsers, (total(last) - before) / elapsed, elapsed,
             (load.count() - told) / browsers / elapsed))
    print("newest: at most %d KB of memory in the first half, %d KB in the second" % (first, second))
    assert second < first * 1.1 + 4096, "memory grows"
    shut_down(server, load)


def every(program, browsers):
    """Every value: each browser is told all of them, in order and none twice."""
    server = Server(program, "--changes", str(CHANGES))
    settled(server)
    load = Load(server, "/events?every", browsers)
    load.until("the first values", is_complete)
    first = state(server)
    produced = Load(server, "/events")
    produced.until("the first values", is_complete)
    assert server.ask("PATCH", "/plant/isRunning", True)[0] == 204
    while total(produced.followers[0].latest) < total(first) + CHANGES:
        produced.read(0.1)
        load.read(0.1)
    last = settled(server)
    load.until("every value", lambda one: without_browsers(one.latest) == last)
    for follower in load.followers:
        for machine, values in follower.bottles.items():
            there = list(range(first[machine, "bottles"], last[machine, "bottles"] + 1))
            assert values == there, "machine %d loses or repeats a value" % machine
    count = total(last) - total(first)
    print("every: %d changes, all told in order to each of %d browsers" % (count, browsers))
    shut_down(server, load)
    produced.close()


def shut_down(server, load):
    """The server ends while all browsers are there, and each of them is told the end."""
    code = server.end()
    load.until("the end", lambda one: one.has_ended)
    load.close()
    assert code == 0, "exit status %d" % code


def stopped(program):
    """A browser that stops reading is left behind after a while; the others hear of that."""
    server = Server(program, "--changes", str(CHANGES), "--patience", "2")
    lazy = Follower(server, "/events?every", buffer=4096)
    load = Load(server, "/events")
    browsers = lambda count: lambda one: one.latest.get((None, "browsers")) == count
    load.until("two browsers", browsers(2))
    load.until("one browser", browsers(1))
    while lazy.read():
        pass
    assert lazy.is_cut_off
    print("stopped: closed, after %d events that waited on the way" % lazy.count)
    shut_down(server, load)


def main():
    program = sys.argv[1]
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 20
    browsers = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    # A descriptor for each browser.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    newest(program, seconds, browsers)
    every(program, browsers)
    stopped(program)


main()
