"""Sends two servers the same requests of Neo4j's interface of versions 1 to 3, and shows where their answers differ.

Usage: peer.py http://127.0.0.1:7475 http://127.0.0.1:7474

The first one is a Neo4j up to 3.5, the other one Millrace; both are empty. Elements have other numbers on each, so a
request names one as `<name>` once its `Location` was noted under that name. Messages and stack traces are not compared.
What differs on purpose is in `docs/reference/neo4j-rest.md`: a body that Neo4j answers with 500 is a 400, what is refused
is a 501, and each error has a body.
"""

import http.client
import json
import re
import sys
from urllib.parse import urlsplit

# Fields that are another program's own.
OWN = {"message", "fullname", "stackTrace", "stacktrace", "cause", "extensions", "lastBookmarks", "elementId"}
SHOWN_MAX = 300


class Server:
    def __init__(self, url):
        self.host = urlsplit(url).netloc
        self.connection = http.client.HTTPConnection(self.host, timeout=30)
        self.numbers = {}

    def ask(self, method, path, body, headers):
        if body is not None and not isinstance(body, str):
            body = json.dumps(body)
        headers = {"Content-Type": "application/json", "Accept": "application/json", **headers}
        self.connection.request(method, self.filled(path), self.filled(body), headers)
        reply = self.connection.getresponse()
        return reply.status, reply.headers, reply.read().decode()

    def filled(self, text):
        number = lambda found: str(self.numbers.get(found[1], found[0]))
        return text and re.sub(r"<(\w+)>", number, text)

    def plain(self, text):
        """A text without the host and the numbers of this server."""
        text = text.replace(self.host, "HOST")
        text = re.sub(r"/transaction/\d+", "/transaction/<t>", text)
        for name, number in self.numbers.items():
            kind = "relationship" if name.startswith("r") else "node"
            text = re.sub(rf"/{kind}/{number}(?!\d)", f"/{kind}/<{name}>", text)
        return re.sub(r"/(node|relationship)/\d+", r"/\1/#", text)

    def value(self, text):
        try:
            return self.cleaned(json.loads(text))
        except ValueError:
            return self.plain(text)

    def cleaned(self, value):
        if isinstance(value, dict):
            numbered = isinstance(value.get("id"), int) and ("labels" in value or "type" in value)
            pairs = {key: self.cleaned(own) for key, own in value.items() if key not in OWN}
            return {**pairs, "id": "#"} if numbered else pairs
        if isinstance(value, list):
            return [self.cleaned(own) for own in value]
        return self.plain(value) if isinstance(value, str) else value


def difference(one, other):
    """Both, without the fields that are equal."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [key for key in sorted({*one, *other}) if one.get(key) != other.get(key)]
        one, other = ({key: own.get(key) for key in keys} for own in (one, other))
    return [json.dumps(own)[:SHOWN_MAX] for own in (one, other)]


def compared(servers, method, path, body=None, name=None, headers={}, in_order=True):
    """Whether the answers are equal; shows them if they are not."""
    answers = [server.ask(method, path, body, headers) for server in servers]
    for server, (_, reply_headers, _) in zip(servers, answers):
        if name and "Location" in reply_headers:
            server.numbers[name] = int(reply_headers["Location"].rsplit("/", 1)[1])
    seen = []
    for server, (status, reply_headers, text) in zip(servers, answers):
        value = server.value(text)
        if not in_order and isinstance(value, list):
            value.sort(key=lambda own: json.dumps(own, sort_keys=True))
        location = server.plain(reply_headers.get("Location", ""))
        kind = reply_headers.get("Content-Type", "").lower().replace(" ", "")
        seen.append((status, location, kind, value))
    if seen[0] == seen[1]:
        return True
    print(method, path, json.dumps(body) if body is not None else "")
    for one, other in zip(*seen):
        if one != other:
            print("    first: {}\n    other: {}".format(*difference(one, other)))
    return False


def nodes():
    for body in [{"name": "Ann", "age": 3, "tags": ["a", "b"], "w": 1.5, "ok": True}, None, {}, ""]:
        yield "POST", "/node", body
    for body in ["[1]", '"x"', "{", '{"a":null}', '{"a":{"b":1}}', '{"a":[1,"x"]}', '{"a":[[1]]}', '{"":1}', "nul"]:
        yield "POST", "/node", body
    for path in ["<a>", "<b>", "99999999"]:
        yield "GET", f"/node/{path}"


def relationships():
    to = "http://h/db/data/node/<b>"
    for body in [{"type": "X"}, {"to": "http://h/db/data/node/99999999", "type": "X"}, {"to": "x", "type": "X"}, [], ""]:
        yield "POST", "/node/<a>/relationships", body
    yield "POST", "/node/<a>/relationships", {"to": to, "type": "X", "data": {"a": {"b": 1}}}
    yield "POST", "/node/99999999/relationships", {"to": to, "type": "X"}
    for number in ["<r1>", "99999999"]:
        yield "GET", f"/relationship/{number}"
    for direction in ["all", "in", "out"]:
        for types in ["", "/KNOWS&LIKES", "/SELF", "/NOPE"]:
            yield "GET", f"/node/<b>/relationships/{direction}{types}"
            yield "GET", f"/node/<b>/degree/{direction}{types}"
        yield "GET", f"/node/99999999/relationships/{direction}"


def properties():
    for of in ["/node/<a>", "/relationship/<r1>", "/node/99999999", "/relationship/99999999"]:
        path = f"{of}/properties"
        yield "GET", path
        for name, body in [("name", '"Bob"'), ("x", "5"), ("y", "[1,2]"), ("z", "null"), ("z", '{"a":1}'), ("z", "x")]:
            yield "PUT", f"{path}/{name}", body
            yield "GET", f"{path}/{name}"
        for name in ["x", "x", "nope"]:
            yield "DELETE", f"{path}/{name}"
        for body in [{"only": 1}, {"a": None}, [1], "", {"a": {"b": 1}}]:
            yield "PUT", path, body
            yield "GET", path
        yield "DELETE", path
        yield "DELETE", path


def labels():
    path = "/node/<a>/labels"
    for method, body in [("POST", '"Person"'), ("POST", ["Dog", "Cat"]), ("PUT", ["One"]), ("POST", '""'), ("PUT", "[]")]:
        yield method, path, body
        yield "GET", path
    for label in ["Person", "Person", "Nope", "a%20b"]:
        yield "DELETE", f"{path}/{label}"
    yield "POST", path, '"Person"'
    yield "PUT", "/node/<a>/properties", {"name": "Zoe", "n": 7}
    for query in ["", "?name=%22Zoe%22", "?name=%22Nope%22", "?n=7"]:
        yield "GET", f"/label/Person/nodes{query}"
    yield "GET", "/label/Nope/nodes"
    yield "GET", "/labels"
    yield "GET", "/relationship/types"
    for method in ["GET", "POST", "PUT"]:
        yield method, "/node/99999999/labels", ["X"]


def queries():
    for text in ["RETURN 1 AS x, 'a' AS y, [1,2] AS l, {k:1} AS m, null AS n, 1.0 AS f", "MATCH (n:Nope) RETURN n",
                 "CREATE (n:Q)", "RETRN 1", "RETURN x", "RETURN 1/0", "RETURN $nope", "", "RETURN 1 AS a, 2 AS a"]:
        yield "POST", "/cypher", {"query": text}
    yield "POST", "/cypher", {"query": "CREATE (n:P {name: {x}}) RETURN n", "params": {"x": "q"}}
    yield "POST", "/cypher", {"query": "CREATE (a:P {name: $x})-[r:T]->(b) RETURN a.name, type(r)", "params": {"x": "q"}}
    yield "POST", "/cypher", {"query": "MATCH p = (n:P)-[r:T]->(m) RETURN p, r LIMIT 1"}
    for statement in ["RETURN 1 AS x", "RETRN"]:
        yield "POST", "/transaction/commit", {"statements": [{"statement": statement}]}
    yield "POST", "/transaction/99999999", {"statements": []}
    yield "DELETE", "/transaction/99999999"


def schema():
    index = "/schema/index/Indexed"
    for method, path, *body in [("POST", index, {"property_keys": ["p"]}), ("GET", index), ("POST", index, {}),
                                ("DELETE", f"{index}/p"), ("GET", "/schema/index"), ("GET", "/schema/index/Nope")]:
        yield method, path, *body
    unique = "/schema/constraint/Unique/uniqueness"
    for method, path, *body in [("POST", f"{unique}/", {"property_keys": ["u"]}), ("GET", f"{unique}/u"), ("GET", unique),
                                ("GET", "/schema/constraint/Unique"), ("GET", "/schema/constraint"),
                                ("DELETE", f"{unique}/u"), ("GET", "/schema/constraint/Nope")]:
        yield method, path, *body


def deletions():
    yield "DELETE", "/node/<a>"
    for number in ["<r1>", "<r1>"]:
        yield "DELETE", f"/relationship/{number}"
    for number in ["<d>", "<d>", "99999999"]:
        yield "DELETE", f"/node/{number}"


def main(urls):
    servers = [Server(url) for url in urls]
    results = []

    def ask(method, path, *body, **options):
        results.append(compared(servers, method, f"/db/data{path}", *body, **options))

    for name in ["a", "b", "c", "d"]:
        ask("POST", "/node", {"name": name}, name=name)
    for start, end, kind, name in [("a", "b", "KNOWS", "r1"), ("a", "c", "KNOWS", "r2"), ("b", "a", "LIKES", "r3"),
                                   ("b", "b", "SELF", "r4")]:
        body = {"to": f"http://h/db/data/node/<{end}>", "type": kind, "data": {"since": 2000}}
        ask("POST", f"/node/<{start}>/relationships", body, name=name)
    for family in [nodes, relationships, properties, labels, queries, schema, deletions]:
        for request in family():
            ask(*request, in_order=False)
    print(f"{len(results)} requests, {results.count(False)} differ")


main(sys.argv[1:3])
