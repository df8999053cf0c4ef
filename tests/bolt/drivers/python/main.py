"""Everything that Neo4j's driver for Python asks of a server: it ends with 1 at the first answer that is wrong.

Usage: main.py HOST:PORT LANGUAGE [USER PASSWORD]. The protocol is the same in every language, so the queries are
in a table by language (`queries.py`).
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
            return session.run(self.queries[query], parameters).single(strict=True)["value"]

    def run(self, query, **parameters):
        with self.driver.session() as session:
            return session.run(self.queries[query], parameters).consume()

    def all(self):
        self.driver.verify_connectivity()
        info = self.driver.get_server_info()
        expect(info.agent.startswith("Neo4j/"), True, "the agent")
        self.types()
        self.results()
        self.transactions()
        self.conflicts()
        self.bookmarks()
        self.elements()
        self.run("drop")
        if self.queries is QUERIES["cypher"]:
            self.plans()
            self.notifications()
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
            Time(12, 30, 1, 5),
            Time(12, 30, 1, 5, tzinfo=hour),
            DateTime(2024, 2, 29, 12, 30, 1, 7),
            DateTime(2024, 2, 29, 12, 30, 1, 7, tzinfo=hour),
            Duration(months=1, days=2, seconds=3, nanoseconds=4),
            WGS84Point((1.5, 2.5)),
            CartesianPoint((1.5, 2.5, 3.5)),
        ]:
            if not isinstance(value, (list, dict)) or self.queries is QUERIES["cypher"]:
                expect(self.value("give", x=value), value, "a value there and back")
        with self.driver.session() as session:
            found = session.run(self.queries["give"], x=[1, ["a"], {"k": 2}]).values()
            expect(found in ([[1], [["a"]], [{"k": 2}]], [[[1, ["a"], {"k": 2}]]]), True, "a list")
            found = session.run(self.queries["give"], x=b"bytes").single()["value"]
            expect(bytes(found), b"bytes", "bytes")

    def results(self):
        with self.driver.session(fetch_size=100) as session:
            records = session.run(self.queries["many"])
            expect(len(records.fetch(10)), 10, "the first records")
            # A result in its middle is passed over when the next query begins.
            expect(len(list(session.run(self.queries["many"]))), 4096, "all records")
            session.run(self.queries["many"]).peek()
        with self.driver.session() as session:
            result = session.run(self.queries["many"])
            expect(result.keys(), ["value"], "keys")
            summary = result.consume()
            expect(summary.query_type, "r", "the type of a read")
            expect(summary.database, "neo4j", "the name of the database")
            status = summary.gql_status_objects[0].gql_status
            expect(status, "00000", "the status")
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
            expect(session.execute_write(make), "made", "the value of a transaction")
            count = lambda transaction: transaction.run(self.queries["count"]).single()["value"]
            expect(session.execute_read(count), 1, "after the commit")
            with session.begin_transaction() as transaction:
                transaction.run(self.queries["person"], name="bob").consume()
                transaction.rollback()
            with session.begin_transaction(metadata={"app": "check"}, timeout=10) as transaction:
                transaction.run(self.queries["count"]).consume()
                transaction.commit()
            expect(session.execute_read(count), 1, "after the rollback")
            write = lambda transaction: transaction.run(self.queries["person"], name="eve").consume()
            error = refused(
                "a write in a read", exceptions.ClientError, lambda: session.execute_read(write)
            )
            expect(error.code, "Neo.ClientError.Statement.AccessMode", "its code")
        records, summary, keys = self.driver.execute_query(self.queries["count"])
        expect((records[0]["value"], keys), (1, ["value"]), "a query of the driver")

    def conflicts(self):
        attempts = []

        def raise_it(transaction):
            attempts.append(1)
            transaction.run(self.queries["set"], n=len(attempts)).consume()
            if len(attempts) == 1:
                self.run("set", n=100)

        with self.driver.session() as session:
            session.execute_write(raise_it)
        expect(len(attempts), 2, "a conflict is tried again by the driver")

    def bookmarks(self):
        with self.driver.session() as session:
            session.run(self.queries["person"], name="bob").consume()
            bookmarks = session.last_bookmarks()
        expect(len(bookmarks.raw_values), 1, "a bookmark")
        with self.driver.session(bookmarks=bookmarks) as session:
            expect(session.run(self.queries["count"]).single()["value"], 2, "a causal chain")
        foreign = neo4j.Bookmarks.from_raw_values(["FB:kcwQ"])
        with self.driver.session(bookmarks=foreign) as session:
            error = refused(
                "a foreign bookmark",
                exceptions.ClientError,
                lambda: session.run(self.queries["one"]).consume(),
            )
            expect(error.code, "Neo.ClientError.Transaction.InvalidBookmark", "its code")

    def elements(self):
        self.run("drop")
        self.run("knows")
        node = self.value("node")
        expect(isinstance(node, Node), True, "a node")
        expect((set(node.labels), dict(node)), ({"person"}, {"name": "ann"}), "its content")
        edge = self.value("edge")
        expect(isinstance(edge, Relationship), True, "a relationship")
        expect((edge.type, dict(edge)), ("knows", {"since": 1999}), "its content")
        expect(edge.start_node.element_id, node.element_id, "its start")
        path = self.value("path")
        expect(isinstance(path, Path), True, "a path")
        expect((len(path), path.start_node.element_id), (1, node.element_id), "its start")
        expect(path.end_node["name"], "bob", "its end")

    def plans(self):
        self.run("person", name="ann")
        text = "MATCH (n:person) RETURN n.name AS name"
        with self.driver.session() as session:
            summary = session.run(f"EXPLAIN {text}").consume()
            expect(summary.plan["operatorType"], "ProduceResults", "the root")
            expect(summary.plan["identifiers"], ["name"], "its columns")
            expect(len(summary.plan["children"]), 1, "its children")
            result = session.run(f"PROFILE {text}")
            expect(result.values(), [["ann"]], "records of PROFILE")
            profile = result.consume().profile
            expect(profile["rows"], 1, "rows of its root")
            expect(len(profile["children"]), 1, "its children")
        self.run("drop")

    def notifications(self):
        """A command without an effect says so, unless the session does not want to know."""
        text = "CREATE INDEX i IF NOT EXISTS FOR (n:I) ON (n.k)"
        self.driver.execute_query(text)
        _, summary, _ = self.driver.execute_query(text)
        expect(summary.query_type, "s", "the type of a command")
        codes = [found.code for found in summary.summary_notifications]
        expect(codes, ["Neo.ClientNotification.Schema.IndexOrConstraintAlreadyExists"], "a notification")
        for wish in [
            {"notifications_min_severity": "OFF"},
            {"notifications_min_severity": "WARNING"},
            {"notifications_disabled_categories": ["SCHEMA"]},
            {"notifications_disabled_classifications": ["SCHEMA"]},
        ]:
            with self.driver.session(**wish) as session:
                found = list(session.run(text).consume().summary_notifications)
                expect(found, [], f"notifications that are not wanted, by {wish}")
                with session.begin_transaction() as transaction:
                    found = list(transaction.run(text).consume().summary_notifications)
                    expect(found, [], f"the same in a transaction, by {wish}")
        self.driver.execute_query("DROP INDEX i")

    def abandoned(self):
        """Transactions and results that are left in their middle."""
        with self.driver.session(fetch_size=10) as session:
            transaction = session.begin_transaction()
            transaction.run(self.queries["person"], name="eve").consume()
            transaction.run(self.queries["many"]).peek()
        expect(self.value("count"), 0, "after a transaction was left")

    def failures(self):
        with self.driver.session() as session:
            error = refused(
                "a wrong text",
                exceptions.CypherSyntaxError,
                lambda: session.run(self.queries["wrong"]).consume(),
            )
            expect(error.code, "Neo.ClientError.Statement.SyntaxError", "its code")
            expect(session.run(self.queries["one"]).single()["value"], 1, "after a failure")
            transaction = session.begin_transaction()
            refused(
                "a wrong text in a transaction",
                exceptions.ClientError,
                lambda: transaction.run(self.queries["wrong"]).consume(),
            )
            transaction.close()
        with self.driver.session(database="nowhere") as session:
            error = refused(
                "a database that is not there",
                exceptions.ClientError,
                lambda: session.run(self.queries["one"]).consume(),
            )
            expect(error.code, "Neo.ClientError.Database.DatabaseNotFound", "its code")


def main():
    address, language, *user = sys.argv[1:]
    auth = tuple(user) or None
    queries = QUERIES[language]
    for scheme in ["bolt", "neo4j"]:
        with neo4j.GraphDatabase.driver(f"{scheme}://{address}", auth=auth) as driver:
            Check(driver, queries).all()
        if auth:
            wrong = (auth[0], "wrong")
            with neo4j.GraphDatabase.driver(f"{scheme}://{address}", auth=wrong) as driver:
                refused("a wrong password", exceptions.AuthError, driver.verify_connectivity)
    print(f"neo4j {neo4j.__version__}")


main()
