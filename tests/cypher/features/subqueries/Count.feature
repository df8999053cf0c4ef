# Neo4j 5 Cypher Manual: subqueries/count
@manual:subqueries/count
Feature: COUNT { }

  Scenario: [1] Matches of a pattern
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 1}), (a)-[:R]->(), (a)-[:R]->(), (:P {n: 2})
      """
    When executing query:
      """
      MATCH (p:P) RETURN p.n AS n, COUNT { (p)-[:R]->() } AS c
      """
    Then the result should be, in any order:
      | n | c |
      | 1 | 2 |
      | 2 | 0 |
    And no side effects

  Scenario: [2] As a condition
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 1}), (a)-[:R]->(), (a)-[:R]->(), (b:P {n: 2}), (b)-[:R]->()
      """
    When executing query:
      """
      MATCH (p:P) WHERE COUNT { (p)-[:R]->() } > 1 RETURN p.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
    And no side effects

  Scenario: [3] With a condition inside
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 1}), (a)-[:R]->({v: 1}), (a)-[:R]->({v: 2}), (a)-[:R]->({v: 3})
      """
    When executing query:
      """
      MATCH (p:P) RETURN COUNT { (p)-[:R]->(x) WHERE x.v >= 2 } AS c
      """
    Then the result should be, in any order:
      | c |
      | 2 |
    And no side effects

  Scenario: [4] A query with DISTINCT
    Given an empty graph
    And having executed:
      """
      CREATE (a:P), (a)-[:R]->({v: 1}), (a)-[:R]->({v: 1}), (a)-[:R]->({v: 3})
      """
    When executing query:
      """
      MATCH (p:P) RETURN COUNT { MATCH (p)-[:R]->(x) RETURN DISTINCT x.v } AS c
      """
    Then the result should be, in any order:
      | c |
      | 2 |
    And no side effects

  Scenario: [5] A union inside
    Given an empty graph
    And having executed:
      """
      CREATE (a:P), (a)-[:A]->({v: 1}), (a)-[:B]->({v: 1}), (a)-[:B]->({v: 2})
      """
    When executing query:
      """
      MATCH (p:P)
      RETURN COUNT { MATCH (p)-[:A]->(x) RETURN x.v AS v UNION MATCH (p)-[:B]->(x) RETURN x.v AS v } AS d,
        COUNT { MATCH (p)-[:A]->(x) RETURN x.v AS v UNION ALL MATCH (p)-[:B]->(x) RETURN x.v AS v } AS a
      """
    Then the result should be, in any order:
      | d | a |
      | 2 | 3 |
    And no side effects

  Scenario: [6] In ORDER BY
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 'a'}), (b:P {n: 'b'}), (:P {n: 'c'}), (a)-[:R]->(), (b)-[:R]->(), (b)-[:R]->()
      """
    When executing query:
      """
      MATCH (p:P) RETURN p.n AS n ORDER BY COUNT { (p)--() } DESC
      """
    Then the result should be, in order:
      | n   |
      | 'b' |
      | 'a' |
      | 'c' |
    And no side effects

  Scenario: [7] In SET
    Given an empty graph
    And having executed:
      """
      CREATE (a:P), (a)-[:R]->(), (a)-[:R]->()
      """
    When executing query:
      """
      MATCH (p:P) SET p.degree = COUNT { (p)--() } RETURN p.degree AS d
      """
    Then the result should be, in any order:
      | d |
      | 2 |
    And the side effects should be:
      | +properties | 1 |

  Scenario: [8] Within an aggregate
    Given an empty graph
    And having executed:
      """
      CREATE (a:P), (b:P), (a)-[:R]->(), (a)-[:R]->(), (b)-[:R]->()
      """
    When executing query:
      """
      MATCH (p:P) RETURN sum(COUNT { (p)-[:R]->() }) AS s, max(COUNT { (p)-[:R]->() }) AS m
      """
    Then the result should be, in any order:
      | s | m |
      | 3 | 2 |
    And no side effects

  Scenario: [9] A disconnected pattern multiplies
    Given an empty graph
    And having executed:
      """
      CREATE (:P), (:Q), (:Q)
      """
    When executing query:
      """
      MATCH (p:P) RETURN COUNT { MATCH (:Q), (:P) } AS c
      """
    Then the result should be, in any order:
      | c |
      | 2 |
    And no side effects

  Scenario: [10] As a property of a pattern
    Given an empty graph
    And having executed:
      """
      CREATE (:P {n: 1})-[:R]->(:P {n: 2})-[:R]->(:P {n: 0})
      """
    When executing query:
      """
      MATCH (a:P {n: COUNT { (a)-->() }})
      MATCH (:P {n: 2})-[r:R]->(b {n: COUNT { (b)-->() }})
      RETURN a.n AS a, b.n AS b
      """
    Then the result should be, in any order:
      | a | b |
      | 1 | 0 |
      | 0 | 0 |
    And no side effects
