#!/usr/bin/env python3
"""falsify.py SOCKET UPSTREAM PLANT...: passes an engine on with some kinds of answers falsified. It
shows that the comparisons can fail."""

import contextlib
import signal
import socket
import sys
import threading

# What is replaced in the answers by something of the same length.
PLANTS = {
    "status": (b"HTTP/1.1 304 Not Modified", b"HTTP/1.1 204 Not Modified"),
    "message": (b"is already in use by container", b"is presently used by container"),
    "state": (b'"Paused":true', b'"Paused":null'),
}
# The same of jobs: what an exec prints, what becomes of it, and what lies in the folder (of
# the same letters, for the sum of a tar's header).
JOB_PLANTS = {
    "end": (b"end code 7 ", b"end code 8 "),
    "output": (b"seven", b"eight"),
    "second launch": (b'"ExitCode":101', b'"ExitCode":100'),
    "folder": (b"/begun", b"/unbeg"),
}


def pump(source, target, plants=()):
    with contextlib.suppress(OSError):  # the other direction has closed both
        while data := source.recv(1 << 16):
            for old, new in plants:
                data = data.replace(old, new)
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


def serve(client, upstream, plants):
    engine = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    engine.connect(upstream)
    threading.Thread(target=pump, args=[client, engine], daemon=True).start()
    pump(engine, client, plants)
    client.close()
    engine.close()


def main():
    path, upstream, *names = sys.argv[1:]
    plants = [{**PLANTS, **JOB_PLANTS}[name] for name in names]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(64)
    print(f"listening on unix:{path}", flush=True)
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=[client, upstream, plants], daemon=True).start()


if __name__ == "__main__":
    main()
