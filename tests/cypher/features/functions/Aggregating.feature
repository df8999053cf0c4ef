# Neo4j 5 Cypher Manual: functions/aggregating
@manual:functions/aggregating
Feature: Aggregating functions

  Scenario: [1] Null is left out
    Given any graph
    When executing query:
      """
      UNWIND [4, null, 2] AS x RETURN avg(x) AS a, count(x) AS c, count(*) AS all, collect(x) AS l, sum(x) AS s, min(x) AS min, max(x) AS max
      """
    Then the result should be, in any order:
      | a   | c | all | l      | s | min | max |
      | 3.0 | 2 | 3   | [4, 2] | 6 | 2   | 4   |

  Scenario: [2] No rows
    Given any graph
    When executing query:
      """
      UNWIND [] AS x RETURN avg(x) AS a, count(x) AS c, collect(x) AS l, sum(x) AS s, min(x) AS min, stDev(x) AS d
      """
    Then the result should be, in any order:
      | a    | c | l  | s | min  | d    |
      | null | 0 | [] | 0 | null | null |

  Scenario: [3] DISTINCT in each
    Given any graph
    When executing query:
      """
      UNWIND [1, 1, 2, 3, 3] AS x RETURN count(DISTINCT x) AS c, sum(DISTINCT x) AS s, avg(DISTINCT x) AS a, collect(DISTINCT x) AS l
      """
    Then the result should be, in any order:
      | c | s | a   | l         |
      | 3 | 6 | 2.0 | [1, 2, 3] |

  Scenario: [4] Percentiles of a few numbers
    Given any graph
    When executing query:
      """
      UNWIND [10, 20, 30, 40] AS x
      RETURN percentileCont(x, 0.5) AS c, percentileDisc(x, 0.5) AS d, percentileCont(x, 0.25) AS q, percentileDisc(x, 1) AS m
      """
    Then the result should be, in any order:
      | c    | d  | q    | m  |
      | 25.0 | 20 | 17.5 | 40 |

  Scenario: [5] A percentile beyond 1
    Given any graph
    When executing query:
      """
      UNWIND [[1, 1.5]] AS p RETURN percentileCont(p[0], p[1]) AS c
      """
    Then an ArgumentError should be raised at runtime: NumberOutOfRange

  Scenario: [6] Standard deviations
    Given any graph
    When executing query:
      """
      UNWIND [2, 4, 4, 4, 5, 5, 7, 9] AS x RETURN stDevP(x) AS p, round(stDev(x), 3) AS s
      """
    Then the result should be, in any order:
      | p   | s     |
      | 2.0 | 2.138 |

  Scenario: [7] max() and min() of mixed types
    Given any graph
    When executing query:
      """
      UNWIND [1, 'a', null, 0.5, [1]] AS x RETURN max(x) AS max, min(x) AS min
      """
    Then the result should be, in any order:
      | max | min |
      | 1   | [1] |

  Scenario: [8] Sum and mean of durations
    Given any graph
    When executing query:
      """
      UNWIND [duration('P1D'), duration('P3D')] AS d RETURN toString(sum(d)) AS s, toString(avg(d)) AS a
      """
    Then the result should be, in any order:
      | s     | a     |
      | 'P4D' | 'P2D' |

  Scenario: [9] Several groups
    Given an empty graph
    And having executed:
      """
      UNWIND [['a', 1], ['b', 2], ['a', 3]] AS p CREATE (:S {k: p[0], v: p[1]})
      """
    When executing query:
      """
      MATCH (s:S) RETURN s.k AS k, sum(s.v) AS sum, collect(s.v) AS l
      """
    Then the result should be (ignoring element order for lists):
      | k   | sum | l      |
      | 'a' | 4   | [1, 3] |
      | 'b' | 2   | [2]    |
    And no side effects

  Scenario: [10] An expression over an aggregate
    Given any graph
    When executing query:
      """
      UNWIND [1, 2, 3] AS x RETURN sum(x) * 10 + count(*) AS v
      """
    Then the result should be, in any order:
      | v  |
      | 63 |

  Scenario: [11] An aggregate within an aggregate is refused
    Given any graph
    When executing query:
      """
      UNWIND [1] AS x RETURN sum(count(x)) AS v
      """
    Then a SyntaxError should be raised at compile time: NestedAggregation

  Scenario: [12] A key within an expression of an aggregate must be projected
    Given any graph
    When executing query:
      """
      UNWIND [1] AS x RETURN x + count(*) AS v
      """
    Then a SyntaxError should be raised at compile time: AmbiguousAggregationExpression

  Scenario: [13] An aggregate in ORDER BY alone is refused
    Given an empty graph
    And having executed:
      """
      CREATE (:S {k: 'a', v: 1})
      """
    When executing query:
      """
      MATCH (s:S) RETURN s.k AS k ORDER BY sum(s.v) DESC
      """
    Then a SyntaxError should be raised at compile time: InvalidAggregation

  Scenario: [14] An aggregate in ORDER BY reads no variable that the projection drops
    Given any graph
    When executing query:
      """
      UNWIND [1] AS s RETURN s % 2 AS k, count(*) AS c ORDER BY sum(s) DESC
      """
    Then a SyntaxError should be raised at compile time: UndefinedVariable

  Scenario: [15] A projected aggregate in ORDER BY
    Given an empty graph
    And having executed:
      """
      UNWIND [['a', 1], ['b', 5], ['a', 3]] AS p CREATE (:S {k: p[0], v: p[1]})
      """
    When executing query:
      """
      MATCH (s:S) RETURN s.k AS k, sum(s.v) AS sum ORDER BY sum(s.v) DESC
      """
    Then the result should be, in order:
      | k   | sum |
      | 'b' | 5   |
      | 'a' | 4   |
    And no side effects

  Scenario: [16] Count of distinct pairs by a list
    Given any graph
    When executing query:
      """
      UNWIND [[1, 2], [1, 2], [2, 1]] AS p RETURN count(DISTINCT [p[0], p[1]]) AS c
      """
    Then the result should be, in any order:
      | c |
      | 2 |
