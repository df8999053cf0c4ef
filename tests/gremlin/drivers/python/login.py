"""Names and passwords: who is known gets in, others get an error, and nothing of what they asked runs."""

from connecting import Server
from expect import expect, expect_error


def login(server):
    """By SASL PLAIN, over connections for traversals and for scripts."""
    with server.traversals() as g:
        g.V().drop().iterate()
        expect("one who is known", g.add_v("person").count().next(), 1)
    for username, password in [(server.options["username"], "guess"), ("eve", "secret")]:
        stranger = Server(server.url, server.format, username=username, password=password)
        with stranger.traversals() as g:
            expect_error(f"{username} with {password}", 401, "", lambda: g.add_v("person").iterate())
        with stranger.client() as client:
            expect_error("in a script", 401, "", lambda: client.submit("g.addV()").all().result())
    with server.client() as client:
        expect("nobody else wrote", client.submit("g.V().count()").one(), [1])
