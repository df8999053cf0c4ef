"""The queries of the checks, by language: the answers are the same."""

QUERIES = {
    "gremlin": {
        "give": "g.inject(x)",
        "many": "g.inject(1).repeat(__.union(__.identity(), __.identity())).times(12)",
        "person": "g.addV('person').property('name', name)",
        "knows": "g.addV('person').property('name', 'ann').as('a').addV('person').property('name', 'bob').as('b')"
        ".addE('knows').from('a').to('b').property('since', 1999)",
        "count": "g.V().count()",
        "set": "g.V().property('n', n)",
        "node": "g.V().has('name', 'ann')",
        "edge": "g.E()",
        "path": "g.V().has('name', 'ann').outE().inV().path()",
        "drop": "g.V().drop()",
        "wrong": "g.V(",
        "one": "g.inject(1)",
    },
    "cypher": {
        "give": "RETURN $x AS value",
        "many": "UNWIND range(1, 4096) AS value RETURN value",
        "person": "CREATE (n:person {name: $name}) RETURN n AS value",
        "knows": "CREATE (a:person {name: 'ann'})-[k:knows {since: 1999}]->(b:person {name: 'bob'}) RETURN k AS value",
        "count": "MATCH (n) RETURN count(n) AS value",
        "set": "MATCH (n) SET n.n = $n RETURN n AS value",
        "node": "MATCH (n {name: 'ann'}) RETURN n AS value",
        "edge": "MATCH ()-[k]->() RETURN k AS value",
        "path": "MATCH p = ({name: 'ann'})-->() RETURN p AS value",
        "drop": "MATCH (n) DETACH DELETE n",
        "wrong": "RETURN (",
        "one": "RETURN 1 AS value",
    },
}
