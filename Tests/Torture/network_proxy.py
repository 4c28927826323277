"""A proxy that can break connections: a network between two programs that fails."""

import contextlib
import socket
import struct
import threading


class Proxy:
    """Passes TCP connections on, until it is told to break them. The target is a socket in a folder, or a port of
    this machine."""

    def __init__(self, target):
        self.target = target
        self.lock = threading.Lock()
        self.pairs = set()
        # What happens to bytes and new connections: "pass", "reset", "refuse" or "swallow".
        self.state = "pass"
        with socket.create_server(("127.0.0.1", 0)) as chosen:
            self.port = chosen.getsockname()[1]
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # A port that is asked for by its number stays this socket's while it does not listen.
        self.listener.bind(("127.0.0.1", self.port))
        self._listen()

    def _listen(self):
        self.listener.listen(200)
        self.acceptor = threading.Thread(target=self._accept, daemon=True)
        self.acceptor.start()

    def reset(self):
        """Resets all connections, and new ones until `heal`."""
        self._change("reset")

    def refuse(self):
        """Resets all connections, and lets nobody listen for new ones, until `heal`."""
        self._change("refuse")
        # Wakes the thread that accepts, which closing alone does not.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.acceptor.join()

    def swallow(self):
        """Lets all bytes vanish, in both directions, until `heal`."""
        self._change("swallow")

    def heal(self):
        """Passes connections on again. Those that lost bytes are reset."""
        before = self.state
        self._change("pass")
        if before == "refuse":
            self._listen()

    def _change(self, state):
        with self.lock:
            self.state = state
            gone = [pair for pair in self.pairs if state in ("reset", "refuse") or pair.has_lost]
        for pair in gone:
            pair.reset()

    def close(self):
        if self.state != "refuse":
            self.refuse()
        self.listener.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                with self.lock:
                    pair = Pair(client, self.target)
                    pair.has_lost = self.state == "swallow"
                    if is_wanted := self.state not in ("reset", "refuse"):
                        self.pairs.add(pair)
                if is_wanted:
                    threading.Thread(target=self._serve, args=(pair,), daemon=True).start()
                else:
                    pair.reset()

    def _serve(self, pair):
        if not pair.has_lost:
            try:
                pair.connect()
            except OSError:
                # Nobody listens there at the moment.
                self._end(pair)
                return
            threading.Thread(
                target=self._pump, args=(pair, pair.server, pair.client), daemon=True).start()
        self._pump(pair, pair.client, pair.server)

    def _pump(self, pair, source, target):
        with contextlib.suppress(OSError):
            while content := source.recv(1 << 16):
                with self.lock:
                    if self.state == "swallow":
                        pair.has_lost = True
                    is_lost = pair.has_lost
                if not is_lost:
                    target.sendall(content)
        self._end(pair)

    def _end(self, pair):
        with self.lock:
            self.pairs.discard(pair)
        pair.reset()


class Pair:
    """Both ends of a connection."""

    def __init__(self, client, target):
        self.lock = threading.Lock()
        self.client = client
        is_port = isinstance(target, int)
        self.server = socket.socket(socket.AF_INET if is_port else socket.AF_UNIX)
        self.target = ("127.0.0.1", target) if is_port else str(target)
        self.has_lost = False
        self.is_over = False

    def connect(self):
        self.server.connect(self.target)

    def reset(self):
        """Breaks both ends off, at once."""
        with self.lock:
            if self.is_over:
                return
            self.is_over = True
        # With no time to linger, closing resets. The shutdown wakes the other thread.
        self.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        for end, ways in ((self.server, socket.SHUT_RDWR), (self.client, socket.SHUT_RD)):
            with contextlib.suppress(OSError):
                end.shutdown(ways)
            end.close()
