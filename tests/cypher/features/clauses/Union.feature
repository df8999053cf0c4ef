# Neo4j 5 Cypher Manual: clauses/union
@manual:clauses/union
Feature: UNION

  Scenario: [1] UNION DISTINCT by its name
    Given any graph
    When executing query:
      """
      RETURN 1 AS x UNION DISTINCT RETURN 1 AS x
      """
    Then the result should be, in any order:
      | x |
      | 1 |

  Scenario: [2] Columns in another order
    Given any graph
    When executing query:
      """
      RETURN 1 AS a, 2 AS b UNION ALL RETURN 4 AS b, 3 AS a
      """
    Then the result should be, in any order:
      | a | b |
      | 1 | 2 |
      | 3 | 4 |

  Scenario: [3] Different columns are refused
    Given any graph
    When executing query:
      """
      RETURN 1 AS a UNION RETURN 2 AS b
      """
    Then a SyntaxError should be raised at compile time: DifferentColumnsInUnion

  Scenario: [4] UNION and UNION ALL are not mixed
    Given any graph
    When executing query:
      """
      RETURN 1 AS a UNION RETURN 2 AS a UNION ALL RETURN 3 AS a
      """
    Then a SyntaxError should be raised at compile time: InvalidClauseComposition

  Scenario: [5] A union as a subquery is sorted whole
    Given any graph
    When executing query:
      """
      CALL { RETURN 3 AS x UNION RETURN 1 AS x UNION RETURN 2 AS x } RETURN x ORDER BY x
      """
    Then the result should be, in order:
      | x |
      | 1 |
      | 2 |
      | 3 |

  Scenario: [6] Null is merged by UNION, and so are equal numbers of two kinds
    Given any graph
    When executing query:
      """
      UNWIND [null, 2] AS x RETURN x UNION UNWIND [null, 2.0] AS x RETURN x
      """
    Then the result should be, in any order:
      | x    |
      | null |
      | 2    |

  Scenario: [7] NaN is one row
    Given any graph
    When executing query:
      """
      RETURN 0.0 / 0.0 AS x UNION RETURN 0.0 / 0.0 AS x UNION RETURN 1.0 AS x
      """
    Then the result should be, in any order:
      | x   |
      | NaN |
      | 1.0 |
