# Neo4j 5 Cypher Manual: patterns/match-modes
@manual:patterns/match-modes
Feature: Match modes

  Scenario: [1] (Cypher 25) DIFFERENT RELATIONSHIPS is the default, by its name
    Given an empty graph
    And having executed:
      """
      CREATE (a:A {n: 1})-[:R]->(:B {n: 2})
      """
    When executing query:
      """
      MATCH DIFFERENT RELATIONSHIPS (x)-[:R]-(y)-[:R]-(z) RETURN count(*) AS c
      """
    Then the result should be, in any order:
      | c |
      | 0 |
    And no side effects

  Scenario: [2] (Cypher 25) REPEATABLE ELEMENTS goes back over a relationship
    Given an empty graph
    And having executed:
      """
      CREATE (a:A {n: 1})-[:R]->(:B {n: 2})
      """
    When executing query:
      """
      MATCH REPEATABLE ELEMENTS (x:A)-[:R]-(y)-[:R]-(z) RETURN z.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
    And no side effects

  Scenario: [3] A relationship is used once in a MATCH with several patterns
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:R]->(:B)
      """
    When executing query:
      """
      MATCH (a)-[r:R]->(b), (c)-[q:R]->(d) RETURN count(*) AS c
      """
    Then the result should be, in any order:
      | c |
      | 0 |
    And no side effects

  Scenario: [4] And again in the next MATCH
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:R]->(:B)
      """
    When executing query:
      """
      MATCH (a)-[r:R]->(b) MATCH (c)-[q:R]->(d) RETURN count(*) AS c
      """
    Then the result should be, in any order:
      | c |
      | 1 |
    And no side effects
