# Neo4j 5 Cypher Manual: subqueries/collect
@manual:subqueries/collect
Feature: COLLECT { }

  Scenario: [1] A list of one column
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 1}), (a)-[:R]->({v: 'x'}), (a)-[:R]->({v: 'y'}), (:P {n: 2})
      """
    When executing query:
      """
      MATCH (p:P) RETURN p.n AS n, COLLECT { MATCH (p)-[:R]->(x) RETURN x.v } AS vs
      """
    Then the result should be (ignoring element order for lists):
      | n | vs         |
      | 1 | ['x', 'y'] |
      | 2 | []         |
    And no side effects

  Scenario: [2] Sorted and limited
    Given an empty graph
    And having executed:
      """
      CREATE (a:P), (a)-[:R]->({v: 2}), (a)-[:R]->({v: 9}), (a)-[:R]->({v: 5})
      """
    When executing query:
      """
      MATCH (p:P) RETURN COLLECT { MATCH (p)-[:R]->(x) RETURN x.v ORDER BY x.v DESC LIMIT 2 } AS vs
      """
    Then the result should be, in any order:
      | vs     |
      | [9, 5] |
    And no side effects

  Scenario: [3] Null is kept, unlike in collect()
    Given an empty graph
    And having executed:
      """
      CREATE (a:P), (a)-[:R]->({v: 2}), (a)-[:R]->()
      """
    When executing query:
      """
      MATCH (p:P) RETURN size(COLLECT { MATCH (p)-[:R]->(x) RETURN x.v }) AS kept, size([(p)-[:R]->(x) | x.v]) AS listed
      """
    Then the result should be, in any order:
      | kept | listed |
      | 2    | 2      |
    And no side effects

  Scenario: [4] As a condition
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 1}), (a)-[:R]->({v: 2}), (b:P {n: 2}), (b)-[:R]->({v: 3})
      """
    When executing query:
      """
      MATCH (p:P) WHERE 3 IN COLLECT { MATCH (p)-[:R]->(x) RETURN x.v } RETURN p.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 2 |
    And no side effects

  Scenario: [5] Two columns are refused
    Given any graph
    When executing query:
      """
      RETURN COLLECT { UNWIND [1] AS x RETURN x, x AS y } AS l
      """
    Then a SyntaxError should be raised at compile time: *

  Scenario: [6] A query without RETURN is refused
    Given an empty graph
    And having executed:
      """
      CREATE (:P)
      """
    When executing query:
      """
      MATCH (p:P) RETURN COLLECT { MATCH (p)--(x) } AS l
      """
    Then a SyntaxError should be raised at compile time: *

  Scenario: [7] A union
    Given an empty graph
    And having executed:
      """
      CREATE (a:P), (a)-[:A]->({v: 1}), (a)-[:B]->({v: 2})
      """
    When executing query:
      """
      MATCH (p:P) RETURN COLLECT { MATCH (p)-[:A]->(x) RETURN x.v AS v UNION MATCH (p)-[:B]->(x) RETURN x.v AS v } AS vs
      """
    Then the result should be (ignoring element order for lists):
      | vs     |
      | [1, 2] |
    And no side effects

  Scenario: [8] Maps as entries
    Given an empty graph
    And having executed:
      """
      CREATE (a:P), (a)-[:R {w: 1}]->({v: 2})
      """
    When executing query:
      """
      MATCH (p:P) RETURN COLLECT { MATCH (p)-[r:R]->(x) RETURN {w: r.w, v: x.v} } AS l
      """
    Then the result should be, in any order:
      | l              |
      | [{w: 1, v: 2}] |
    And no side effects
