"""graphiti-core as its users run it, without a language model: its indexes, nodes, edges, groups, bulk writes, searches by
words, vectors and hops. It ends with 1 at the first answer that is wrong.

Usage: graphiti.py HOST:PORT.
"""

import asyncio
import logging
import sys
from datetime import datetime, timedelta, timezone
from importlib.metadata import version

from graphiti_core.driver.neo4j_driver import Neo4jDriver
from graphiti_core.edges import CommunityEdge, EntityEdge, EpisodicEdge, HasEpisodeEdge, NextEpisodeEdge
from graphiti_core.errors import NodeNotFoundError
from graphiti_core.graph_queries import get_fulltext_indices, get_range_indices
from graphiti_core.nodes import CommunityNode, EntityNode, EpisodeType, EpisodicNode, SagaNode
from graphiti_core.search.search_filters import ComparisonOperator, DateFilter, SearchFilters
from graphiti_core.utils.bulk_utils import add_nodes_and_edges_bulk
from graphiti_core.utils.maintenance.graph_data_operations import clear_data, retrieve_episodes

import graphiti_words
from expecting import expect

NOW = datetime(2024, 5, 1, 12, 30, 0, 123456, tzinfo=timezone.utc)
GROUP = "g"


def names(found):
    return sorted(one.name for one in found)


def episode(number):
    return EpisodicNode(
        name=f"episode {number}",
        group_id=GROUP,
        source=EpisodeType.message,
        source_description="chat",
        content=f"Ann says {number}",
        created_at=NOW,
        valid_at=NOW + timedelta(days=number),
        entity_edges=[],
    )


def entity(name, vector, **attributes):
    return EntityNode(
        name=name,
        group_id=GROUP,
        labels=["Person"],
        created_at=NOW,
        summary=f"about {name}",
        name_embedding=vector,
        attributes=attributes,
    )


def fact(source, target, name, vector):
    return EntityEdge(
        group_id=GROUP,
        source_node_uuid=source.uuid,
        target_node_uuid=target.uuid,
        created_at=NOW,
        name=name,
        fact=f"{source.name} {name} {target.name}",
        fact_embedding=vector,
        episodes=["e"],
        valid_at=NOW,
    )


async def check_elements(driver):
    first, second = episode(1), episode(2)
    ann, bob = entity("Ann", [1.0, 0.0], age=30), entity("Bob", [0.0, 1.0])
    knows = fact(ann, bob, "KNOWS", [1.0, 1.0])
    for _ in range(2):
        for one in [first, second, ann, bob, knows]:
            await one.save(driver)
    found = await EntityNode.get_by_uuid(driver, ann.uuid)
    expect((found.name, found.attributes, found.created_at), ("Ann", {"age": 30}, NOW), "a node")
    expect(sorted(found.labels), ["Entity", "Person"], "its labels")
    await found.load_name_embedding(driver)
    expect(found.name_embedding, [1.0, 0.0], "its vector")
    [found] = await EntityEdge.get_between_nodes(driver, ann.uuid, bob.uuid)
    expect((found.fact, found.valid_at, found.expired_at), ("Ann KNOWS Bob", NOW, None), "an edge between nodes")
    found = await EntityEdge.get_by_node_uuid(driver, bob.uuid)
    expect(names(found), ["KNOWS"], "edges of a node")
    mentions = EpisodicEdge(
        group_id=GROUP, source_node_uuid=first.uuid, target_node_uuid=ann.uuid, created_at=NOW
    )
    await mentions.save(driver)
    found = await EpisodicNode.get_by_entity_node_uuid(driver, ann.uuid)
    expect([one.uuid for one in found], [first.uuid], "episodes of a node")
    community = CommunityNode(name="both", group_id=GROUP, created_at=NOW, name_embedding=[1.0, 0.0])
    await community.save(driver)
    member = CommunityEdge(
        group_id=GROUP, source_node_uuid=community.uuid, target_node_uuid=ann.uuid, created_at=NOW
    )
    await member.save(driver)
    expect(names(await CommunityNode.get_by_group_ids(driver, [GROUP])), ["both"], "communities of a group")
    saga = SagaNode(name="talk", group_id=GROUP, created_at=NOW)
    await saga.save(driver)
    for one in [first, second]:
        edge = HasEpisodeEdge(
            group_id=GROUP, source_node_uuid=saga.uuid, target_node_uuid=one.uuid, created_at=NOW
        )
        await edge.save(driver)
    edge = NextEpisodeEdge(
        group_id=GROUP, source_node_uuid=first.uuid, target_node_uuid=second.uuid, created_at=NOW
    )
    await edge.save(driver)
    found = await retrieve_episodes(driver, NOW + timedelta(days=9), last_n=5, group_ids=[GROUP], saga="talk")
    expect([one.name for one in found], ["episode 1", "episode 2"], "episodes of a saga")
    found = await retrieve_episodes(
        driver, NOW + timedelta(days=1), group_ids=[GROUP], source=EpisodeType.message
    )
    expect([one.name for one in found], ["episode 1"], "episodes up to a moment")
    return ann, bob, first


async def check_searches(driver, ann, bob, first):
    search, plain = driver.search_ops, SearchFilters()
    found = await search.node_similarity_search(driver, [1.0, 0.1], plain, [GROUP])
    expect([one.name for one in found], ["Ann"], "the nearest nodes")
    found = await search.node_similarity_search(driver, [1.0, 0.1], plain, [GROUP], min_score=0.1)
    expect([one.name for one in found], ["Ann", "Bob"], "near nodes in their order")
    date = DateFilter(date=NOW, comparison_operator=ComparisonOperator.less_than_equal)
    filters = SearchFilters(edge_types=["KNOWS"], node_labels=["Person"], valid_at=[[date]])
    found = await search.edge_similarity_search(driver, [1.0, 1.0], ann.uuid, bob.uuid, filters, [GROUP])
    expect(names(found), ["KNOWS"], "the nearest edges")
    found = await search.community_similarity_search(driver, [1.0, 0.0], [GROUP])
    expect(names(found), ["both"], "the nearest communities")
    found = await search.node_bfs_search(driver, [first.uuid], plain, 2, [GROUP])
    expect(names(found), ["Ann", "Bob"], "nodes within two hops")
    found = await search.edge_bfs_search(driver, [first.uuid], 2, plain, [GROUP])
    expect(names(found), ["KNOWS"], "edges within two hops")
    found = await search.node_distance_reranker(driver, [bob.uuid, ann.uuid], ann.uuid)
    expect([one.name for one in found], ["Ann", "Bob"], "nodes by their distance")
    found = await search.episode_mentions_reranker(driver, [ann.uuid])
    expect(names(found), ["Ann"], "nodes by their mentions")
    clusters = await driver.graph_ops.get_community_clusters(driver)
    expect([names(one) for one in clusters], [["Ann", "Bob"]], "clusters")
    found = await driver.graph_ops.get_communities_by_nodes(driver, [ann, bob])
    expect(names(found), ["both"], "communities of nodes")


async def check_bulk(driver):
    episodes = [episode(number) for number in range(3)]
    nodes = [entity(f"node {number}", [float(number), 1.0]) for number in range(250)]
    edges = [fact(nodes[0], node, "SEES", [1.0, 1.0]) for node in nodes[1:]]
    mentions = [
        EpisodicEdge(group_id=GROUP, source_node_uuid=episodes[0].uuid, target_node_uuid=node.uuid, created_at=NOW)
        for node in nodes
    ]
    for _ in range(2):
        await add_nodes_and_edges_bulk(driver, episodes, mentions, nodes, edges, None)
    count = "MATCH (n) WITH count(n) AS nodes MATCH ()-[r]->() RETURN nodes, count(r) AS edges"
    records, _, _ = await driver.execute_query(count)
    expect(records[0].values(), [253, 499], "nodes and edges in bulk")
    page = await EntityNode.get_by_group_ids(driver, [GROUP], limit=100)
    rest = await EntityNode.get_by_group_ids(driver, [GROUP], limit=1000, uuid_cursor=page[-1].uuid)
    expect((len(page), len(rest)), (100, 150), "pages of a group")
    async with driver.transaction() as transaction:
        await driver.entity_edge_ops.delete(driver, edges[1], tx=transaction)
    await EntityEdge.delete_by_uuids(driver, [edges[5].uuid])
    await EntityNode.delete_by_group_id(driver, GROUP)
    try:
        await EntityNode.get_by_uuid(driver, nodes[0].uuid)
        sys.exit("a node of a deleted group was found")
    except NodeNotFoundError:
        pass


async def run():
    driver = Neo4jDriver(f"bolt://{sys.argv[1]}", "neo4j", "any")
    # The driver makes its indexes when it begins; a user makes them, too.
    await asyncio.gather(driver._init_task, driver.build_indices_and_constraints())
    await driver.build_indices_and_constraints()
    for kind, made in [("RANGE", get_range_indices), ("FULLTEXT", get_fulltext_indices)]:
        records, _, _ = await driver.execute_query(f"SHOW {kind} INDEXES YIELD name RETURN count(name)")
        expect(records[0].values(), [len(made(driver.provider))], f"indexes: {kind}")
    await driver.health_check()
    await clear_data(driver)
    await check_searches(driver, *await check_elements(driver))
    await clear_data(driver, [GROUP])
    await check_bulk(driver)
    await clear_data(driver)
    await graphiti_words.check_all(driver)
    await clear_data(driver)
    await driver.close()
    print("graphiti-core", version("graphiti-core"))


logging.disable()
asyncio.run(run())
