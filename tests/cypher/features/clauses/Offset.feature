# Neo4j 5 Cypher Manual: clauses/skip
@manual:clauses/skip
Feature: OFFSET and SKIP

  Scenario: [1] OFFSET is SKIP
    Given any graph
    When executing query:
      """
      UNWIND [5, 3, 1, 4, 2] AS x RETURN x ORDER BY x OFFSET 3
      """
    Then the result should be, in order:
      | x |
      | 4 |
      | 5 |

  Scenario: [2] OFFSET and LIMIT
    Given any graph
    When executing query:
      """
      UNWIND range(1, 9) AS x RETURN x ORDER BY x DESC OFFSET 2 LIMIT 3
      """
    Then the result should be, in order:
      | x |
      | 7 |
      | 6 |
      | 5 |

  Scenario: [3] OFFSET by an expression of a parameter
    Given any graph
    And parameters are:
      | page | 2 |
    When executing query:
      """
      UNWIND range(1, 9) AS x RETURN x ORDER BY x OFFSET ($page - 1) * 4 LIMIT 4
      """
    Then the result should be, in order:
      | x |
      | 5 |
      | 6 |
      | 7 |
      | 8 |

  Scenario: [4] Beyond the last row
    Given any graph
    When executing query:
      """
      UNWIND [1, 2] AS x RETURN x OFFSET 7
      """
    Then the result should be empty

  @manual:clauses/limit
  Scenario: [5] As clauses of their own behind MATCH
    Given an empty graph
    And having executed:
      """
      UNWIND range(1, 6) AS i CREATE (:N {i: i})
      """
    When executing query:
      """
      MATCH (n:N) WITH n ORDER BY n.i OFFSET 1 LIMIT 2 RETURN n.i AS i
      """
    Then the result should be, in any order:
      | i |
      | 2 |
      | 3 |
    And no side effects

  @manual:clauses/order-by
  Scenario: [6] ORDER BY, OFFSET and LIMIT without WITH
    Given an empty graph
    And having executed:
      """
      UNWIND range(1, 6) AS i CREATE (:N {i: i})
      """
    When executing query:
      """
      MATCH (n:N) ORDER BY n.i DESC OFFSET 1 LIMIT 2 RETURN n.i AS i
      """
    Then the result should be, in any order:
      | i |
      | 5 |
      | 4 |
    And no side effects

  @manual:clauses/limit
  Scenario: [7] LIMIT as a clause of its own
    Given an empty graph
    And having executed:
      """
      UNWIND range(1, 6) AS i CREATE (:N {i: i})
      """
    When executing query:
      """
      MATCH (n:N) LIMIT 4 RETURN count(*) AS c
      """
    Then the result should be, in any order:
      | c |
      | 4 |
    And no side effects

  Scenario: [8] A negative offset is refused
    Given any graph
    When executing query:
      """
      UNWIND [1, 2] AS x RETURN x OFFSET -1
      """
    Then a SyntaxError should be raised at compile time: NegativeIntegerArgument

  Scenario: [9] LIMIT by a random number is allowed
    Given any graph
    When executing query:
      """
      UNWIND [1, 2, 3] AS x WITH x LIMIT 2 + toInteger(rand()) RETURN count(x) AS c
      """
    Then the result should be, in any order:
      | c |
      | 2 |

  Scenario: [10] LIMIT may not read rows
    Given any graph
    When executing query:
      """
      UNWIND [1, 2] AS x RETURN x LIMIT x
      """
    Then a SyntaxError should be raised at compile time: NonConstantExpression

  Scenario: [11] Writes of rows that LIMIT drops still happen
    Given an empty graph
    When executing query:
      """
      UNWIND [1, 2, 3] AS x CREATE (n:N {x: x}) RETURN n.x AS x LIMIT 0
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes      | 3 |
      | +labels     | 1 |
      | +properties | 3 |
