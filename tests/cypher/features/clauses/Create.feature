# Neo4j 5 Cypher Manual: clauses/create
@manual:clauses/create
Feature: CREATE

  Scenario: [1] A relationship from a node that is null is refused
    Given an empty graph
    And having executed:
      """
      CREATE (:A)
      """
    When executing query:
      """
      MATCH (a:A) OPTIONAL MATCH (b:Nowhere) CREATE (b)-[r:R]->(a) RETURN r
      """
    Then a ArgumentError should be raised at runtime: *

  Scenario: [2] Rows without the node are left out
    Given an empty graph
    And having executed:
      """
      CREATE (:A {k: 1})-[:T]->(:B), (:A {k: 2})
      """
    When executing query:
      """
      MATCH (a:A) OPTIONAL MATCH (a)-[:T]->(b)
      WITH * WHERE b IS NOT NULL CREATE (a)-[r:R]->(b) RETURN a.k AS k
      """
    Then the result should be, in any order:
      | k |
      | 1 |
    And the side effects should be:
      | +relationships | 1 |
