# Neo4j 5 Cypher Manual: errors
@manual:errors
Feature: Errors while a query runs

  Scenario: [1] A type that only the row knows
    Given any graph
    When executing query:
      """
      UNWIND [1, 'a'] AS x RETURN toUpper(x) AS u
      """
    Then a TypeError should be raised at runtime: *

  Scenario: [2] A list index of another type
    Given any graph
    When executing query:
      """
      UNWIND [0, 'a'] AS x RETURN [1, 2][x] AS v
      """
    Then a TypeError should be raised at runtime: *

  Scenario: [3] Nothing is written by a query that fails
    Given any graph
    When executing query:
      """
      UNWIND [1, 2, 0] AS x CREATE (:N {v: 10 / x})
      """
    Then an ArithmeticError should be raised at runtime: *
    When executing control query:
      """
      MATCH (n:N) RETURN count(n) AS c
      """
    Then the result should be, in any order:
      | c |
      | 0 |

  Scenario: [4] A deleted node's property
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1})
      """
    When executing query:
      """
      MATCH (a:A) DELETE a RETURN a.n AS n
      """
    Then an EntityNotFound should be raised at runtime: DeletedEntityAccess

  Scenario: [5] Relationships of a deleted node stay in the way
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:R]->(:B)
      """
    When executing query:
      """
      MATCH (a:A) DELETE a
      """
    Then a ConstraintVerificationFailed should be raised at runtime: *
    When executing control query:
      """
      MATCH (n) RETURN count(n) AS c
      """
    Then the result should be, in any order:
      | c |
      | 2 |
