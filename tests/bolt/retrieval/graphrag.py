"""neo4j-graphrag as its users run it, without a language model: a knowledge graph is written, its entities are resolved,
read, searched and described. It ends with 1 at the first answer that is wrong.

Usage: graphrag.py HOST:PORT.
"""

import asyncio
import difflib
import logging
import sys
from importlib.metadata import version

import neo4j
from neo4j_graphrag.components.kg_writer import Neo4jWriter
from neo4j_graphrag.components.neo4j_reader import Neo4jChunkReader
from neo4j_graphrag.components.resolver import (
    BasePropertySimilarityResolver,
    SinglePropertyExactMatchResolver,
)
from neo4j_graphrag.components.types import Neo4jGraph, Neo4jNode, Neo4jRelationship
from neo4j_graphrag.indexes import (
    create_vector_index,
    drop_index_if_exists,
    upsert_vectors,
)
from neo4j_graphrag.message_history import Neo4jMessageHistory
from neo4j_graphrag.neo4j_queries import get_search_query
from neo4j_graphrag.retrievers import VectorRetriever
from neo4j_graphrag.schema import get_schema, get_structured_schema
from neo4j_graphrag.types import EntityType, LLMMessage, SearchType

import graphrag_retrievers
from expecting import expect


class Similar(BasePropertySimilarityResolver):
    """Texts are compared letter by letter."""

    def compute_similarity(self, text_a, text_b):
        return difflib.SequenceMatcher(None, text_a, text_b).ratio()


def graph():
    people = [("1", "Ann"), ("2", "Ann"), ("3", "Annabel Smith"), ("4", "Annabel Smyth")]
    nodes = [Neo4jNode(id=uid, label="Person", properties={"name": name, "n": uid}) for uid, name in people]
    nodes.append(Neo4jNode(id="5", label="Company", properties={"name": "Ann"}))
    nodes += [
        Neo4jNode(
            id=f"c{number}",
            label="Chunk",
            properties={"text": f"text {number}", "index": number},
            embedding_properties={"embedding": [1.0, float(number)]},
        )
        for number in range(3)
    ]
    edges = [
        Neo4jRelationship(start_node_id=start, end_node_id="5", type="WORKS_AT", properties={"since": 1999})
        for start in "1234"
    ]
    edges.append(Neo4jRelationship(start_node_id="1", end_node_id="c0", type="FROM_CHUNK"))
    return Neo4jGraph(nodes=nodes, relationships=edges)


async def check_graph(driver):
    writer = Neo4jWriter(driver, batch_size=2)
    made = await writer.run(graph())
    expect((made.status, made.metadata.get("error")), ("SUCCESS", None), "a graph that is written")
    count = "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS nodes, count(r) AS edges"
    expect(driver.execute_query(count).records[0].values(), [8, 5], "its nodes and relationships")
    left = "MATCH (n:__KGBuilder__) WHERE n.__tmp_internal_id IS NOT NULL RETURN count(n)"
    expect(driver.execute_query(left).records[0].value(), 0, "temporary ids")
    done = await SinglePropertyExactMatchResolver(driver).run()
    expect((done.number_of_nodes_to_resolve, done.number_of_created_nodes), (5, 4), "equal entities")
    done = await Similar(driver, similarity_threshold=0.9).run()
    expect((done.number_of_nodes_to_resolve, done.number_of_created_nodes), (4, 1), "similar entities")
    found = driver.execute_query(
        "MATCH (p:Person)-[r:WORKS_AT]->(c:Company) RETURN p.name AS name, count(r) AS edges, c.name AS at ORDER BY name"
    )
    names = [(one["name"][:7], one["edges"], one["at"]) for one in found.records]
    expect(names, [("Ann", 1, "Ann"), ("Annabel", 1, "Ann")], "the resolved graph")
    chunks = await Neo4jChunkReader(driver, fetch_embeddings=True).run()
    shown = [(chunk.text, chunk.index, chunk.metadata["embedding"]) for chunk in chunks.chunks]
    expect(shown, [(f"text {number}", number, [1.0, float(number)]) for number in range(3)], "chunks that are read")


def check_schema(driver):
    schema = get_structured_schema(driver, is_enhanced=True)
    since = [one for one in schema["rel_props"]["WORKS_AT"] if one["property"] == "since"]
    expect((since[0]["type"], since[0]["min"]), ("INTEGER", "1999"), "a property of the schema")
    expect({"start": "Person", "type": "WORKS_AT", "end": "Company"} in schema["relationships"], True, "an edge of it")
    expect("(:Person)-[:WORKS_AT]->(:Company)" in get_schema(driver), True, "its text")


def check_vectors(driver):
    ids = driver.execute_query("MATCH (c:Chunk) RETURN elementId(c) AS id ORDER BY c.index").records
    vectors = [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    upsert_vectors(driver, [one["id"] for one in ids], "other", vectors, entity_type=EntityType.NODE)
    edges = driver.execute_query("MATCH ()-[r:FROM_CHUNK]->() RETURN elementId(r) AS id").records
    upsert_vectors(driver, [edges[0]["id"]], "e", [[0.5, 0.5]], entity_type=EntityType.RELATIONSHIP)
    found = driver.execute_query("MATCH ()-[r:FROM_CHUNK]->() RETURN r.e AS e").records
    expect(found[0]["e"], [0.5, 0.5], "a vector of a relationship")
    # With a filter a search is exact, and needs no index.
    text, parameters = get_search_query(
        search_type=SearchType.VECTOR,
        retrieval_query="RETURN node.text AS text, score",
        node_label="Chunk",
        embedding_node_property="other",
        embedding_dimension=2,
        filters={"index": {"$gte": 1}},
        neo4j_version_is_5_23_or_above=True,
    )
    parameters |= {"query_vector": [0.0, 1.0], "top_k": 1}
    found = driver.execute_query(text, parameters).records
    expect([one["text"] for one in found], ["text 2"], "the nearest chunk")
    create_vector_index(driver, "v", "Chunk", "other", 2, "cosine")
    found = VectorRetriever(driver, "v", return_properties=["text"]).search(query_vector=[0.0, 1.0], top_k=2)
    scores = [round(one.metadata["score"], 6) for one in found.items]
    expect(scores, [1.0, 0.853553], "the scores of the nearest chunks")
    expect("text 0" in found.items[0].content, True, f"the nearest chunk: {found.items[0].content}")
    drop_index_if_exists(driver, "v")


def check_history(driver):
    history = Neo4jMessageHistory("s", driver, window=2)
    history.add_messages([LLMMessage(role="user", content=f"ask {number}") for number in range(4)])
    expect([one["content"] for one in history.messages][-2:], ["ask 2", "ask 3"], "the last messages")
    history.clear(delete_session_node=True)
    expect(driver.execute_query("MATCH (m:Message) RETURN count(m)").records[0].value(), 0, "a cleared history")


def main():
    logging.disable()
    driver = neo4j.GraphDatabase.driver(f"bolt://{sys.argv[1]}", auth=("neo4j", "any"))
    driver.execute_query("MATCH (n) DETACH DELETE n")
    asyncio.run(check_graph(driver))
    check_schema(driver)
    check_vectors(driver)
    graphrag_retrievers.check_all(driver)
    check_history(driver)
    driver.execute_query("MATCH (n) DETACH DELETE n")
    driver.execute_query("DROP INDEX __entity__tmp_internal_id")
    driver.close()
    print("neo4j-graphrag", version("neo4j-graphrag"))


main()
