"""langchain-neo4j as its users run it: graph, vectors, chat history, and checkpoints of langgraph. It ends with 1 at the
first answer that is wrong.

Usage: langchain_stores.py HOST:PORT.
"""

import sys
from importlib.metadata import version

import neo4j
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.messages import AIMessage, HumanMessage
from langchain_neo4j import Neo4jChatMessageHistory, Neo4jGraph, Neo4jVector
from langchain_neo4j.checkpoint import Neo4jSaver
from langchain_neo4j.graphs.graph_document import GraphDocument, Node, Relationship
from langgraph.checkpoint.base import empty_checkpoint

import langchain_vectors
from expecting import expect


class Lengths(Embeddings):
    """Two numbers of a text."""

    def embed_documents(self, texts):
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text):
        return [float(len(text)), float(text.count("a"))]


def documents(source):
    ann, bob = Node(id="ann", type="Person", properties={"age": 30}), Node(id="bob", type="Person")
    acme = Node(id="acme", type="Company", properties={"tags": ["a", "b"]})
    edges = [
        Relationship(source=ann, target=bob, type="knows well", properties={"since": 1999}),
        Relationship(source=bob, target=acme, type="WORKS_AT"),
    ]
    return [GraphDocument(nodes=[ann, bob, acme], relationships=edges, source=source)]


def check_graph(settings):
    graph = Neo4jGraph(**settings)
    graph.query("MATCH (n) DETACH DELETE n")
    expect(graph.query("RETURN $x AS x", {"x": [1, {"a": None}]}), [{"x": [1, {"a": None}]}], "a query")
    for has_label in [False, True]:
        source = Document(page_content="Ann knows Bob.", metadata={"id": "d"})
        for _ in range(2):
            graph.add_graph_documents(documents(source), include_source=True, baseEntityLabel=has_label)
        count = "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS nodes, count(r) AS edges"
        expect(graph.query(count), [{"nodes": 4, "edges": 5}], "documents that are added twice")
        knows = "MATCH (:Person {id: 'ann'})-[r:KNOWS_WELL]->(b) RETURN r.since AS since, b.id AS id"
        expect(graph.query(knows), [{"since": 1999, "id": "bob"}], "a relationship")
        graph.refresh_schema()
        schema = graph.get_structured_schema
        age = [one for one in schema["node_props"]["Person"] if one["property"] == "age"]
        expect(age, [{"property": "age", "type": "INTEGER"}], "a property of the schema")
        expect(schema["rel_props"], {"KNOWS_WELL": [{"property": "since", "type": "INTEGER"}]}, "of an edge")
        pair = {"start": "Person", "type": "WORKS_AT", "end": "Company"}
        expect(pair in schema["relationships"], True, "a relationship of the schema")
        graph.query("MATCH (n) DETACH DELETE n")
    graph.add_graph_documents(documents(Document(page_content="x")))
    enhanced = Neo4jGraph(**settings, enhanced_schema=True)
    age = [one for one in enhanced.get_structured_schema["node_props"]["Person"] if one["property"] == "age"]
    expect((age[0]["min"], age[0]["max"], age[0]["distinct_count"]), ("30", "30", 1), "an enhanced schema")
    expect("KNOWS_WELL" in enhanced.get_schema, True, "its text")
    graph.query("MATCH (n) DETACH DELETE n")
    graph.query("DROP CONSTRAINT " + graph.query("SHOW CONSTRAINTS YIELD name")[0]["name"])


def check_vectors(settings):
    store = Neo4jVector(Lengths(), **settings)
    graph = Neo4jGraph(**settings)
    store.add_texts(["aaaa", "bbbb", "a"], [{"n": 1}, {"n": 2}, {"n": 3}], ids=["1", "2", "3"])
    store.add_texts(["aaaa"], [{"n": 1}], ids=["1"])
    found = graph.query("MATCH (c:Chunk) RETURN c.text AS text, c.embedding AS e ORDER BY c.n LIMIT 1")
    expect(found, [{"text": "aaaa", "e": [4.0, 4.0]}], "texts with vectors")
    nearest = store.similarity_search_with_score("aa", k=1, filter={"n": {"$lt": 3}})
    expect([(one.page_content, round(score, 6)) for one, score in nearest], [("aaaa", 1.0)], "the nearest text")
    expect(store.retrieve_existing_index(), None, "an index that is not there")
    store.create_new_index()
    expect(store.retrieve_existing_index(), (2, "NODE"), "the index that was made")
    nearest = store.similarity_search_with_score("aa", k=2)
    found = sorted((one.page_content, round(score, 6)) for one, score in nearest)
    expect(found, [("a", 1.0), ("aaaa", 1.0)], "the nearest texts by the index")
    graph.query("MATCH (n) DETACH DELETE n")
    store = Neo4jVector.from_documents([Document("yaya"), Document("zzzz")], Lengths(), **settings)
    expect([one.page_content for one in store.similarity_search("zz", k=1)], ["zzzz"], "documents, found by the index")
    graph.query("MATCH (n) DETACH DELETE n")
    graph.query("DROP INDEX vector")


def check_chat(settings):
    history = Neo4jChatMessageHistory(session_id="s", window=2, **settings)
    for number in range(3):
        history.add_messages([HumanMessage(f"ask {number}"), AIMessage(f"say {number}")])
    said = [(message.type, message.content) for message in history.messages]
    expected = [("human", "ask 1"), ("ai", "say 1"), ("human", "ask 2"), ("ai", "say 2")]
    expect(said[-4:], expected, "the last messages")
    history.clear()
    expect(history.messages, [], "a cleared history")
    history.add_message(HumanMessage("again"))
    history.clear(delete_session_node=True)
    graph = Neo4jGraph(**settings)
    expect(graph.query("MATCH (n) RETURN count(n) AS n"), [{"n": 0}], "a deleted history")


def check_checkpoints(settings):
    driver = neo4j.GraphDatabase.driver(settings["url"], auth=(settings["username"], settings["password"]))
    with Neo4jSaver(driver) as saver:
        saver.setup()
        saver.setup()
        config = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
        for step in range(3):
            checkpoint = empty_checkpoint()
            checkpoint["channel_values"] = {"messages": [f"step {step}"]}
            checkpoint["channel_versions"] = {"messages": f"{step + 1}"}
            made = saver.put(config, checkpoint, {"source": "loop", "step": step}, {"messages": f"{step + 1}"})
            saver.put_writes(made, [("messages", f"pending {step}")], task_id="task")
            config = made
        latest = saver.get_tuple({"configurable": {"thread_id": "t", "checkpoint_ns": ""}})
        expect(latest.checkpoint["channel_values"], {"messages": ["step 2"]}, "the latest checkpoint")
        expect([one[1:] for one in latest.pending_writes], [("messages", "pending 2")], "its writes")
        expect(latest.metadata["step"], 2, "its metadata")
        earlier = saver.get_tuple(latest.parent_config)
        expect(earlier.checkpoint["channel_values"], {"messages": ["step 1"]}, "the one before")
        steps = [one.metadata["step"] for one in saver.list({"configurable": {"thread_id": "t"}}, limit=2)]
        expect(steps, [2, 1], "the list of checkpoints")
        saver.delete_thread("t")
        expect(saver.get_tuple({"configurable": {"thread_id": "t", "checkpoint_ns": ""}}), None, "a deleted thread")
    driver.execute_query("MATCH (n) DETACH DELETE n")
    driver.close()


def main():
    settings = {"url": f"bolt://{sys.argv[1]}", "username": "neo4j", "password": "any"}
    check_graph(settings)
    check_vectors(settings)
    langchain_vectors.check_all(settings)
    check_chat(settings)
    check_checkpoints(settings)
    print("langchain-neo4j", version("langchain-neo4j"))


main()
