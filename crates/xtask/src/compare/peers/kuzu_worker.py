"""Kuzu at work: a request in JSON a line on standard input, its answer a line on standard output."""

import json
import sys
import time

import kuzu

SCHEMA = [
    "CREATE NODE TABLE Person(username STRING, label STRING, PRIMARY KEY(username))",
    "CREATE NODE TABLE Item(name STRING, label STRING, PRIMARY KEY(name))",
    "CREATE REL TABLE LIKES(FROM Person TO Item, type STRING, weight DOUBLE)",
    "CREATE NODE TABLE Written(id SERIAL, name STRING, age INT64, PRIMARY KEY(id))",
]
WRITE = "UNWIND $rows AS row CREATE (:Written {name: row.name, age: row.age})"


class Served:
    """The database that is asked and written to."""

    def __init__(self):
        self.database = None
        self.connection = None
        self.requests = 0

    def start(self, request):
        self.database = kuzu.Database(request["database"])
        self.connection = kuzu.Connection(self.database)
        return {}

    def ask(self, request):
        result = self.connection.execute(request["query"], {"person": request["person"]})
        return {"rows": all_rows(result)}

    def write(self, request):
        count, requests = request["rows"], 0
        began = time.monotonic()
        while time.monotonic() - began < request["seconds"]:
            self.connection.execute(WRITE, {"rows": self.rows(count)})
            requests += 1
        return {"requests": requests, "seconds": time.monotonic() - began}

    def rows(self, count):
        self.requests += 1
        return [
            {"name": f"person-{self.requests}-{at}", "age": (self.requests + at) % 100}
            for at in range(count)
        ]

    def count(self, request):
        return {"count": one(self.connection, "MATCH (w:Written) RETURN count(*)")}


def load(request):
    people, items, likes = request["files"]
    began = time.monotonic()
    database = kuzu.Database(request["database"])
    connection = kuzu.Connection(database)
    for statement in SCHEMA:
        connection.execute(statement)
    for table, file in [("Person", people), ("Item", items), ("LIKES", likes)]:
        connection.execute(f"COPY {table} FROM '{file}' (HEADER=true)")
    seconds = time.monotonic() - began
    vertices = one(connection, "MATCH (n:Person:Item) RETURN count(*)")
    edges = one(connection, "MATCH ()-[e:LIKES]->() RETURN count(*)")
    connection.close()
    database.close()
    return {"seconds": seconds, "counts": [vertices, edges]}


def all_rows(result):
    rows = []
    while result.has_next():
        rows.append(result.get_next())
    return rows


def one(connection, query):
    return connection.execute(query).get_next()[0]


def main():
    served = Served()
    todo = {
        "load": load,
        "start": served.start,
        "ask": served.ask,
        "write": served.write,
        "count": served.count,
    }
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = todo[request["do"]](request)
        except Exception as error:  # The program that asks decides what an error means.
            answer = {"error": f"{request['do']}: {error}"}
        # A sum of counts comes as a Decimal, which JSON has no word for.
        print(json.dumps(answer, default=int), flush=True)


main()
