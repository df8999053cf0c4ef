"""`Neo4jVector` of langchain-neo4j, step by step as its guide has it: stores that are made, filled, opened again, searched
by vectors, by words and vectors, with filters, over a graph that is there, and over relationships.
"""

import neo4j
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_neo4j import Neo4jGraph, Neo4jVector
from langchain_neo4j.vectorstores.neo4j_vector import DistanceStrategy, SearchType

from expecting import expect, refused
from words import expect_scored, nearest, vector

BOOKS = {
    "Spice is found on the desert planet alone": {"year": 1965, "author": "Frank", "pages": 412},
    "Worms live in the deep sand of the desert": {"year": 1969, "author": "Frank", "pages": 256},
    "A whale is hunted across every ocean": {"year": 1851, "author": "Herman", "pages": 635},
    "The ocean of a far planet thinks": {"year": 1961, "author": "Stanisław", "pages": 204},
}
QUERY = "Who lives on the desert planet?"


class Words(Embeddings):
    def embed_documents(self, texts):
        return [vector(text) for text in texts]

    def embed_query(self, text):
        return vector(text)


def documents():
    return [Document(text, metadata=metadata) for text, metadata in BOOKS.items()]


def scored(found):
    return [(one.page_content, score) for one, score in found]


def texts(found):
    return [one.page_content for one in found]


def clear(graph):
    graph.query("MATCH (n) DETACH DELETE n")
    for one in graph.query("SHOW CONSTRAINTS YIELD name"):
        graph.query(f"DROP CONSTRAINT `{one['name']}`")
    for one in graph.query("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
        graph.query(f"DROP INDEX `{one['name']}`")


def check_searches(settings, graph):
    store = Neo4jVector.from_documents(documents(), Words(), **settings)
    found = store.similarity_search_with_score(QUERY, k=2)
    expect_scored(scored(found), nearest(QUERY, BOOKS, 2), "the nearest documents")
    [found] = store.similarity_search("whale", k=1)
    expect(found.metadata, {"id": found.metadata["id"], **BOOKS[found.page_content]}, "the metadata of a document")
    found = store.similarity_search_with_relevance_scores(QUERY, k=1)
    expect_scored(scored(found), nearest(QUERY, BOOKS, 1), "relevance")
    again = Neo4jVector.from_existing_index(Words(), index_name="vector", **settings)
    expect((again.node_label, again.embedding_node_property), ("Chunk", "embedding"), "what an index covers")
    ids = again.add_documents([Document("Foo", metadata={"source": "a note"})])
    expect_scored(scored(again.similarity_search_with_score("foo", k=1)), [("Foo", 1.0)], "a document that was added")
    expect(graph.query("MATCH (c:Chunk {id: $id}) RETURN c.source AS s", {"id": ids[0]}), [{"s": "a note"}], "its node")
    expect(texts(again.as_retriever(search_kwargs={"k": 1}).invoke("hunted whale")), [list(BOOKS)[2]], "a retriever")
    # The second is unlike the first; the most similar pair is not it.
    diverse = again.max_marginal_relevance_search(QUERY, k=2, fetch_k=5, lambda_mult=0.0)
    expect((texts(diverse)[0], len(diverse)), (nearest(QUERY, BOOKS, 1)[0][0], 2), "different documents")
    wide = again.similarity_search(QUERY, k=1, effective_search_ratio=3)
    expect(texts(wide), [nearest(QUERY, BOOKS, 1)[0][0]], "a wider search")
    own = Neo4jVector.from_existing_index(
        Words(),
        index_name="vector",
        retrieval_query="RETURN node {.author, .year} AS text, score, {foo: 'bar'} AS metadata",
        **settings,
    )
    [found] = own.similarity_search("whale", k=1)
    shown = (found.page_content, found.metadata)
    expect(shown, ("author: Herman\nyear: 1851\n", {"foo": "bar"}), "a query of the user's")
    error = refused(
        "an index that is not there",
        ValueError,
        lambda: Neo4jVector.from_existing_index(Words(), "none", node_label="No", **settings),
    )
    expect("does not exist" in str(error), True, f"its error: {error}")


FILTERS = [
    ({"author": "Frank"}, 2),
    ({"year": {"$gte": 1961}, "author": {"$ne": "Frank"}}, 1),
    ({"$or": [{"author": {"$eq": "Herman"}}, {"pages": {"$lt": 210}}]}, 2),
    ({"$and": [{"year": {"$between": (1960, 1966)}}, {"pages": {"$gt": 300}}]}, 1),
    ({"author": {"$in": ["Herman", "Stanisław"]}}, 2),
    ({"author": {"$nin": ["Herman", "Stanisław"]}}, 2),
    ({"author": {"$like": "ank%"}}, 2),
    ({"author": {"$ilike": "HER%"}}, 1),
]


def check_filters(settings):
    store = Neo4jVector.from_existing_index(Words(), index_name="vector", **settings)
    for condition, count in FILTERS:
        found = scored(store.similarity_search_with_score(QUERY, k=4, filter=condition))
        passed = [one for one in nearest(QUERY, BOOKS, 4) if one[0] in dict(found)]
        expect(len(found), count, f"how many documents pass {condition}")
        expect_scored(found, passed, f"documents that pass {condition}")


def check_hybrid(settings, graph):
    hybrid = {"search_type": SearchType.HYBRID, **settings}
    store = Neo4jVector.from_documents(documents(), Words(), pre_delete_collection=True, **hybrid)
    kinds = graph.query(
        "SHOW INDEXES YIELD name, type WHERE type IN ['VECTOR', 'FULLTEXT'] RETURN name, type ORDER BY name"
    )
    expect(kinds, [{"name": "keyword", "type": "FULLTEXT"}, {"name": "vector", "type": "VECTOR"}], "both indexes")
    count = graph.query("MATCH (c:Chunk) RETURN count(c) AS n")
    expect(count, [{"n": 4}], "a collection that was deleted before")
    # Each search gives its best the score 1: a text with the rare word is among the first two, however unlike.
    found = scored(store.similarity_search_with_score("ocean ocean: (every) hunted?", k=2))
    expect_scored(found[:1], [(list(BOOKS)[2], 1.0)], "the best by words and by vectors")
    again = Neo4jVector.from_existing_index(Words(), index_name="vector", keyword_index_name="keyword", **hybrid)
    found = scored(again.similarity_search_with_score("thinks", k=4))
    best = nearest("thinks", BOOKS, 4)
    expect_scored(found, [(text, score / best[0][1]) for text, score in best], "scores beside the best")
    expect(texts(again.as_retriever(search_kwargs={"k": 1}).invoke("every")), [list(BOOKS)[2]], "a retriever")
    missing = {"keyword_index_name": "no", "text_node_property": "no"}
    error = refused(
        "a keyword index that is not there",
        ValueError,
        lambda: Neo4jVector.from_existing_index(Words(), index_name="vector", **missing, **hybrid),
    )
    expect("keyword index" in str(error), True, f"its error: {error}")


def check_graph_that_is_there(settings, graph):
    people = [{"name": "Tomaz", "location": "Slovenia", "hobby": "Bicycle", "age": 33}, {"name": "Ann"}]
    people += [{"name": "Bob", "location": "Bonn", "hobby": "Chess"}, {"hobby": "neither"}]
    graph.query("UNWIND $people AS one CREATE (p:Person) SET p = one", {"people": people})
    for search in [SearchType.VECTOR, SearchType.HYBRID]:
        store = Neo4jVector.from_existing_graph(
            Words(),
            index_name="person_index",
            keyword_index_name="person_words",
            node_label="Person",
            text_node_properties=["name", "location"],
            embedding_node_property="vector",
            search_type=search,
            **settings,
        )
        [found] = store.similarity_search("Slovenia", k=1)
        expect(found.page_content, "\nname: Tomaz\nlocation: Slovenia", f"a node's properties, by {search}")
        expect(found.metadata, {"hobby": "Bicycle", "age": 33}, "its other properties")
    count = graph.query("MATCH (p:Person) RETURN count(p.vector) AS n, count(*) AS all")
    expect(count, [{"n": 3, "all": 4}], "nodes that were given vectors")
    opened = Neo4jVector.from_existing_index(
        Words(), index_name="person_index", text_node_properties=["hobby", "name"], **settings
    )
    found = texts(opened.similarity_search("name Bob location Bonn", k=1))
    expect(found, ["\nhobby: Chess\nname: Bob"], "properties by name")


def check_relationships(settings, graph):
    store = Neo4jVector.from_existing_index(Words(), index_name="person_index", **settings)
    store.query(
        "MERGE (p:Person {name: 'Tomaz'}) MERGE (q:Person {name: 'Leann'}) "
        "MERGE (p)-[:FRIEND {text: 'example text', embedding: $one}]->(q) "
        "MERGE (q)-[:FRIEND {text: 'something else', embedding: $two, since: 1999}]->(p)",
        params={"one": vector("example text"), "two": vector("something else")},
    )
    store.query(
        "CREATE VECTOR INDEX `relationship_vector` IF NOT EXISTS FOR ()-[r:FRIEND]-() ON (r.embedding) "
        "OPTIONS {indexConfig: {`vector.dimensions`: 32, `vector.similarity_function`: 'cosine'}}"
    )
    found = Neo4jVector.from_existing_relationship_index(Words(), "relationship_vector", **settings)
    both = found.similarity_search_with_score("something")
    expected = nearest("something", ["example text", "something else"], 2)
    expect_scored(scored(both), expected, "relationships")
    expect(both[0][0].metadata, {"since": 1999}, "the metadata of a relationship")
    refused(
        "a node index as one of relationships",
        ValueError,
        lambda: Neo4jVector.from_existing_relationship_index(Words(), "person_index", **settings),
    )


def check_distances(settings, graph):
    store = Neo4jVector.from_texts(
        list(BOOKS),
        Words(),
        index_name="far",
        node_label="Book",
        embedding_node_property="e",
        distance_strategy=DistanceStrategy.EUCLIDEAN_DISTANCE,
        **settings,
    )
    found = store.similarity_search_with_score(list(BOOKS)[1], k=1)
    expect_scored(scored(found), [(list(BOOKS)[1], 1.0)], "a text itself, by distance")
    short = "CALL db.index.vector.queryNodes('far', 1, [1.0, 2.0]) YIELD node RETURN node"
    refused("a vector of another length", neo4j.exceptions.Neo4jError, lambda: graph.query(short))


def check_all(settings):
    graph = Neo4jGraph(refresh_schema=False, **settings)
    clear(graph)
    check_searches(settings, graph)
    graph.query("MATCH (c:Chunk {text: 'Foo'}) DETACH DELETE c")
    check_filters(settings)
    check_hybrid(settings, graph)
    clear(graph)
    # An index that is not there does not keep a collection from being deleted.
    Neo4jVector.from_documents(documents(), Words(), pre_delete_collection=True, **settings)
    clear(graph)
    check_graph_that_is_there(settings, graph)
    check_relationships(settings, graph)
    check_distances(settings, graph)
    clear(graph)
