"""Asks two servers the same random texts over Bolt, and shows where their answers differ, or only the first refuses.

Usage:
    MILLRACE_TEXTS_FILE=/tmp/texts MILLRACE_SEEDS=500 cargo test -p millrace-db --test it texts_are_written_for_a_peer
    peer.py /tmp/texts bolt://127.0.0.1:7687 bolt://OTHER:7687

Both databases are emptied. A line of the file is a seed, a statement that makes its graph, and texts, each with what of
its rows is determined: `false` their multiset, `true` their order too, or the columns that are.
"""

import json
import sys

import neo4j

# Some random texts have more rows than can be compared.
SECONDS_MAX = 3


def plain(value):
    """A value without what differs from server to server: elements are their own ids."""
    if isinstance(value, neo4j.graph.Node):
        return ["node", plain(dict(value))]
    if isinstance(value, neo4j.graph.Relationship):
        return ["relationship", value.type, plain(dict(value))]
    if isinstance(value, neo4j.graph.Path):
        return ["path", [plain(node) for node in value.nodes], [plain(edge) for edge in value.relationships]]
    if isinstance(value, dict):
        return {key: plain(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, float):
        return ["float", repr(value)]
    if value is None or isinstance(value, (bool, int, str)):
        return value
    # Points, dates, times, durations.
    return [type(value).__name__, str(value)]


def answer(session, graph, text, fixed):
    session.run("MATCH (n) DETACH DELETE n").consume()
    if graph:
        session.run(graph).consume()
    try:
        rows = [[plain(value) for value in record.values()] for record in session.run(neo4j.Query(text, timeout=SECONDS_MAX))]
    except neo4j.exceptions.Neo4jError as error:
        if "TimedOut" in error.code or "OutOfMemory" in error.code:
            return ("slow",)
        return ("error", error.code, str(error.message)[:200])
    if isinstance(fixed, list):
        rows = [[row[column] for column in fixed] for row in rows]
    rows = [json.dumps(row, sort_keys=True) for row in rows]
    left = session.run(
        "MATCH (n) OPTIONAL MATCH (n)-[r]->(m) RETURN labels(n) AS l, properties(n) AS p, type(r) AS t,"
        " properties(r) AS q, m.id AS m"
    )
    left = sorted(
        json.dumps([sorted(record[0]), *(plain(value) for value in record.values()[1:])], sort_keys=True)
        for record in left
    )
    return ("rows", rows if fixed is True else sorted(rows), left)


def main(file, *urls):
    sessions = [neo4j.GraphDatabase.driver(url, auth=("neo4j", "neo4j")).session() for url in urls]
    asked = different = refused = accepted = slow = 0
    for line in open(file, encoding="utf-8"):
        seed, graph, texts = json.loads(line)
        for text, fixed in texts:
            answers = [answer(session, graph, text, fixed) for session in sessions]
            asked += 1
            kinds = [given[0] for given in answers]
            if "slow" in kinds:
                slow += 1
            elif kinds == ["error", "error"]:
                refused += 1
            elif kinds == ["rows", "error"]:
                # What the second refuses may be its bound alone: counted by reason.
                accepted += 1
                print("refused by the second:", answers[1][1:], file=sys.stderr)
            elif answers[0] != answers[1]:
                different += 1
                print(f"seed {seed}\n{graph};\n{text};")
                for url, given in zip(urls, answers):
                    print(f"  {url} {given}")
                print(flush=True)
    print(json.dumps({"asked": asked, "different": different, "refused by both": refused, "by the second": accepted, "slow": slow}))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
