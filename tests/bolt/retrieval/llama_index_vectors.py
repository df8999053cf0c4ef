"""`Neo4jVectorStore` of llama-index-vector-stores-neo4jvector, as its guide has it: documents in an index, an index that is
there, both kinds of search, filters, a query of the user's; and a retriever over the property graph.
"""

from llama_index.core import Document, PropertyGraphIndex, Settings, StorageContext, VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.graph_stores.types import EntityNode, Relation
from llama_index.core.indices.property_graph import VectorContextRetriever
from llama_index.core.llms import MockLLM
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
)
from llama_index.core.vector_stores.types import VectorStoreQueryMode
from llama_index.graph_stores.neo4j import Neo4jPropertyGraphStore
from llama_index.vector_stores.neo4jvector import Neo4jVectorStore

from expecting import expect
from words import DIMENSIONS, expect_scored, nearest, vector

ESSAY = {
    "At Interleaf we made software for creating documents": {"theme": "work", "year": 1993},
    "We started a company to put art galleries online": {"theme": "work", "year": 1995},
    "Lisp is a language that I wrote a book about": {"theme": "books", "year": 1993},
    "I painted in Florence and lived in a yoghurt factory": {"theme": "art", "year": 1990},
}
QUERY = "software for documents at Interleaf"


class Words(BaseEmbedding):
    def _get_query_embedding(self, query):
        return vector(query)

    async def _aget_query_embedding(self, query):
        return vector(query)

    def _get_text_embedding(self, text):
        return vector(text)


def scored(found):
    return [(one.node.get_content(), one.score) for one in found]


def asked(store, text, count, **rest):
    """A query as an index makes it."""
    query = VectorStoreQuery(query_embedding=vector(text), query_str=text, similarity_top_k=count, **rest)
    found = store.query(query)
    return [(node.get_content(), score) for node, score in zip(found.nodes, found.similarities)]


def nodes():
    source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id="essay")}
    made = [TextNode(text=text, metadata=metadata, relationships=source) for text, metadata in ESSAY.items()]
    for node in made:
        node.embedding = vector(node.text)
    return made


def check_documents(login):
    store = Neo4jVectorStore(embedding_dimension=DIMENSIONS, **login)
    storage = StorageContext.from_defaults(vector_store=store)
    index = VectorStoreIndex.from_documents([Document(text=text) for text in ESSAY], storage_context=storage)
    found = index.as_retriever(similarity_top_k=2).retrieve(QUERY)
    expect_scored(scored(found), nearest(QUERY, ESSAY, 2), "the nearest documents")
    answer = index.as_query_engine(similarity_top_k=1).query(QUERY)
    expect(list(ESSAY)[0] in str(answer), True, f"what a model reads: {answer}")
    opened = VectorStoreIndex.from_vector_store(Neo4jVectorStore(embedding_dimension=DIMENSIONS, **login))
    opened.insert(Document(text="One more text", id_="more"))
    found = opened.as_retriever(similarity_top_k=1).retrieve("one more text")
    expect_scored(scored(found), [("One more text", 1.0)], "an inserted document")
    opened.delete_ref_doc("more", delete_from_docstore=True)
    found = scored(opened.as_retriever(similarity_top_k=9).retrieve("one more text"))
    expect((len(found), "One more text" in dict(found)), (4, False), "a deleted document")


def check_filters(login):
    store = Neo4jVectorStore(embedding_dimension=DIMENSIONS, node_label="Essay", index_name="essays", **login)
    store.add(nodes())
    expect_scored(asked(store, QUERY, 4), nearest(QUERY, ESSAY, 4), "all texts")
    eq, gt, within = FilterOperator.EQ, FilterOperator.GT, FilterOperator.IN
    for conditions, how, passes in [
        ([("theme", "work", eq)], FilterCondition.AND, lambda one: one["theme"] == "work"),
        ([("theme", "work", eq), ("year", 1994, gt)], FilterCondition.AND, lambda one: one["year"] == 1995),
        ([("theme", "art", eq), ("year", 1994, gt)], FilterCondition.OR, lambda one: one["year"] in (1990, 1995)),
        ([("theme", ["art", "books"], within)], FilterCondition.AND, lambda one: one["theme"] != "work"),
        ([("theme", "oo", FilterOperator.CONTAINS)], FilterCondition.AND, lambda one: one["theme"] == "books"),
    ]:
        filters = MetadataFilters(
            filters=[MetadataFilter(key=key, value=value, operator=operator) for key, value, operator in conditions],
            condition=how,
        )
        rest = [text for text, metadata in ESSAY.items() if passes(metadata)]
        expect_scored(asked(store, QUERY, 4, filters=filters), nearest(QUERY, rest, 4), f"texts that pass {conditions}")
    store.delete("essay")
    expect(asked(store, QUERY, 4), [], "texts of a deleted document")


def check_hybrid(login):
    hybrid = {
        "embedding_dimension": DIMENSIONS,
        "node_label": "Hybrid",
        "index_name": "likeness",
        "keyword_index_name": "words",
        **login,
    }
    store = Neo4jVectorStore(hybrid_search=True, **hybrid)
    store.add(nodes())
    found = asked(store, "yoghurt (factory): \"Florence\"?", 2)
    expect_scored(found[:1], [(list(ESSAY)[3], 1.0)], "a text by its words and its vector")
    again = Neo4jVectorStore(hybrid_search=True, **hybrid)
    best = nearest("Lisp, a language", ESSAY, 4)
    both = [(text, score / best[0][1]) for text, score in best]
    expect_scored(asked(again, "Lisp, a language", 4), both, "words and likeness together")
    own = Neo4jVectorStore(
        retrieval_query="RETURN 'Interleaf hired Tom' AS text, score, node.id AS id, {author: 'Tomaz'} AS metadata",
        **hybrid,
    )
    [found] = own.query(VectorStoreQuery(query_embedding=vector(QUERY), similarity_top_k=1)).nodes
    expect(found.get_content(), "Interleaf hired Tom", "a query of the user's")


def check_property_graph(login):
    store = Neo4jPropertyGraphStore(refresh_schema=False, **login)
    people = {"Paul Graham": "PERSON", "Interleaf": "COMPANY", "Viaweb": "COMPANY"}
    made = {name: EntityNode(name=name, label=label, embedding=vector(name)) for name, label in people.items()}
    store.upsert_nodes(list(made.values()))
    store.upsert_relations(
        [Relation(label="WORKED_AT", source_id=made["Paul Graham"].id, target_id=made["Interleaf"].id)]
    )
    index = PropertyGraphIndex.from_existing(property_graph_store=store, llm=Settings.llm, embed_model=Settings.embed_model)
    retriever = VectorContextRetriever(
        index.property_graph_store, embed_model=Settings.embed_model, similarity_top_k=1, include_text=False
    )
    found = [one.node.get_content() for one in retriever.retrieve("Interleaf")]
    expect(found, ["Paul Graham -> WORKED_AT -> Interleaf"], "what the nearest entity is part of")
    return store


def check_all(login):
    Settings.embed_model, Settings.llm = Words(model_name="words"), MockLLM()
    check_documents(login)
    check_filters(login)
    check_hybrid(login)
    graph = check_property_graph(login)
    graph.structured_query("MATCH (n) DETACH DELETE n")
    for one in graph.structured_query("SHOW INDEXES YIELD name, type WHERE type IN ['VECTOR', 'FULLTEXT'] RETURN name"):
        graph.structured_query(f"DROP INDEX {one['name']}")
    graph.close()
