"""A database that is asked in Cypher: a server of Bolt, by Neo4j's driver, or Kuzu in this process.

A request in JSON a line on standard input, its answer a line on standard output. The times are this program's own:
from a query's text to its last record.
"""

import decimal
import json
import sys
import time


class Bolt:
    """A session with a server."""

    def __init__(self, request):
        import neo4j

        driver = neo4j.GraphDatabase.driver(request["url"])
        driver.verify_connectivity()
        self.session = driver.session(database=request["database"])

    def rows(self, query):
        return [record.values() for record in self.session.run(query)]


class Kuzu:
    """A new database, which statements fill."""

    def __init__(self, request):
        import kuzu

        self.database = kuzu.Database(request["folder"])
        self.connection = kuzu.Connection(self.database)
        for statement in request["statements"]:
            self.connection.execute(statement)

    def rows(self, query):
        return self.connection.execute(query).get_all()


def plain(value):
    """A value that JSON has a word for; the order of a list is any."""
    if isinstance(value, list):
        return sorted(plain(each) for each in value)
    if isinstance(value, decimal.Decimal):
        return int(value)
    return value


def main():
    asked = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["do"] == "open":
                asked = {"bolt": Bolt, "kuzu": Kuzu}[request["kind"]](request)
                answer = {}
            elif request["do"] == "rows":
                rows = asked.rows(request["query"])
                answer = {"rows": [[plain(value) for value in row] for row in rows]}
            else:
                began = time.perf_counter()
                asked.rows(request["query"])
                answer = {"ms": (time.perf_counter() - began) * 1000}
        except Exception as error:  # The program that asks decides what an error means.
            answer = {"error": f"{request['do']}: {error}"}
        print(json.dumps(answer), flush=True)


main()
