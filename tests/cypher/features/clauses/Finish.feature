# Neo4j 5 Cypher Manual: clauses/finish
@manual:clauses/finish
Feature: FINISH

  Scenario: [1] A read that finishes has no rows
    Given an empty graph
    And having executed:
      """
      CREATE (:A), (:A)
      """
    When executing query:
      """
      MATCH (n:A) FINISH
      """
    Then the result should be empty
    And no side effects

  Scenario: [2] Writes happen before a finish
    Given an empty graph
    When executing query:
      """
      CREATE (:A {n: 1}) FINISH
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes      | 1 |
      | +labels     | 1 |
      | +properties | 1 |

  Scenario: [3] Nothing follows a finish
    Given any graph
    When executing query:
      """
      MATCH (n) FINISH RETURN n
      """
    Then a SyntaxError should be raised at compile time: *

  Scenario: [4] FINISH inside of a subquery whose rows are not wanted
    Given an empty graph
    And having executed:
      """
      CREATE (:A), (:A)
      """
    When executing query:
      """
      MATCH (n:A) CALL (n) { SET n.seen = 1 FINISH } RETURN count(*) AS c
      """
    Then the result should be, in any order:
      | c |
      | 2 |
    And the side effects should be:
      | +properties | 2 |
