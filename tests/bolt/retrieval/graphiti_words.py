"""What graphiti-core's quick start searches: facts, nodes, episodes and communities, by words, by vectors, and by both.
Its vectors and its order of passages come from words, not from a model.
"""

from datetime import datetime, timezone

from graphiti_core import Graphiti
from graphiti_core.cross_encoder.client import CrossEncoderClient
from graphiti_core.edges import CommunityEdge, EntityEdge, EpisodicEdge
from graphiti_core.embedder.client import EmbedderClient
from graphiti_core.llm_client.client import LLMClient
from graphiti_core.nodes import CommunityNode, EntityNode, EpisodeType, EpisodicNode
from graphiti_core.search.search_config_recipes import (
    COMBINED_HYBRID_SEARCH_CROSS_ENCODER,
    COMBINED_HYBRID_SEARCH_MMR,
    COMBINED_HYBRID_SEARCH_RRF,
    EDGE_HYBRID_SEARCH_EPISODE_MENTIONS,
    NODE_HYBRID_SEARCH_RRF,
)
from graphiti_core.search.search_filters import SearchFilters
from graphiti_core.search.search_utils import get_relevant_edges, get_relevant_nodes, hybrid_node_search

from expecting import expect
from words import likeness, vector

NOW = datetime(2024, 5, 1, 12, 30, tzinfo=timezone.utc)
GROUP, OTHER = "office", "o-2_B"


class Words(EmbedderClient):
    async def create(self, input_data):
        return vector(input_data if isinstance(input_data, str) else input_data[0])

    async def create_batch(self, input_data_list):
        return [vector(text) for text in input_data_list]


class Likeness(CrossEncoderClient):
    async def rank(self, query, passages):
        return sorted(((text, likeness(query, text)) for text in passages), key=lambda one: -one[1])


class NoModel(LLMClient):
    async def _generate_response(self, *_, **__):
        raise NotImplementedError("no model is asked here")


NODES = {
    "Kamala Harris": "Attorney General of California, and a senator",
    "Gavin Newsom": "Governor of California, mayor of San Francisco",
    "California": "a state in the west",
}
FACTS = [
    ("Kamala Harris", "HOLDS_OFFICE", "California", "Kamala Harris was the Attorney General of California"),
    ("Gavin Newsom", "GOVERNS", "California", "Gavin Newsom is the governor of California since 2019"),
    ("Kamala Harris", "KNOWS", "Gavin Newsom", "Kamala Harris knows Gavin Newsom from San Francisco"),
]
EPISODES = ["Kamala Harris is the Attorney General of California.", "As AG, she was in office until 2017: (a note)."]


async def fill(graphiti, group):
    driver, embedder = graphiti.driver, graphiti.embedder
    nodes = {
        name: EntityNode(name=name, group_id=group, labels=["Entity"], created_at=NOW, summary=summary)
        for name, summary in NODES.items()
    }
    for node in nodes.values():
        await node.generate_name_embedding(embedder)
        await node.save(driver)
    episodes = [
        EpisodicNode(
            name=f"Freakonomics Radio {number}",
            group_id=group,
            source=EpisodeType.text,
            source_description="podcast transcript",
            content=content,
            created_at=NOW,
            valid_at=NOW,
            entity_edges=[],
        )
        for number, content in enumerate(EPISODES)
    ]
    for episode in episodes:
        await episode.save(driver)
    edges = []
    for source, name, target, fact in FACTS:
        edge = EntityEdge(
            group_id=group,
            source_node_uuid=nodes[source].uuid,
            target_node_uuid=nodes[target].uuid,
            created_at=NOW,
            name=name,
            fact=fact,
            episodes=[episodes[0].uuid],
        )
        await edge.generate_embedding(embedder)
        await edge.save(driver)
        edges.append(edge)
    for node in nodes.values():
        mention = EpisodicEdge(
            group_id=group, source_node_uuid=episodes[0].uuid, target_node_uuid=node.uuid, created_at=NOW
        )
        await mention.save(driver)
    community = CommunityNode(name="Politicians of California", group_id=group, created_at=NOW, summary="")
    await community.generate_name_embedding(embedder)
    await community.save(driver)
    member = CommunityEdge(
        group_id=group, source_node_uuid=community.uuid, target_node_uuid=nodes["Gavin Newsom"].uuid, created_at=NOW
    )
    await member.save(driver)
    return nodes, edges


def names(found):
    return [one.name for one in found]


async def check_words(driver):
    search, plain = driver.search_ops, SearchFilters()
    found = await search.node_fulltext_search(driver, "governor", plain, [GROUP])
    expect((names(found), found[0].group_id), (["Gavin Newsom"], GROUP), "a node by a word of its summary")
    found = await search.node_fulltext_search(driver, "mayor OR state?", plain, [GROUP], limit=5)
    expect(sorted(names(found)), ["California", "Gavin Newsom"], "words with signs that mean nothing")
    # The library asks for `a OR b AND (words)`, where Lucene requires what is beside the AND: the last group.
    found = await search.node_fulltext_search(driver, "governor", plain, [GROUP, OTHER])
    expect([one.group_id for one in found], [OTHER], "nodes of the last of two groups")
    expect(len(await search.node_fulltext_search(driver, "governor", plain)), 2, "nodes of all groups")
    expect(await search.node_fulltext_search(driver, "governor", plain, ["none"]), [], "nodes of a group that is empty")
    found = await search.edge_fulltext_search(driver, "Who was the Attorney General?", plain, [GROUP])
    expect(names(found)[0], "HOLDS_OFFICE", "a fact by its words")
    found = await search.edge_fulltext_search(driver, "governs", SearchFilters(edge_types=["KNOWS"]), [GROUP])
    expect(names(found), [], "a fact of another type")
    found = await search.edge_fulltext_search(driver, 'knows AND NOT "/(a+b)*[c]^~{d}!&&||\\', plain, [GROUP])
    expect(names(found)[0], "KNOWS", "a fact, where every sign is escaped")
    found = await search.episode_fulltext_search(driver, "transcript, until 2017", plain, [OTHER], limit=1)
    expect([(one.name, one.group_id) for one in found], [("Freakonomics Radio 1", OTHER)], "an episode by its words")
    found = await search.community_fulltext_search(driver, "politicians", [GROUP])
    expect([(one.name, one.group_id) for one in found], [("Politicians of California", GROUP)], "a community")


async def check_both(graphiti, nodes, edges):
    driver, plain = graphiti.driver, SearchFilters()
    query = "Who was the California Attorney General?"
    found = await graphiti.search(query, group_ids=[GROUP])
    expect([one.fact for one in found], [FACTS[0][3], FACTS[1][3]], "facts by words and vectors")
    found = await graphiti.search(query, center_node_uuid=nodes["Gavin Newsom"].uuid, group_ids=[GROUP], num_results=2)
    expect(all(one.group_id == GROUP for one in found) and len(found) == 2, True, "facts near a node")
    config = NODE_HYBRID_SEARCH_RRF.model_copy(deep=True)
    config.limit = 2
    found = await graphiti.search_("California Governor", config=config, group_ids=[GROUP])
    expect(names(found.nodes), ["California", "Gavin Newsom"], "nodes by words and vectors")
    for recipe in [COMBINED_HYBRID_SEARCH_RRF, COMBINED_HYBRID_SEARCH_MMR, COMBINED_HYBRID_SEARCH_CROSS_ENCODER]:
        found = await graphiti.search_("Kamala Harris California politicians note", recipe, group_ids=[GROUP])
        expect(names(found.nodes)[0], "Kamala Harris", "the first node of all kinds")
        first = found.edges[0].fact
        expect(first in [FACTS[0][3], FACTS[2][3]], True, f"the first fact of all kinds: {first}")
        expect(sorted(names(found.episodes)), ["Freakonomics Radio 0", "Freakonomics Radio 1"], "episodes of all kinds")
        expect(names(found.communities), ["Politicians of California"], "communities of all kinds")
    found = await graphiti.search_("San Francisco", EDGE_HYBRID_SEARCH_EPISODE_MENTIONS, group_ids=[GROUP])
    expect(names(found.edges)[0], "KNOWS", "facts by the episodes that mention them")
    found = await hybrid_node_search(["Gavin", "Newsom"], [vector("Gavin Newsom")], driver, plain, [GROUP])
    expect(names(found)[0], "Gavin Newsom", "a node by several queries")
    asked = [nodes["California"], nodes["Gavin Newsom"]]
    found = await get_relevant_nodes(driver, asked, plain)
    expect([names(one)[0] for one in found], ["California", "Gavin Newsom"], "nodes that are like nodes")
    found = await get_relevant_edges(driver, edges, plain)
    expect([names(one) for one in found], [[edge.name] for edge in edges], "facts that are like facts")


async def check_all(driver):
    graphiti = Graphiti(
        graph_driver=driver, llm_client=NoModel(None), embedder=Words(), cross_encoder=Likeness()
    )
    await graphiti.build_indices_and_constraints()
    await fill(graphiti, OTHER)
    nodes, edges = await fill(graphiti, GROUP)
    await check_words(driver)
    await check_both(graphiti, nodes, edges)
