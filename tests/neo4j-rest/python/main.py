"""What neo4jrestclient 2.1 asks of a server: it ends with 1 at the first answer that is wrong.

Usage: main.py http://HOST:PORT
"""

import collections
import collections.abc
import sys
from importlib.metadata import version

# The client names it as Python had it before 3.10.
collections.Sequence = collections.abc.Sequence

from neo4jrestclient import client, exceptions  # noqa: E402


def expect(found, expected, what):
    """Ends the program unless both are the same."""
    if found != expected:
        sys.exit(f"{what}: found {found!r}, expected {expected!r}")


def refused(what, status, call):
    """Ends the program unless the call fails with the status."""
    try:
        call()
    except exceptions.StatusException as error:
        return expect(error.value, status, what)
    sys.exit(f"{what}: it was not refused")


def nodes_and_properties(db):
    """Nodes by their numbers, and their properties, all and one."""
    ann = db.nodes.create(name="Ann", age=30, tags=["a", "b"])
    expect(ann.properties, {"name": "Ann", "age": 30, "tags": ["a", "b"]}, "properties")
    expect(db.nodes.get(ann.id), ann, "a node by its number")
    ann["age"] = 31
    expect(db.nodes.get(ann.id).properties["age"], 31, "a property that was set")
    del ann["age"]
    expect("age" in db.nodes.get(ann.id).properties, False, "a property that was deleted")
    ann.properties = {"name": "Ann", "w": 1.5, "ok": True}
    expect(db.nodes.get(ann.id).properties, {"name": "Ann", "w": 1.5, "ok": True}, "all properties")
    ann.delete()
    refused("a node that was deleted", 404, lambda: db.nodes.get(ann.id))
    expect(db.nodes.create().properties, {}, "a node without properties")


def labels(db):
    """Labels of nodes, and nodes of a label."""
    ann = db.nodes.create(name="Ann")
    ann.labels.add("Person")
    ann.labels.add(["Old", "Rich"])
    names = lambda: {label._label for label in db.nodes.get(ann.id).labels}
    expect(names(), {"Person", "Old", "Rich"}, "labels that were added")
    ann.labels.remove("Old")
    expect(names(), {"Person", "Rich"}, "a label that was removed")
    people = db.labels.get("Person")
    expect(list(people.all()), [ann], "the nodes of a label")
    expect(list(people.get(name="Ann")), [ann], "those with a property")
    expect(list(people.get(name="Bob")), [], "none of them")


def relationships(db):
    """Relationships of a node, of a type, in a direction."""
    ann, bob = db.nodes.create(name="Ann"), db.nodes.create(name="Bob")
    knows = ann.relationships.create("KNOWS", bob, since=2010)
    ann.Likes(bob)
    expect((knows.type, knows.start, knows.end), ("KNOWS", ann, bob), "a relationship")
    expect(db.relationships.get(knows.id).properties, {"since": 2010}, "its properties")
    knows["w"] = 1.5
    expect(db.relationships.get(knows.id).properties, {"since": 2010, "w": 1.5}, "one more")
    expect(list(ann.relationships.outgoing(types=["KNOWS"])), [knows], "those of a type")
    expect((len(bob.relationships.incoming()), len(bob.relationships.outgoing())), (2, 0), "directions")
    refused("a node that is connected", 409, ann.delete)
    for relationship in list(ann.relationships.all()):
        relationship.delete()
    ann.delete()


def queries(db):
    """Queries in transactions, with the parameters of that time."""
    ann = db.nodes.create(name="Quentin")
    text = "MATCH (n {name: {name}}) RETURN n, n.name, 1.5"
    rows = db.query(text, params={"name": "Quentin"}, returns=(client.Node, str, float))
    expect(rows[0], [ann, "Quentin", 1.5], "a row")
    transaction = db.transaction(for_query=True, using_globals=False)
    db.query("CREATE (:Made {n: 1})", tx=transaction)
    db.query("CREATE (:Made {n: 2})", tx=transaction)
    transaction.commit()
    counted = db.query("MATCH (m:Made) RETURN sum(m.n)", returns=(int,))
    expect(counted[0], [3], "what a transaction wrote")
    rolled_back = db.transaction(for_query=True, using_globals=False)
    db.query("CREATE (:Made {n: 4})", tx=rolled_back)
    rolled_back.rollback()
    counted = db.query("MATCH (m:Made) RETURN sum(m.n)", returns=(int,))
    expect(counted[0], [3], "what a transaction did not write")


def batches(db):
    """A transaction that is no query is a batch."""
    with db.transaction():
        ann, bob = db.nodes.create(name="Ann in batch"), db.nodes.create(name="Bob in batch")
        ann.relationships.create("IN_BATCH", bob, n=1)
    text = "MATCH (a)-[r:IN_BATCH]->(b) RETURN a.name, r.n, b.name"
    rows = db.query(text, returns=(str, int, str))
    expect(list(rows), [["Ann in batch", 1, "Bob in batch"]], "what a batch made")
    with db.transaction() as transaction:
        ann["age"] = 7
        bob["age"] = 8
    expect((db.nodes.get(ann.id)["age"], db.nodes.get(bob.id)["age"]), (7, 8), "what a batch set")
    made = db.nodes.create()
    stale = db.nodes.get(made.id)
    made.delete()
    before = db.query("MATCH (n) RETURN count(n)", returns=(int,))[0]
    try:
        with db.transaction():
            db.nodes.create(name="lost").relationships.create("TO", stale)
        sys.exit("a batch with a deleted node: it was not refused")
    except exceptions.TransactionException as error:
        expect(error.value, 500, "a batch with a deleted node")
    db.flush()
    expect(db.query("MATCH (n) RETURN count(n)", returns=(int,))[0], before, "a batch that failed")


def scripts_and_refusals(db):
    """Gremlin by its plugin, and what is not there."""
    script = db.extensions.GremlinPlugin.execute_script
    expect(script(script="g.inject(1, 2).sum()"), 3, "a script")
    refused("manual indexes", 501, lambda: db.nodes.indexes.create("people"))


def main():
    db = client.GraphDatabase(sys.argv[1] + "/db/data/")
    for case in [nodes_and_properties, labels, relationships, queries, batches, scripts_and_refusals]:
        case(db)
    print("neo4jrestclient", version("neo4jrestclient"))


main()
