"""The library py2neo, the last one that speaks Bolt 4.3, as its users run it: it ends with 1 at the first answer that is wrong.

Usage: main.py HOST:PORT.
"""

import sys
from importlib.metadata import version

from py2neo import Graph, Node, NodeMatcher, Relationship, RelationshipMatcher
from py2neo.bulk import create_nodes, create_relationships, merge_nodes
from py2neo.errors import ClientError


def expect(found, expected, what):
    if found != expected:
        sys.exit(f"{what}: found {found!r}, expected {expected!r}")


def code_of(graph, text):
    try:
        graph.run(text)
    except ClientError as error:
        return error.code
    return None


def elements(graph):
    ann, ben = Node("Person", name="Ann", age=33), Node("Person", name="Ben")
    knows = Relationship(ann, "KNOWS", ben, since=1999)
    graph.create(knows)
    expect(ann.identity is not None and knows.identity is not None, True, "numbers of new elements")
    rows = graph.run("MATCH (a:Person) RETURN a.name AS name, a.age AS age ORDER BY name").data()
    expect(rows, [{"name": "Ann", "age": 33}, {"name": "Ben", "age": None}], "rows")
    path = graph.evaluate("MATCH p = (:Person {name: 'Ann'})-[:KNOWS]->() RETURN p")
    expect([node["name"] for node in path.nodes], ["Ann", "Ben"], "a path")
    expect(path.relationships[0]["since"], 1999, "its relationship")
    people = NodeMatcher(graph).match("Person")
    expect([node["name"] for node in people.where("_.age > 30")], ["Ann"], "nodes behind a test")
    expect(len(people), 2, "how many nodes match")
    expect(list(RelationshipMatcher(graph).match((ann,), "KNOWS")), [knows], "its relationships")
    ann["age"] = 34
    ann.add_label("Known")
    graph.push(ann)
    expect(graph.evaluate("MATCH (n:Known) RETURN n.age"), 34, "a node that was pushed")
    for _ in range(2):
        graph.merge(Node("Person", name="Cai"), "Person", "name")
    expect(len(graph.nodes.match("Person", name="Cai")), 1, "a node merged twice")
    graph.delete(ben)
    expect((graph.exists(ben), len(graph.relationships)), (False, 0), "a node that was deleted")


def transactions(graph):
    undone = graph.begin()
    undone.run("CREATE (:Counted)")
    graph.rollback(undone)
    kept = graph.begin()
    kept.create(Node("Counted"))
    graph.commit(kept)
    expect(graph.evaluate("MATCH (n:Counted) RETURN count(n)"), 1, "one committed, one rolled back")


def bulk(graph):
    create_nodes(graph.auto(), [["a", 1], ["b", 2]], labels={"Bulk"}, keys=["name", "value"])
    merge_nodes(graph.auto(), [["a", 9], ["c", 3]], ("Bulk", "name"), keys=["name", "value"])
    keys = {"start_node_key": ("Bulk", "name"), "end_node_key": ("Bulk", "name")}
    create_relationships(graph.auto(), [("a", {"weight": 1}, "b")], "NEXT", **keys)
    rows = graph.run("MATCH (n:Bulk) RETURN n.name, n.value ORDER BY n.name").to_table()
    expect([list(row) for row in rows], [["a", 9], ["b", 2], ["c", 3]], "nodes in bulk")
    expect(graph.evaluate("MATCH (:Bulk)-[r:NEXT]->(:Bulk) RETURN r.weight"), 1, "relationships in bulk")
    expect("Bulk" in graph.schema.node_labels, True, "the labels")
    expect("NEXT" in graph.schema.relationship_types, True, "the types")


def main():
    graph = Graph(f"bolt://neo4j:any@{sys.argv[1]}")
    graph.delete_all()
    elements(graph)
    transactions(graph)
    bulk(graph)
    graph.run("CREATE CONSTRAINT ON (n:Once) ASSERT n.key IS UNIQUE")
    expect(code_of(graph, "RETRN 1"), "Neo.ClientError.Statement.SyntaxError", "a text that is wrong")
    code = code_of(graph, "CREATE (:Once {key: 1}), (:Once {key: 1})")
    expect(code, "Neo.ClientError.Schema.ConstraintValidationFailed", "a value that is there twice")
    day = graph.evaluate("RETURN date('2020-01-02')")
    expect((day.year, day.month, day.day), (2020, 1, 2), "a date")
    print(f"py2neo {version('py2neo')}")


main()
