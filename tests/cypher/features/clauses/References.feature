# Neo4j 5 Cypher Manual: clauses/create, clauses/merge
@manual:clauses/merge
Feature: References within one CREATE or MERGE, and parentheses

  Scenario Outline: [1] A node of a later pattern is null
    Given an empty graph
    When executing query:
      """
      <clause>
      """
    Then the result should be, in any order:
      | z   | a |
      | <z> | 1 |

    Examples:
      | clause                                                                   | z      |
      | CREATE (z:Z {v: a.v + 2}), (a:Z {v: 1}) RETURN z.v AS z, a.v AS a        | null   |
      | CREATE (a:Z {v: 1}), (z:Z {v: a.v + 2}) RETURN z.v AS z, a.v AS a        | 3      |
      | CREATE (z:Z {v: coalesce(a.v, 'none')}), (a:Z {v: 1}) RETURN z.v AS z, a.v AS a | 'none' |
      | CREATE (z:Z {v: a.v})-[:R {w: a.v}]->(), (a:Z {v: 1}) RETURN z.v AS z, a.v AS a | null |
      | CREATE (z:Z)-[r:R {w: a.v}]->(), (b), (a:Z {v: 1}) RETURN r.w AS z, a.v AS a | null |
      | CREATE (z:Z {v: a.v}), (a:Z {v: 1})-[:R]->(:Z {w: a.v}) RETURN z.v AS z, a.v AS a | null |
      | MATCH (n) RETURN 1 AS z, 1 AS a UNION CREATE (z:Z {v: a.v}), (a:Z {v: 1}) RETURN coalesce(z.v, 0) AS z, a.v AS a | 0 |

  Scenario Outline: [2] What no pattern makes is unknown
    Given any graph
    When executing query:
      """
      <clause>
      """
    Then a SyntaxError should be raised at compile time: *

    Examples:
      | clause                                              |
      | CREATE (a {v: y.y}), (x)                            |
      | CREATE (a {v: a.i})                                 |
      | CREATE (a {v: 1})-[r:R {v: b.v}]->(b {v: 2})        |
      | CREATE (a {v: r.v})-[r:R]->(b)                      |
      | CREATE (b {v: length(p)}), p = (a)-[:R]->()         |

  Scenario Outline: [3] Parts of a path that is merged read each other
    Given an empty graph
    And having executed:
      """
      CREATE (:A {k: 1})-[:X {z: 9}]->(:B {b: 2})
      """
    When executing query:
      """
      <clause> AS v
      """
    Then the result should be, in any order:
      | v   |
      | <v> |

    Examples:
      | clause                                                                                | v    |
      | MERGE (c:Q {n: 1, b: 'NY'})-[:A]->(m:M)<-[:D]-(o:Q {n: 2, b: c.b}) RETURN o.b          | 'NY' |
      | MERGE (c:Q {n: 1})-[r:R {w: c.n}]->(o:Q {n: 2}) RETURN r.w                             | 1    |
      | MERGE (c:Q {n: 1})-[r:R {w: o.n}]->(o:Q {n: 2}) RETURN r.w                             | 2    |
      | MERGE (a:A {k: 1})-[r:X {z: 9}]->(b:B {b: a.k + 1}) RETURN r.z                         | 9    |
      | MERGE (a:A {k: b.b - 1})-[r:X {z: 9}]->(b:B {b: 2}) RETURN r.z                         | 9    |
      | MERGE (a:A {k: 1})-[r:X {z: a.k + 8}]->(b:B) RETURN b.b                                | 2    |
      | UNWIND [1, 1, 1] AS i MERGE (c:Q {n: i})-[r:R]->(o:P {n: c.n + 1}) WITH count(*) AS all MATCH (q:Q) RETURN count(q) | 1 |

  Scenario Outline: [4] A part that reads what is not there is null, by which nothing is merged
    Given an empty graph
    And having executed:
      """
      CREATE (:A {k: 1})
      """
    When executing query:
      """
      <clause>
      """
    Then a SemanticError should be raised at runtime: MergeReadOwnWrites
    When executing control query:
      """
      MATCH (n) RETURN n
      """
    Then the result should be, in any order:
      | n           |
      | (:A {k: 1}) |

    Examples:
      | clause                                                         |
      | MERGE (c:Q {n: 1})-[r:R {w: 5}]->(o:Q {n: c.none})             |
      | MERGE (c:Q {n: 1, x: r.w})-[r:R {w: 5}]->(o:Q {n: 2})          |
      | MATCH (a:A) MERGE (a)-[r:R {w: 5}]->(o:Q {n: r.w})             |

  Scenario Outline: [5] Parentheses around all of a path that is merged
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:X]->(:B)
      """
    When executing query:
      """
      MATCH (a:A)--(b:B) <clause> AS v
      """
    Then the result should be, in any order:
      | v   |
      | <v> |

    Examples:
      | clause                                                             | v   |
      | MERGE ((a)-[r:Y]-(b)) RETURN type(r)                               | 'Y' |
      | MERGE ((a)-[r:Y]->(b)) RETURN type(r)                              | 'Y' |
      | MERGE (((a)-[r:Y]->(b))) RETURN type(r)                            | 'Y' |
      | MERGE ((c:C {i: 1})) RETURN c.i                                    | 1   |
      | MERGE p = ((c:C {i: 1})-[:Y]->(:C)) RETURN length(p)               | 1   |
      | MERGE ((c:C {i: 1})-[:Y]->(:C)) ON CREATE SET c.v = 2 RETURN c.v   | 2   |

  Scenario Outline: [6] Parentheses that are no whole path
    Given any graph
    When executing query:
      """
      <clause>
      """
    Then a SyntaxError should be raised at compile time: CreatingVarLength

    Examples:
      | clause                                  |
      | MERGE ((a)-[:R]->(b)){2}                |
      | MERGE (a) ((a)-[:R]->(b))               |
      | CREATE ((a)-[:R]->(b)){2}               |
