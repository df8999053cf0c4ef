"""Sends two servers the same requests of Dgraph's HTTP, and shows where their answers differ.

Usage: peer.py --millrace http://127.0.0.1:8080 --dgraph http://127.0.0.1:8080 [--zero URL] [--random N] [--seed S]

Both are emptied. Nodes are named by uid, which Dgraph's zero must have given out before: `--zero` asks it for them. Nodes
that get their uid from the server have other ones on each: a request names one as `<:a>` after a mutation of `_:a`, and
answers are compared with such uids renamed by their order. Times and numbers of transactions are not compared, and of an
error only that there is one; `--messages` shows the two wordings. What differs on purpose is in `peer/known.py`, with the
reason and the line of `docs/guides/from-dgraph.md` that says so; one that no longer differs fails the run.
"""

import argparse
import http.client
import json
import re
import sys
from urllib.parse import urlencode, urlsplit

from peer import answers, derived, functions, graph, known, requests, sequences, vectors
from peer.random_blocks import random_blocks
from peer.random_queries import random_queries

# Uids above were given by a server: the cases name none of them.
UID_MAX = 0xFFFF
# What begins so is Dgraph's own, as far as Millrace has no such feature.
OWN = ("dgraph.drop.", "dgraph.graphql", "dgraph.namespace", "dgraph.xid")
SHOWN_MAX = 600


class Server:
    def __init__(self, url, name):
        self.name = name
        self.host = urlsplit(url).netloc
        self.connection = http.client.HTTPConnection(self.host, timeout=60)
        self.forget()

    def forget(self):
        """The uids and transactions of one case are not seen by the next."""
        self.uids, self.transactions = {}, {}

    def send(self, path, body, kind):
        headers = {"Content-Type": kind}
        for attempt in range(2):
            try:
                self.connection.request("POST", path, body.encode(), headers)
                return json.loads(self.connection.getresponse().read(), strict=False)
            except (http.client.HTTPException, ConnectionError):
                # A server may close a connection after an error.
                self.connection.close()
                if attempt:
                    return {"errors": [{"message": "the connection was closed"}]}
            except ValueError as error:
                return {"errors": [{"message": f"the answer is no JSON: {error}"}]}

    def ask(self, step):
        parameters = dict(step.parameters)
        body = step.body
        transaction = self.transactions.setdefault(step.transaction, {}) if step.transaction else None
        if transaction:
            parameters["startTs"] = transaction["start_ts"]
        if step.path == "/commit" and step.transaction:
            body = json.dumps({"keys": transaction.get("keys", []), "preds": transaction.get("preds", [])})
        path = step.path + ("?" + urlencode(parameters) if parameters else "")
        answer = self.send(path, self.filled(body), step.kind)
        self.note(answer, transaction)
        return answer

    def filled(self, text):
        return re.sub(r"<:(\w+)>", lambda found: self.uids.get(found[1], found[0]), text)

    def note(self, answer, transaction):
        data = answer.get("data")
        if isinstance(data, dict) and isinstance(data.get("uids"), dict):
            self.uids.update(data["uids"])
        txn = (answer.get("extensions") or {}).get("txn") or {}
        if transaction is not None and txn.get("start_ts"):
            transaction["start_ts"] = txn["start_ts"]
            for key in ("keys", "preds"):
                transaction[key] = sorted({*transaction.get(key, []), *(txn.get(key) or [])})


def compared(answer):
    """What of an answer must be equal."""
    if answer.get("errors"):
        return "error"
    if isinstance(answer.get("data"), str):
        return sorted(renamed(answer["data"]).split("\n"))
    data = json.loads(renamed(json.dumps(answer.get("data"), ensure_ascii=False)), parse_int=number)
    for key, name in [("schema", "predicate"), ("types", "name")]:
        if isinstance(data, dict) and isinstance(data.get(key), list):
            # Predicates and types of Dgraph's own features are no user's.
            data[key] = [own for own in data[key] if not str(own.get(name)).startswith(OWN)]
    return data


def number(text):
    """Beyond 64 bits a number is read as every client does: as a double."""
    return int(text) if -(1 << 63) <= int(text) < 1 << 63 else float(text)


def renamed(text):
    names = {}

    def rename(found):
        if found[1] and int(found[1], 16) <= UID_MAX:
            return found[0]
        return names.setdefault(found[0], f"new{len(names) + 1}")

    # `dg.…` is how Dgraph names a node of JSON that has no uid.
    return re.sub(r"\b0x([0-9a-f]+)\b|\bdg\.[0-9.]+", rename, text)


def difference(one, other, path=""):
    """Where two answers differ first, and both values there."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}):
            if one.get(key) != other.get(key):
                return difference(one.get(key), other.get(key), f"{path}.{key}")
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for at, (here, there) in enumerate(zip(one, other)):
            if here != there:
                return difference(here, there, f"{path}[{at}]")
    return path, one, other


def messages(answer):
    return "; ".join(str(error.get("message")) for error in answer.get("errors") or [])


class Run:
    def __init__(self, servers, arguments):
        self.servers = servers
        self.arguments = arguments
        self.asked, self.different, self.known = 0, 0, set()

    def fresh(self, with_secrets):
        data = graph.DATA + (graph.SECRETS if with_secrets else "")
        for server in self.servers:
            server.forget()
            for path, body in [("/alter", '{"drop_all": true}'), ("/alter", graph.SCHEMA),
                               ("/mutate?commitNow=true", "{ set { %s } }" % data)]:
                answer = server.send(path, body, "application/rdf")
                if answer.get("errors"):
                    sys.exit(f"{server.name} refuses the graph: {messages(answer)}")

    def case(self, name, steps):
        """Asks each step, and whether all answers are equal; a known difference has to be one."""
        self.asked += 1
        differing = False
        for server in self.servers:
            server.forget()
        for step in steps:
            answers = [server.ask(step) for server in self.servers]
            seen = [compared(answer) for answer in answers]
            if seen[0] != seen[1]:
                if not differing and name not in known.DIFFERENCES:
                    print(f"DIFFERS: {name}")
                differing = True
                if name not in known.DIFFERENCES:
                    self.show(step, answers, seen)
            elif seen[0] == "error" and self.arguments.messages:
                self.show(step, answers, seen)
        if name in known.DIFFERENCES:
            self.known |= {name} if differing else set()
        elif differing:
            self.different += 1

    def show(self, step, answers, seen):
        """The request, and the first place where the answers differ."""
        print("  " + step.shown())
        path, *values = difference(*seen)
        for server, answer, value in zip(self.servers, answers, values):
            at = f"at {path} " if path else ""
            print(f"    {server.name}: {at}{messages(answer) or json.dumps(value, ensure_ascii=False)}"[:SHOWN_MAX])

    def report(self):
        stale = sorted(set(known.DIFFERENCES) - self.known)
        for name in stale:
            print(f"no longer differs, take it out of known.py: {name}")
        print(f"{self.asked} cases, {self.different} differ, {len(self.known)} differ on purpose")
        return 1 if self.different or stale else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--millrace", required=True)
    parser.add_argument("--dgraph", required=True)
    parser.add_argument("--zero", help="the URL of Dgraph's zero, which is asked for uids")
    parser.add_argument("--random", type=int, default=200, metavar="N", help="how many random queries are asked")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--messages", action="store_true", help="show the wordings of errors")
    arguments = parser.parse_args()
    for url in filter(None, [arguments.zero, arguments.millrace]):
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        connection.request("GET", f"/assign?what=uids&num={UID_MAX}")
        connection.getresponse().read()
    run = Run([Server(arguments.dgraph, "Dgraph"), Server(arguments.millrace, "Millrace")], arguments)
    run.fresh(True)
    for text in functions.QUERIES + answers.QUERIES + derived.QUERIES:
        run.case(text, [requests.query(text)])
    for name, steps in vectors.queries():
        run.case(name, steps)
    forms = random_queries(arguments.seed, arguments.random) + random_blocks(arguments.seed, arguments.random // 2)
    for text in forms:
        run.case(text, [requests.query(text)])
    for name, steps in sequences.cases():
        run.fresh("secret" in name)
        run.case(name, steps)
    return run.report()


if __name__ == "__main__":
    sys.exit(main())
