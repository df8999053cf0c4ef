# Neo4j 5 Cypher Manual: clauses/order-by, clauses/merge. Rows keep their order through clauses that write.
@manual:clauses/merge
Feature: Rows keep their order through clauses that write

  Scenario Outline: [1] Rows come as they went in
    Given an empty graph
    And having executed:
      """
      CREATE (:O {k: 2}), (:O {k: 4}), (:X {k: 0})
      """
    When executing query:
      """
      UNWIND [5, 4, 1, 2, 3, 4, 1] AS i <clause> RETURN i
      """
    Then the result should be, in order:
      | i |
      | 5 |
      | 4 |
      | 1 |
      | 2 |
      | 3 |
      | 4 |
      | 1 |

    Examples:
      | clause                                                                     |
      | MERGE (n:O {k: i})                                                         |
      | MERGE (n:O {k: i}) ON CREATE SET n.a = i                                   |
      | MERGE (n:O {k: i}) ON MATCH SET n.b = i                                    |
      | MERGE (n:O {k: i}) ON CREATE SET n.a = i ON MATCH SET n.b = i              |
      | MERGE (n:O {k: i}) ON CREATE SET n:New, n += {x: i} ON MATCH SET n:Old     |
      | MERGE (n:O {k: i}) ON CREATE SET n.k = i ON MATCH SET n.k = i              |
      | MERGE (n:O {k: i})-[:R]->(m:P {k: i}) ON CREATE SET m.a = i                |
      | MATCH (x:X) MERGE (x)-[r:R]->(m:P {k: i}) ON MATCH SET r.b = i             |
      | MATCH (x:X) MERGE (n:O {k: i}) MERGE (x)-[r:R {k: i}]->(n) ON CREATE SET r.a = i |
      | MATCH (x:X) MERGE (n:O {k: i}) MERGE (x)-[r:R]-(n) ON MATCH SET r.a = i    |
      | CREATE (n:O {k: i})                                                        |
      | CREATE (n:O {k: i})-[:R]->(:P)                                             |
      | CREATE (n:$(CASE WHEN i < 3 THEN 'P' ELSE 'Q' END) {k: i})                 |
      | MERGE (n:$(CASE WHEN i < 3 THEN 'P' ELSE 'Q' END) {k: i}) ON CREATE SET n.a = 1 |
      | MATCH (x:X) SET x.k = i                                                    |
      | MATCH (x:X) SET x.k = x.k + i                                              |
      | OPTIONAL MATCH (o:O {k: i}) SET o.v = i                                    |
      | OPTIONAL MATCH (o:O {k: i}) DETACH DELETE o                                |
      | FOREACH (j IN range(1, i) \| MERGE (n:O {k: j}) ON MATCH SET n.b = j)      |
      | CALL (i) { MERGE (n:O {k: i}) ON CREATE SET n.a = i }                      |
      | CALL (i) { MERGE (n:O {k: i}) ON CREATE SET n.a = i RETURN n }             |
      | CALL (i) { CREATE (n:O {k: i}) RETURN n UNION CREATE (n:P {k: i}) RETURN n LIMIT 1 } WITH DISTINCT i, n WHERE n:O |

  Scenario: [2] ORDER BY before a merge decides what LIMIT takes behind it
    Given an empty graph
    And having executed:
      """
      CREATE (:O {k: 2}), (:O {k: 4})
      """
    When executing query:
      """
      UNWIND [5, 4, 1, 2, 3] AS i WITH i ORDER BY i MERGE (n:O {k: i}) ON CREATE SET n.a = i WITH i, n LIMIT 3 RETURN i
      """
    Then the result should be, in order:
      | i |
      | 1 |
      | 2 |
      | 3 |

  Scenario: [3] A list is collected in the order of the rows
    Given an empty graph
    And having executed:
      """
      CREATE (:O {k: 2}), (:O {k: 4})
      """
    When executing query:
      """
      UNWIND [3, 2, 1, 4] AS i MERGE (n:O {k: i}) ON CREATE SET n.new = true RETURN collect(i) AS all, collect(n.new) AS new
      """
    Then the result should be, in order:
      | all          | new          |
      | [3, 2, 1, 4] | [true, true] |

  Scenario Outline: [5] A row finds what an earlier row set
    Given an empty graph
    And having executed:
      """
      CREATE (:O {k: 2}), (:O {k: 4})
      """
    When executing query:
      """
      <clause> WITH count(*) AS all MATCH (o:O) WITH o.k AS k ORDER BY k RETURN collect(k) AS keys
      """
    Then the result should be, in any order:
      | keys   |
      | <keys> |

    Examples:
      | clause                                                          | keys         |
      | UNWIND [1, 2] AS i MERGE (n:O {k: i}) ON CREATE SET n.k = 3     | [2, 3, 4]    |
      | UNWIND [1, 3] AS i MERGE (n:O {k: i}) ON CREATE SET n.k = 3     | [2, 3, 4]    |
      | UNWIND [2, 3] AS i MERGE (n:O {k: i}) ON MATCH SET n.k = 3      | [3, 4]       |
      | UNWIND [5, 5] AS i MERGE (n:O {k: i}) ON CREATE SET n.k = 3     | [2, 3, 3, 4] |
      | UNWIND [2, 2, 1] AS i MERGE (n:O {k: i}) ON MATCH SET n.k = n.k - 1 | [0, 2, 4] |

  Scenario: [4] The last row of a node that is merged wins
    Given an empty graph
    And having executed:
      """
      CREATE (:O {k: 2})
      """
    When executing query:
      """
      UNWIND [{k: 2, v: 'a'}, {k: 1, v: 'b'}, {k: 2, v: 'c'}, {k: 1, v: 'd'}] AS row
      MERGE (n:O {k: row.k}) ON CREATE SET n.v = row.v ON MATCH SET n.v = row.v
      RETURN row.v AS v, n.v AS now
      """
    Then the result should be, in order:
      | v   | now |
      | 'a' | 'c' |
      | 'b' | 'd' |
      | 'c' | 'c' |
      | 'd' | 'd' |
