"""A headless Chromium, driven through its DevTools protocol over a pipe: standard library only."""

import base64
import json
import os
import select
import subprocess
import tempfile
import time


class Browser:
    """One Chromium process; messages are JSON parted by NUL, on its file descriptors 3 and 4."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(
            prefix="isalab-chromium-", ignore_cleanup_errors=True)
        to_read, self.to = os.pipe()
        self.back, from_write = os.pipe()

        def arrange():
            # Moved out of the way first, as either may be 3 or 4 already.
            reading, writing = os.dup(to_read), os.dup(from_write)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        arguments = [
            program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--no-first-run", "--disable-dev-shm-usage", "--disable-background-networking",
            "--remote-debugging-pipe", "--user-data-dir=" + self.profile.name, "about:blank",
        ]
        self.process = subprocess.Popen(
            arguments, close_fds=False, preexec_fn=arrange, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.number = 0
        self.buffer = b""
        self.events = []

    def send(self, method, session=None, **parameters):
        """Sends a command and answers what comes back for it."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive(120)
            if answer is None:
                raise RuntimeError(method + ": no answer within two minutes")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + answer["error"]["message"])
                return answer["result"]
            self.events.append(answer)

    def receive(self, seconds):
        """The next message; None if none comes in time."""
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.back], [], [], left)[0]:
                return None
            chunk = os.read(self.back, 1 << 16)
            if not chunk:
                raise RuntimeError("the browser has gone")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def close(self):
        try:
            self.send("Browser.close")
            self.process.wait(20)
        except (RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        self.profile.cleanup()


class Tab:
    """One page of the browser, which asks for addresses that begin with one of `own`, and no other."""

    def __init__(self, browser, own=("file:", "data:", "about:")):
        self.browser = browser
        self.own = own
        target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        attached = browser.send("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        self.errors = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(domain + ".enable")
        self.size(1440, 900)

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def note(self, event):
        """Keeps what a page should not do: an error on its console, a request to the network."""
        method, given = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(given["exceptionDetails"])[:400])
        elif method == "Runtime.consoleAPICalled" and given["type"] in ("error", "warning"):
            self.errors.append(json.dumps(given["args"])[:400])
        elif method == "Log.entryAdded" and given["entry"]["level"] in ("error", "warning"):
            self.errors.append(given["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = given["request"]["url"]
            if not url.startswith(self.own):
                self.errors.append("asks the network for " + url)

    def settle(self):
        """Reads the events that have come."""
        self.evaluate("0")
        for event in self.browser.events:
            if event.get("sessionId") == self.session:
                self.note(event)
        self.browser.events.clear()

    def go(self, url):
        self.send("Page.navigate", url="about:blank")
        self.settle()
        self.send("Page.navigate", url=url)
        if not self.wait("document.readyState === 'complete' && "
                         "(location.href !== 'about:blank') === %s"
                         % json.dumps(url != "about:blank")):
            raise RuntimeError(url + " does not load")

    def wait(self, condition, seconds=30):
        """Waits until an expression holds; answers whether it came to."""
        return self.come_to("Boolean(%s)" % condition, True, seconds)

    def come_to(self, expression, expected, seconds=30):
        """Waits until an expression has a value; answers the one that it has in the end. While a
        page is replaced, an expression may fail for what is not there yet."""
        end = time.monotonic() + seconds
        while True:
            try:
                value = self.evaluate(expression)
                if value == expected or time.monotonic() > end:
                    return value
            except RuntimeError:
                if time.monotonic() > end:
                    raise
            time.sleep(0.05)

    def evaluate(self, expression):
        answer = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:400])
        return answer["result"].get("value")

    def key(self, name):
        for kind in ("keyDown", "keyUp"):
            codes = {"ArrowLeft": 37, "ArrowRight": 39, "ArrowUp": 38,
                     "ArrowDown": 40, "Home": 36, "End": 35, "Tab": 9,
                     "Enter": 13}
            text = {"text": "\r"} if name == "Enter" and kind == "keyDown" else {}
            self.send("Input.dispatchKeyEvent", type=kind, key=name, code=name,
                      windowsVirtualKeyCode=codes.get(name) or ord(name.upper()), **text)

    def click(self, selector):
        place = self.evaluate(
            "(() => { const element = document.querySelector(%s); "
            "element.scrollIntoView({block: 'center'}); "
            "const box = element.getBoundingClientRect(); "
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()" % json.dumps(selector))
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1],
                      button="left", clickCount=1)

    def enter(self, selector, text):
        """Enters a text in a field, in place of the one that is there."""
        self.click(selector)
        self.evaluate("document.activeElement.select()")
        self.send("Input.insertText", text=text)
        self.key("Enter")

    def size(self, width, height, scale=1):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=False)

    def media(self, kind="", **features):
        names = {"scheme": "prefers-color-scheme", "motion": "prefers-reduced-motion"}
        self.send("Emulation.setEmulatedMedia", media=kind, features=[
            {"name": names[name], "value": value} for name, value in features.items()])

    def screenshot(self, path, full=False):
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=full)
        with open(path, "wb") as file:
            file.write(base64.b64decode(data["data"]))

    def pdf(self, path):
        data = base64.b64decode(self.send("Page.printToPDF", printBackground=False)["data"])
        with open(path, "wb") as file:
            file.write(data)
        return data
