# Neo4j 5 Cypher Manual: expressions/conditional-expressions
@manual:expressions/conditional-expressions
Feature: CASE

  Scenario: [1] The simple form
    Given an empty graph
    And having executed:
      """
      CREATE (:P {eyes: 'blue'}), (:P {eyes: 'brown'}), (:P)
      """
    When executing query:
      """
      MATCH (p:P) RETURN CASE p.eyes WHEN 'blue' THEN 1 WHEN 'brown' THEN 2 ELSE 3 END AS v ORDER BY v
      """
    Then the result should be, in order:
      | v |
      | 1 |
      | 2 |
      | 3 |
    And no side effects

  Scenario: [2] The generic form
    Given any graph
    When executing query:
      """
      UNWIND [5, 15, 25] AS x RETURN CASE WHEN x < 10 THEN 'low' WHEN x < 20 THEN 'mid' ELSE 'high' END AS v
      """
    Then the result should be, in any order:
      | v      |
      | 'low'  |
      | 'mid'  |
      | 'high' |

  Scenario: [3] Without ELSE
    Given any graph
    When executing query:
      """
      RETURN CASE 5 WHEN 1 THEN 'a' END AS v
      """
    Then the result should be, in any order:
      | v    |
      | null |

  Scenario: [4] The extended form with operators
    Given any graph
    When executing query:
      """
      UNWIND [-3, 0, 12, 1500] AS x
      RETURN CASE x WHEN < 0 THEN 'negative' WHEN 0, 1, 2 THEN 'few' WHEN > 1000 THEN 'many' ELSE 'some' END AS v
      """
    Then the result should be, in any order:
      | v          |
      | 'negative' |
      | 'few'      |
      | 'some'     |
      | 'many'     |

  Scenario: [5] The extended form with other predicates
    Given any graph
    When executing query:
      """
      UNWIND [null, 'ab', 'cd', 3] AS x
      RETURN CASE x WHEN IS NULL THEN 'null' WHEN STARTS WITH 'a' THEN 'a…' WHEN IS TYPED INTEGER THEN 'number' ELSE 'other' END AS v
      """
    Then the result should be, in any order:
      | v        |
      | 'null'   |
      | 'a…'     |
      | 'other'  |
      | 'number' |

  Scenario: [6] The simple form does not find null
    Given any graph
    When executing query:
      """
      RETURN CASE null WHEN null THEN 'found' ELSE 'not' END AS v
      """
    Then the result should be, in any order:
      | v     |
      | 'not' |

  Scenario: [7] Counted by a condition
    Given any graph
    When executing query:
      """
      UNWIND [1, 2, 3, 4] AS x RETURN sum(CASE WHEN x % 2 = 0 THEN 1 ELSE 0 END) AS even, count(CASE WHEN x > 1 THEN 1 END) AS big
      """
    Then the result should be, in any order:
      | even | big |
      | 2    | 3   |

  Scenario: [8] In ORDER BY
    Given any graph
    When executing query:
      """
      UNWIND ['low', 'high', 'mid'] AS p RETURN p ORDER BY CASE p WHEN 'high' THEN 0 WHEN 'mid' THEN 1 ELSE 2 END
      """
    Then the result should be, in order:
      | p      |
      | 'high' |
      | 'mid'  |
      | 'low'  |
