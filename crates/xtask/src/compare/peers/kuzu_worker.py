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
# Of the social graph: node tables with their files, and tables of relationships with their ends and files.
SOCIAL_NODES = {
    "Country": ["Country"],
    "City": ["City"],
    "Person": ["Person"],
    "Forum": ["Forum"],
    "Message": ["Post", "Comment"],
    "Tag": ["Tag"],
    "TagClass": ["TagClass"],
}
SOCIAL_RELATIONSHIPS = [
    ("partOf", "City", "Country", ["City_isPartOf_Country"]),
    ("livesIn", "Person", "City", ["Person_isLocatedIn_City"]),
    ("hasMember", "Forum", "Person", ["Forum_hasMember_Person"]),
    ("containerOf", "Forum", "Message", ["Forum_containerOf_Post"]),
    ("replyOf", "Message", "Message", ["Comment_replyOf_Post", "Comment_replyOf_Comment"]),
    ("replyOfPost", "Message", "Message", ["Comment_replyOf_Post"]),
    ("hasTag", "Message", "Tag", ["Post_hasTag_Tag", "Comment_hasTag_Tag"]),
    ("hasType", "Tag", "TagClass", ["Tag_hasType_TagClass"]),
    ("hasCreator", "Message", "Person", ["Post_hasCreator_Person", "Comment_hasCreator_Person"]),
    ("likes", "Person", "Message", ["Person_likes_Post", "Person_likes_Comment"]),
    ("hasInterest", "Person", "Tag", ["Person_hasInterest_Tag"]),
    ("knows", "Person", "Person", ["Person_knows_Person"]),
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

    def time(self, request):
        began = time.monotonic()
        count = one(self.connection, request["query"])
        return {"count": count, "ms": (time.monotonic() - began) * 1000}

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


def load_social(request):
    database = kuzu.Database(request["database"])
    connection = kuzu.Connection(database)
    for table, files in SOCIAL_NODES.items():
        columns = "id INT64, label STRING, PRIMARY KEY(id)"
        connection.execute(f"CREATE NODE TABLE {table}({columns})")
        copy(connection, table, files, request["files"])
    for table, source, target, files in SOCIAL_RELATIONSHIPS:
        connection.execute(f"CREATE REL TABLE {table}(FROM {source} TO {target}, type STRING)")
        copy(connection, table, files, request["files"])
    # A friendship is there in both directions, as the benchmark has it in Kuzu.
    friends = f"{request['files']}/Person_knows_Person.csv"
    columns = "one INT64, other INT64, type STRING"
    reverse = f"LOAD WITH HEADERS ({columns}) FROM '{friends}' (HEADER=true) RETURN other, one, type"
    connection.execute(f"COPY knows FROM ({reverse})")
    connection.close()
    database.close()
    return {}


def copy(connection, table, files, folder):
    names = ", ".join(f"'{folder}/{file}.csv'" for file in files)
    connection.execute(f"COPY {table} FROM [{names}] (HEADER=true)")


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
        "load_social": load_social,
        "start": served.start,
        "ask": served.ask,
        "time": served.time,
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
