# Neo4j 5 Cypher Manual: clauses/delete
@manual:clauses/delete
Feature: Elements that the statement deleted

  Scenario Outline: [1] A node that is gone has no properties
    Given an empty graph
    And having executed:
      """
      CREATE (:A {k: 1})-[:R {z: 9}]->(:B {b: 2})
      """
    When executing query:
      """
      MATCH (n:A)-[r:R]->(m:B) DETACH DELETE n <rest> AS v
      """
    Then the result should be, in any order:
      | v   |
      | <v> |

    Examples:
      | rest                                     | v     |
      | RETURN properties(n)                     | {}    |
      | RETURN keys(n)                           | []    |
      | RETURN n{.*}                             | {}    |
      | RETURN n:A                               | false |
      | RETURN n IS NULL                         | false |
      | RETURN n = n                             | true  |
      | RETURN COUNT { (n)--() }                 | 0     |
      | RETURN size([(n)--(x) \| x])             | 0     |
      | RETURN startNode(r) IS NULL              | false |
      | SET m = n RETURN m                       | (:B)  |
      | SET m = properties(n) RETURN m           | (:B)  |
      | SET m += n RETURN m                      | (:B {b: 2}) |
      | CREATE (x:X {a: keys(n)}) RETURN x       | (:X {a: []}) |
      | SET n.y = 2, n.z = 3 RETURN m            | (:B {b: 2}) |
      | SET n += {a: 1} RETURN m                 | (:B {b: 2}) |
      | SET n = {a: 1} RETURN m                  | (:B {b: 2}) |
      | SET r.z = 2 RETURN m                     | (:B {b: 2}) |
      | REMOVE n.k, n.none RETURN m              | (:B {b: 2}) |
      | DELETE n RETURN m                        | (:B {b: 2}) |
      | DETACH DELETE n RETURN m                 | (:B {b: 2}) |
      | DELETE r RETURN m                        | (:B {b: 2}) |

  Scenario Outline: [2] What is read of an element that is gone is an error
    Given an empty graph
    And having executed:
      """
      CREATE (:A {k: 1})-[:R {z: 9}]->(:B {b: 2})
      """
    When executing query:
      """
      MATCH (n:A)-[r:R]->(m:B) <clause>
      """
    Then a EntityNotFound should be raised at runtime: *
    When executing control query:
      """
      MATCH (n:A)-[r:R]->(m:B) RETURN n, r, m
      """
    Then the result should be, in any order:
      | n           | r           | m           |
      | (:A {k: 1}) | [:R {z: 9}] | (:B {b: 2}) |

    Examples:
      | clause                                                                  |
      | DETACH DELETE n RETURN n.k                                              |
      | DETACH DELETE n RETURN n['k']                                           |
      | DETACH DELETE n RETURN labels(n)                                        |
      | DETACH DELETE n RETURN r.z                                              |
      | DETACH DELETE n RETURN properties(r)                                    |
      | DETACH DELETE n RETURN keys(r)                                          |
      | DELETE r RETURN r.z                                                     |
      | DELETE r RETURN r['z']                                                  |
      | DELETE r RETURN properties(r)                                           |
      | DELETE r SET m = r                                                      |
      | DELETE r SET m += r                                                     |
      | DELETE r SET m.x = r.z                                                  |
      | DETACH DELETE n SET m.x = n.k                                           |
      | DETACH DELETE n CREATE (:X {a: n.k})                                    |
      | DETACH DELETE n WITH collect(n) AS l RETURN [x IN l \| x.k]             |
      | DETACH DELETE n WITH collect(n) AS l RETURN [x IN l \| labels(x)]       |
      | DETACH DELETE n WITH collect(n) AS l UNWIND l AS x RETURN x.k           |
      | WITH n, m, [n] AS q DETACH DELETE n RETURN q[0].k                       |
      | WITH n, m, n AS q DETACH DELETE n RETURN q.k                            |
      | WITH n, m, collect(r) AS q DETACH DELETE n RETURN q[0].z                |
      | FOREACH (x IN [n] \| DETACH DELETE x) RETURN n.k                        |
      | CALL (n) { DETACH DELETE n } RETURN n.k                                 |
      | DETACH DELETE n RETURN n ORDER BY n.k                                   |
      | DETACH DELETE n WITH n WHERE n.k = 2 RETURN 1                           |
      | DETACH DELETE n SET n:Foo                                               |
      | DETACH DELETE n WITH n SET n:A                                          |
      | DETACH DELETE n REMOVE n:A                                              |
      | DETACH DELETE n CREATE (n)-[:T]->(m)                                    |
      | DETACH DELETE n CREATE (:X)-[:T]->(n)                                   |
      | DETACH DELETE n MERGE (n)-[:T]->(m)                                     |
      | FOREACH (x IN [n] \| DETACH DELETE x) SET n:Foo                         |

  Scenario: [3] The ends of a relationship that is gone
    Given an empty graph
    And having executed:
      """
      CREATE (:A {k: 1})-[:R {z: 9}]->(:B {b: 2})
      """
    When executing query:
      """
      MATCH (n:A)-[r:R]->(m:B) DELETE r RETURN startNode(r) IS NOT NULL AS s, endNode(r) IS NOT NULL AS e, type(r) AS t
      """
    Then the result should be, in any order:
      | s    | e    | t   |
      | true | true | 'R' |

  Scenario: [4] What was set on an element that is gone counts
    Given an empty graph
    And having executed:
      """
      CREATE (:A {k: 1})
      """
    When executing query:
      """
      MATCH (n:A) DELETE n SET n.x = 1, n.y = null
      """
    Then the result should be empty
    And the side effects should be:
      | -nodes      | 1 |
      | -labels     | 1 |
      | -properties | 1 |
