"""The program under test, and what browsers ask of it: standard library only."""

import http.client
import json
import signal
import socket
import subprocess


class Server:
    """One Dashboard on a port of its own."""

    def __init__(self, program, *options):
        self.process = subprocess.Popen(
            [program, "--port", "0", *options], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline().strip()
        if not line.startswith("http://"):
            raise RuntimeError("the server does not start: " + line)
        self.url = line
        self.host, self.port = "127.0.0.1", int(line.rsplit(":", 1)[1])

    def ask(self, method, path, value=None, headers=None):
        """Answers the status and the text of a request."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=600)
        body = None if value is None else json.dumps({"value": value})
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def memory(self):
        """The resident memory of the process, in KB."""
        told = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(self.process.pid)], capture_output=True, text=True)
        return int(told.stdout)

    def end(self):
        """Asks it to shut down; answers its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


class Follower:
    """A client of server-sent events that remembers what it is told, and reads when it is asked to."""

    def __init__(self, server, path="/events", buffer=None):
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.connect((server.host, server.port))
        request = "GET %s HTTP/1.1\r\nHost: %s:%d\r\n\r\n" % (path, server.host, server.port)
        self.socket.sendall(request.encode())
        self.rest = b""
        self.latest = {}
        self.bottles = {}
        self.count = 0
        self.has_ended = False
        self.is_cut_off = False

    def fileno(self):
        return self.socket.fileno()

    def read(self):
        """Takes what has come."""
        try:
            chunk = self.socket.recv(1 << 16)
        except ConnectionResetError:
            chunk = b""
        if not chunk:
            self.is_cut_off = not self.has_ended
            return False
        lines = (self.rest + chunk).split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            if line.startswith(b"data: "):
                self.told(json.loads(line[6:]))
            elif line == b"0\r":
                self.has_ended = True
        return True

    def told(self, event):
        key, value = (event.get("machine"), event["key"]), event["value"]
        self.latest[key] = value
        self.count += 1
        if key[1] == "bottles":
            self.bottles.setdefault(key[0], []).append(value)

    def close(self):
        self.socket.close()
