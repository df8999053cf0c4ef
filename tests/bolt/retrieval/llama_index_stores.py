"""The two graph stores of llama-index-graph-stores-neo4j, and the vector store, as their users run them: it ends with 1 at
the first answer that is wrong.

Usage: llama_index_stores.py HOST:PORT.
"""

import sys
from importlib.metadata import version

from llama_index.core.graph_stores.types import ChunkNode, EntityNode, Relation
from llama_index.core.vector_stores.types import (
    FilterCondition,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
)
from llama_index.graph_stores.neo4j import Neo4jGraphStore, Neo4jPropertyGraphStore

import llama_index_vectors
from expecting import expect

LOGIN = {"username": "neo4j", "password": "any"}


def check_properties(url):
    store = Neo4jPropertyGraphStore(url=url, **LOGIN)
    kinds = store.structured_query("SHOW INDEXES YIELD name, type WHERE type = 'VECTOR' RETURN name")
    expect(kinds, [{"name": "entity"}], "the vector index that the store makes")
    store.structured_query("MATCH (n) DETACH DELETE n")
    chunk = ChunkNode(text="Ann works at Acme.", id_="chunk", properties={"page": 1})
    store.upsert_nodes([chunk])
    source = {"triplet_source_id": "chunk"}
    ann = EntityNode(name="Ann", label="PERSON", properties={"age": 30, "empty": None, **source}, embedding=[1.0, 0.0])
    bob = EntityNode(name="Bob", label="PERSON", properties=source, embedding=[0.0, 1.0])
    acme = EntityNode(name="Acme", label="COMPANY", properties={"text_": "x" * 60})
    for _ in range(2):
        store.upsert_nodes([ann, bob, acme])
        store.upsert_relations(
            [
                Relation(label="WORKS_AT", source_id=ann.id, target_id=acme.id, properties={"since": 1999}),
                Relation(label="WORKS_AT", source_id=bob.id, target_id=acme.id),
            ]
        )
    counts = "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS nodes, count(r) AS edges"
    expect(store.structured_query(counts), [{"nodes": 4, "edges": 4}], "what is stored twice")
    [found] = store.get(ids=[ann.id])
    expect((found.name, found.properties["age"]), ("Ann", 30), "a node by its id")
    [found] = store.get(properties={"page": 1})
    expect((found.text, found.id), ("Ann works at Acme.", "chunk"), "a chunk by a property")
    triples = store.get_triplets(entity_names=["Ann"])
    shown = [(one.name, edge.label, edge.properties, other.name) for one, edge, other in triples]
    expect(shown, [("Ann", "WORKS_AT", {"since": 1999}, "Acme")], "triplets of a name")
    triples = store.get_triplets(relation_names=["WORKS_AT"], ids=[acme.id])
    expect(sorted(one.name for one, _, _ in triples), ["Ann", "Bob"], "triplets of a relationship")
    triples = store.get_rel_map([ann], depth=2, ignore_rels=["NONE"])
    expect(sorted(one.name for one, _, _ in triples), ["Ann", "Bob"], "a map of relationships")
    # With a filter the search is exact, and needs no index.
    filters = MetadataFilters(
        filters=[MetadataFilter(key="age", value=29, operator=">")], condition=FilterCondition.AND
    )
    query = VectorStoreQuery(query_embedding=[1.0, 1.0], similarity_top_k=2, filters=filters)
    nodes, scores = store.vector_query(query)
    expect([one.name for one in nodes], ["Ann"], "the nearest node")
    expect(round(scores[0], 5), 0.85355, "its score")
    nodes, scores = store.vector_query(VectorStoreQuery(query_embedding=[1.0, 0.0], similarity_top_k=1))
    expect(([one.name for one in nodes], scores), (["Ann"], [1.0]), "the nearest node by the index")
    store.refresh_schema()
    schema = store.get_schema()
    ages = [one for one in schema["node_props"]["PERSON"] if one["property"] == "age"]
    expect((ages[0]["type"], ages[0]["min"], ages[0]["max"]), ("INTEGER", "30", "30"), "a property of the schema")
    expect({"start": "PERSON", "type": "WORKS_AT", "end": "COMPANY"} in schema["relationships"], True, "an edge of it")
    expect("PERSON" in store.get_schema_str(), True, "its text")
    store.delete(relation_names=["WORKS_AT"])
    store.delete(entity_names=["Bob"])
    store.delete(ids=["chunk"])
    store.delete(properties={"age": 30})
    expect(store.structured_query(counts), [{"nodes": 1, "edges": 0}], "what is left")
    store.structured_query("MATCH (n) DETACH DELETE n")
    store.close()


def check_triples(url):
    store = Neo4jGraphStore(url=url, **LOGIN)
    for _ in range(2):
        store.upsert_triplet("Ann", "works at", "Acme")
    store.upsert_triplet("Acme", "is in", "Bonn")
    expect(store.get("Ann"), [["WORKS_AT", "Acme"]], "triplets of a subject")
    found = store.get_rel_map(["Ann"], depth=2)
    expect(sorted(found["Ann"], key=len), [["WORKS_AT", "Acme"], ["WORKS_AT", "Acme", "IS_IN", "Bonn"]], "a map")
    store.refresh_schema()
    expect("WORKS_AT" in store.get_schema(), True, "the schema")
    store.delete("Ann", "WORKS_AT", "Acme")
    expect(store.get("Ann"), [], "a deleted triplet")
    store.query("MATCH (n) DETACH DELETE n")


def main():
    url = f"bolt://{sys.argv[1]}"
    check_properties(url)
    check_triples(url)
    llama_index_vectors.check_all({"url": url, **LOGIN})
    print("llama-index-graph-stores-neo4j", version("llama-index-graph-stores-neo4j"))


main()
