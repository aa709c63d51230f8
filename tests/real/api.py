"""The Engine API over a unix socket."""

import http.client
import socket


def connect(path):
    connection = http.client.HTTPConnection("docker")
    connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.sock.connect(path)
    return connection


def request(path, method, target, body=None, content_type="application/json"):
    """(status, body) of one exchange on a connection of its own."""
    connection = connect(path)
    try:
        connection.request(method, target, body, {"Content-Type": content_type})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()
