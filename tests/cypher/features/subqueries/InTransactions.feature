# Neo4j 5 Cypher Manual: subqueries/subqueries-in-transactions
@manual:subqueries/subqueries-in-transactions
Feature: CALL { } IN TRANSACTIONS

  Scenario: [1] Rows in batches
    Given an empty graph
    When executing query:
      """
      UNWIND range(1, 5) AS i CALL (i) { CREATE (:N {i: i}) } IN TRANSACTIONS OF 2 ROWS
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes      | 5 |
      | +labels     | 1 |
      | +properties | 5 |

  Scenario: [2] Results of the batches
    Given an empty graph
    When executing query:
      """
      UNWIND [1, 2, 3] AS i CALL (i) { CREATE (n:N {i: i}) RETURN n.i AS made } IN TRANSACTIONS OF 1 ROW RETURN made
      """
    Then the result should be, in any order:
      | made |
      | 1    |
      | 2    |
      | 3    |
    And the side effects should be:
      | +nodes      | 3 |
      | +labels     | 1 |
      | +properties | 3 |

  Scenario: [3] A batch that fails ends the query, and earlier ones stay
    Given any graph
    When executing query:
      """
      UNWIND [1, 2, 0, 4] AS i CALL (i) { CREATE (:N {i: 8 / i}) } IN TRANSACTIONS OF 1 ROW
      """
    Then an ArithmeticError should be raised at any time: *
    When executing control query:
      """
      MATCH (n:N) RETURN n.i AS i
      """
    Then the result should be, in any order:
      | i |
      | 8 |
      | 4 |

  Scenario: [4] ON ERROR CONTINUE goes on behind a batch that fails
    Given an empty graph
    When executing query:
      """
      UNWIND [1, 2, 0, 4] AS i CALL (i) { CREATE (:N {i: 8 / i}) } IN TRANSACTIONS OF 1 ROW ON ERROR CONTINUE
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes      | 3 |
      | +labels     | 1 |
      | +properties | 3 |

  Scenario: [5] ON ERROR BREAK ends without an error
    Given an empty graph
    When executing query:
      """
      UNWIND [1, 2, 0, 4] AS i CALL (i) { CREATE (:N {i: 8 / i}) } IN TRANSACTIONS OF 1 ROW ON ERROR BREAK
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes      | 2 |
      | +labels     | 1 |
      | +properties | 2 |

  Scenario: [6] REPORT STATUS
    Given an empty graph
    When executing query:
      """
      UNWIND [1, 0] AS i CALL (i) { CREATE (:N {i: 8 / i}) } IN TRANSACTIONS OF 1 ROW ON ERROR CONTINUE REPORT STATUS AS s
      RETURN i, s.started AS started, s.committed AS committed, s.errorMessage IS NULL AS fine
      """
    Then the result should be, in any order:
      | i | started | committed | fine  |
      | 1 | true    | true      | true  |
      | 0 | true    | false     | false |
    And the side effects should be:
      | +nodes      | 1 |
      | +labels     | 1 |
      | +properties | 1 |

  Scenario: [7] Deletion in batches
    Given an empty graph
    And having executed:
      """
      UNWIND range(1, 7) AS i CREATE (:N {i: i})
      """
    When executing query:
      """
      MATCH (n:N) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 3 ROWS
      """
    Then the result should be empty
    And the side effects should be:
      | -nodes      | 7 |
      | -labels     | 1 |
      | -properties | 7 |

  Scenario: [8] What a batch that failed returns is null, what it imported too
    Given an empty graph
    When executing query:
      """
      UNWIND [1, 0] AS x
      CALL (x) { RETURN x AS y, 1 / x AS z } IN TRANSACTIONS OF 1 ROW ON ERROR CONTINUE
      RETURN x, y, z
      """
    Then the result should be, in any order:
      | x | y    | z    |
      | 1 | 1    | 1    |
      | 0 | null | null |
    And no side effects
