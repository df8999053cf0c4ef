"""The retrievers of neo4j-graphrag over both indexes, as its guide makes and asks them. The texts of the queries are what
a person would write: no special character is taken out before.
"""

import ast

from neo4j_graphrag.embeddings.base import Embedder
from neo4j_graphrag.exceptions import Neo4jIndexError, SearchQueryParseError
from neo4j_graphrag.generation import GraphRAG
from neo4j_graphrag.indexes import (
    create_fulltext_index,
    create_vector_index,
    drop_index_if_exists,
    retrieve_fulltext_index_info,
    retrieve_vector_index_info,
    upsert_vectors,
)
from neo4j_graphrag.llm.base import LLMInterface
from neo4j_graphrag.llm.types import LLMResponse
from neo4j_graphrag.retrievers import (
    HybridCypherRetriever,
    HybridRetriever,
    VectorCypherRetriever,
    VectorRetriever,
)
from neo4j_graphrag.types import EntityType, RetrieverResultItem

from expecting import expect, refused
from words import DIMENSIONS, expect_scored, nearest, vector

PLOTS = {
    "Paul leads the Fremen on the desert planet Arrakis": ("Dune", "Frank Herbert", 1965),
    "The heir of Paul becomes a worm and rules the planet": ("God Emperor of Dune", "Frank Herbert", 1981),
    "A captain hunts the white whale that took his leg": ("Moby-Dick", "Herman Melville", 1851),
    "Scientists study an ocean that thinks, on a planet far away": ("Solaris", "Stanisław Lem", 1961),
}
VECTORS, WORDS = "plot-embeddings", "plot words"


class Words(Embedder):
    def embed_query(self, text):
        return vector(text)


class Echo(LLMInterface):
    """What it reads is its answer."""

    def __init__(self):
        super().__init__(model_name="echo")

    def invoke(self, input, message_history=None, system_instruction=None):
        return LLMResponse(content=input)

    async def ainvoke(self, input, message_history=None, system_instruction=None):
        return self.invoke(input)


def plots(found):
    return [(one.metadata["plot"], one.metadata["score"]) for one in found.items]


def node(item):
    """The properties that the library writes as a text."""
    return ast.literal_eval(item.content)


def nodes(found):
    return [(node(one)["plot"], one.metadata["score"]) for one in found.items]


def shown(record):
    return RetrieverResultItem(content=record["title"], metadata={"plot": record["plot"], "score": record["score"]})


def check_indexes(driver):
    for _ in range(2):
        create_vector_index(driver, VECTORS, "Book", "plotEmbedding", DIMENSIONS, "cosine")
        create_fulltext_index(driver, WORDS, "Book", ["plot", "title"])
    book = ["Book", "plotEmbedding", DIMENSIONS, "cosine"]
    for make in [
        lambda: create_vector_index(driver, VECTORS, *book, fail_if_exists=True),
        lambda: create_fulltext_index(driver, WORDS, "Book", ["plot", "title"], fail_if_exists=True),
    ]:
        refused("an index that is there", Neo4jIndexError, make)
    found = retrieve_vector_index_info(driver, VECTORS, "Book", "plotEmbedding")
    covers = (found["type"], found["entityType"], found["labelsOrTypes"], found["properties"])
    expect(covers, ("VECTOR", "NODE", ["Book"], ["plotEmbedding"]), "the vector index")
    config = found["options"]["indexConfig"]
    size = (config["vector.dimensions"], config["vector.similarity_function"].lower())
    expect(size, (DIMENSIONS, "cosine"), "its options")
    found = retrieve_fulltext_index_info(driver, "another name", "Book", ["plot", "title"])
    expect((found["name"], found["properties"]), (WORDS, ["plot", "title"]), "the index of words, by its properties")


def fill(driver):
    rows = [
        {"plot": plot, "title": title, "author": author, "year": year}
        for plot, (title, author, year) in PLOTS.items()
    ]
    made, _, _ = driver.execute_query(
        "UNWIND $rows AS row MERGE (a:Author {name: row.author}) "
        "CREATE (b:Book {plot: row.plot, title: row.title, year: row.year})-[:AUTHORED_BY]->(a) "
        "RETURN elementId(b) AS id, b.plot AS plot",
        {"rows": rows},
    )
    ids, vectors = [one["id"] for one in made], [vector(one["plot"]) for one in made]
    upsert_vectors(driver, ids, "plotEmbedding", vectors, entity_type=EntityType.NODE)
    driver.execute_query("CALL db.awaitIndexes(60)")


def check_vectors(driver):
    query = "Fremen on the desert planet Arrakis"
    retriever = VectorRetriever(driver, VECTORS, Words(), return_properties=["plot", "title"])
    found = retriever.search(query_text=query, top_k=2)
    best = nearest(query, PLOTS, 2)
    expect(node(found.items[0]), {"plot": best[0][0], "title": "Dune"}, "the nearest book")
    expect([one.metadata["nodeLabels"] for one in found.items], [["Book"]] * 2, "labels")
    expect_scored(nodes(found), best, "the scores of the nearest books")
    found = retriever.search(query_vector=vector("whale"), top_k=4, filters={"year": {"$gt": 1900}})
    rest = [plot for plot, book in PLOTS.items() if 1900 < book[2]]
    expect_scored(nodes(found), nearest("whale", rest, 3), "the nearest books of a century")
    retriever = VectorCypherRetriever(
        driver,
        VECTORS,
        "MATCH (node)-[:AUTHORED_BY]->(a:Author) WHERE a.name <> $not "
        "RETURN node.title AS title, node.plot AS plot, a.name AS author, score",
        Words(),
        result_formatter=shown,
    )
    found = retriever.search(query_text=query, top_k=4, query_params={"not": "Herman Melville"})
    others = [one for one in nearest(query, PLOTS, 4) if PLOTS[one[0]][1] != "Herman Melville"]
    expect_scored(plots(found), others, "books of other authors")
    error = refused(
        "an index that is not there",
        Exception,
        lambda: VectorRetriever(driver, "none", Words()).search(query_text=query),
    )
    expect("none" in str(error), True, f"its error: {error}")


def hybrid(query, words, ranker=None, alpha=None):
    """What a hybrid search has to find: each search's scores over its best, by the greater or by a weighed sum."""
    likes = nearest(query, PLOTS, 4)
    best = {plot: score / likes[0][1] for plot, score in likes}
    top = max(words.values())
    worded = {plot: score / top for plot, score in words.items()}
    if ranker:
        both = {plot: alpha * best[plot] + (1 - alpha) * worded.get(plot, 0.0) for plot in best}
    else:
        both = {plot: max(best[plot], worded.get(plot, 0.0)) for plot in best}
    return sorted(both.items(), key=lambda one: -one[1])


def by_words(driver, query):
    """The scores of the index of words."""
    found, _, _ = driver.execute_query(
        "CALL db.index.fulltext.queryNodes($index, $query, {limit: 4}) YIELD node, score "
        "RETURN node.plot AS plot, score",
        {"index": WORDS, "query": query},
    )
    return {one["plot"]: one["score"] for one in found}


def check_hybrid(driver):
    query = "Who leads the Fremen, and where is the ocean that thinks?"
    words = by_words(driver, query)
    expect(set(words) >= {list(PLOTS)[0], list(PLOTS)[3]}, True, f"books with the words: {words}")
    retriever = HybridRetriever(driver, VECTORS, WORDS, Words(), return_properties=["plot", "title"])
    expect_scored(nodes(retriever.search(query_text=query, top_k=4)), hybrid(query, words), "by words and vectors")
    refused("signs that are no query", SearchQueryParseError, lambda: retriever.search(query_text="AND (Fremen"))
    found = retriever.search(query_text=query, top_k=4, ranker="linear", alpha=0.3)
    expect_scored(nodes(found), hybrid(query, words, "linear", 0.3), "by a weighed sum")
    other = {"query_text": "whale", "query_vector": vector(query), "effective_search_ratio": 2}
    found = retriever.search(top_k=4, ranker="linear", alpha=0.7, **other)
    expected = hybrid(query, by_words(driver, "whale"), "linear", 0.7)
    expect_scored(nodes(found), expected, "words and a vector of another text")
    retriever = HybridCypherRetriever(
        driver,
        VECTORS,
        WORDS,
        "MATCH (node)-[:AUTHORED_BY]->(author:Author)<-[:AUTHORED_BY]-(other:Book) "
        "RETURN other.title AS title, other.plot AS plot, author.name AS author, score",
        Words(),
        result_formatter=shown,
    )
    found = retriever.search(query_text="Paul leads the Fremen on Arrakis", top_k=1)
    expect([one.content for one in found.items], ["God Emperor of Dune"], "another book of the author")
    whole = HybridRetriever(driver, VECTORS, WORDS, Words()).search(query_text="Paul leads the Fremen", top_k=1)
    content = whole.items[0].content
    expect("plotEmbedding': None" in content, True, f"a node without its vector: {content}")
    rag = GraphRAG(retriever=VectorRetriever(driver, VECTORS, Words(), return_properties=["title"]), llm=Echo())
    answer = rag.search(query_text="Who hunts the white whale?", retriever_config={"top_k": 1}).answer
    expect("Moby-Dick" in answer and "Solaris" not in answer, True, f"what a model reads: {answer}")


def check_all(driver):
    driver.execute_query("MATCH (n) DETACH DELETE n")
    check_indexes(driver)
    fill(driver)
    check_vectors(driver)
    check_hybrid(driver)
    for name in [VECTORS, WORDS, WORDS]:
        drop_index_if_exists(driver, name)
    count = "SHOW INDEXES YIELD type WHERE type IN ['VECTOR', 'FULLTEXT'] RETURN count(*) AS n"
    expect(driver.execute_query(count).records[0]["n"], 0, "indexes that are left")
    driver.execute_query("MATCH (n) DETACH DELETE n")
