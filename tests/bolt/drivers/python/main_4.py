"""What Neo4j's driver 4.2 for Python asks of a server, in Bolt 4.2: it ends with 1 at the first answer that is wrong.

Usage: main_4.py HOST:PORT [USER PASSWORD]. The queries are those of `main.py` in Cypher: this driver itself sends some.
"""

import sys

import neo4j
import pytz
from neo4j import exceptions
from neo4j.graph import Node, Path, Relationship
from neo4j.spatial import CartesianPoint, WGS84Point
from neo4j.time import Date, DateTime, Duration, Time

from queries import QUERIES


def expect(found, expected, what):
    """Ends the program unless both are the same."""
    if found != expected or type(found) is not type(expected):
        sys.exit(f"{what}: found {found!r}, expected {expected!r}")


def refused(what, kinds, call):
    """The error of a call that has to fail."""
    try:
        call()
    except kinds as error:
        return error
    sys.exit(f"{what}: it was not refused")


class Check:
    """The checks, over one driver."""

    def __init__(self, driver, queries):
        self.driver = driver
        self.queries = queries

    def value(self, query, **parameters):
        with self.driver.session() as session:
            return session.run(self.queries[query], parameters).single()["value"]

    def run(self, query, **parameters):
        with self.driver.session() as session:
            return session.run(self.queries[query], parameters).consume()

    def all(self):
        self.driver.verify_connectivity()
        self.types()
        self.results()
        self.transactions()
        self.conflicts()
        self.bookmarks()
        self.elements()
        self.run("drop")
        self.abandoned()
        self.failures()
        self.run("drop")

    def types(self):
        hour = pytz.FixedOffset(60)
        for value in [
            None,
            True,
            -1,
            2**62,
            1.5,
            "text ü 世",
            [1, ["a", None]],
            {"k": [1], "l": {"m": 2.5}},
            Date(2024, 2, 29),
            Time(12, 30, 1.5),
            hour.localize(Time(12, 30, 1.5)),
            DateTime(2024, 2, 29, 12, 30, 1.5),
            hour.localize(DateTime(2024, 2, 29, 12, 30, 1.5)),
            Duration(months=1, days=2, seconds=3, nanoseconds=4),
            WGS84Point((1.5, 2.5)),
            CartesianPoint((1.5, 2.5, 3.5)),
        ]:
            expect(self.value("give", x=value), value, "a value there and back")
        # A moment of a zone was sent by its local seconds then.
        with self.driver.session() as session:
            text = "RETURN datetime('2024-07-01T12:00:00[Europe/Paris]') AS zone, datetime('2024-07-01T12:00+01:00') AS offset"
            found = session.run(text).single()
        expect(found["zone"].iso_format(), "2024-07-01T12:00:00.000000000+02:00", "a moment of a zone")
        expect(found["offset"].iso_format(), "2024-07-01T12:00:00.000000000+01:00", "a moment of an offset")

    def results(self):
        with self.driver.session(fetch_size=100) as session:
            # A result in its middle is passed over when the next query begins.
            session.run(self.queries["many"]).peek()
            expect(len(list(session.run(self.queries["many"]))), 4096, "all records")
        with self.driver.session() as session:
            result = session.run(self.queries["many"])
            expect(result.keys(), ["value"], "keys")
            summary = result.consume()
            expect(summary.query_type, "r", "the type of a read")
            expect(summary.database, "neo4j", "the name of the database")
        summary = self.run("person", name="eve")
        expect(summary.counters.nodes_created, 1, "created nodes")
        expect(summary.counters.properties_set, 1, "set properties")
        expect(summary.counters.contains_updates, True, "updates")
        expect(summary.query_type, "rw", "the type of a write")
        self.run("drop")

    def transactions(self):
        def make(transaction):
            transaction.run(self.queries["person"], name="ann").consume()
            first = transaction.run(self.queries["many"])
            second = transaction.run(self.queries["count"])
            expect(second.single()["value"], 1, "a read between the records of another")
            expect(len(list(first)), 4096, "the other")
            return "made"

        with self.driver.session() as session:
            expect(session.write_transaction(make), "made", "the value of a transaction")
            count = lambda transaction: transaction.run(self.queries["count"]).single()["value"]
            expect(session.read_transaction(count), 1, "after the commit")
            with session.begin_transaction() as transaction:
                transaction.run(self.queries["person"], name="bob").consume()
                transaction.rollback()
            with session.begin_transaction(metadata={"app": "check"}, timeout=10) as transaction:
                transaction.run(self.queries["count"]).consume()
                transaction.commit()
            expect(session.read_transaction(count), 1, "after the rollback")
            write = lambda transaction: transaction.run(self.queries["person"], name="eve").consume()
            error = refused("a write in a read", exceptions.ClientError, lambda: session.read_transaction(write))
            expect(error.code, "Neo.ClientError.Statement.AccessMode", "its code")

    def conflicts(self):
        attempts = []

        def raise_it(transaction):
            attempts.append(1)
            transaction.run(self.queries["set"], n=len(attempts)).consume()
            if len(attempts) == 1:
                self.run("set", n=100)

        with self.driver.session() as session:
            session.write_transaction(raise_it)
        expect(len(attempts), 2, "a conflict is tried again by the driver")

    def bookmarks(self):
        with self.driver.session() as session:
            session.run(self.queries["person"], name="bob").consume()
            bookmark = session.last_bookmark()
        with self.driver.session(bookmarks=[bookmark]) as session:
            expect(session.run(self.queries["count"]).single()["value"], 2, "a causal chain")

    def elements(self):
        self.run("drop")
        self.run("knows")
        node = self.value("node")
        expect(isinstance(node, Node), True, "a node")
        expect((set(node.labels), dict(node)), ({"person"}, {"name": "ann"}), "its content")
        edge = self.value("edge")
        expect(isinstance(edge, Relationship), True, "a relationship")
        expect((edge.type, dict(edge)), ("knows", {"since": 1999}), "its content")
        expect(edge.start_node.id, node.id, "its start")
        path = self.value("path")
        expect(isinstance(path, Path), True, "a path")
        expect((len(path), path.start_node.id), (1, node.id), "its start")
        expect(path.end_node["name"], "bob", "its end")

    def abandoned(self):
        """Transactions and results that are left in their middle."""
        with self.driver.session(fetch_size=10) as session:
            transaction = session.begin_transaction()
            transaction.run(self.queries["person"], name="eve").consume()
            transaction.run(self.queries["many"]).peek()
        expect(self.value("count"), 0, "after a transaction was left")

    def failures(self):
        with self.driver.session() as session:
            wrong = lambda: session.run(self.queries["wrong"]).consume()
            error = refused("a wrong text", exceptions.CypherSyntaxError, wrong)
            expect(error.code, "Neo.ClientError.Statement.SyntaxError", "its code")
            expect(session.run(self.queries["one"]).single()["value"], 1, "after a failure")
        with self.driver.session(database="nowhere") as session:
            one = lambda: session.run(self.queries["one"]).consume()
            refused("a database that is not there", (exceptions.ClientError, exceptions.ServiceUnavailable), one)


def main():
    address, *user = sys.argv[1:]
    auth = tuple(user) or None
    queries = QUERIES["cypher"]
    for scheme in ["bolt", "neo4j"]:
        with neo4j.GraphDatabase.driver(f"{scheme}://{address}", auth=auth) as driver:
            Check(driver, queries).all()
        if auth:
            wrong = lambda: neo4j.GraphDatabase.driver(f"{scheme}://{address}", auth=(auth[0], "wrong"))
            refused("a wrong password", exceptions.AuthError, wrong)
    print(f"neo4j {neo4j.__version__}")


main()
