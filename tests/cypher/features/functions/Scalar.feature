# Neo4j 5 Cypher Manual: functions/scalar
@manual:functions/scalar
Feature: Scalar functions

  Scenario Outline: [1] The value of <call>
    Given any graph
    When executing query:
      """
      RETURN <call> AS v
      """
    Then the result should be, in any order:
      | v   |
      | <v> |

    Examples:
      | call                        | v      |
      | coalesce(null, null, 3, 4)  | 3      |
      | coalesce(null, null)        | null   |
      | head([1, 2, 3])             | 1      |
      | head([])                    | null   |
      | last([1, 2, 3])             | 3      |
      | last([])                    | null   |
      | last(null)                  | null   |
      | size([1, null])             | 2      |
      | nullIf(4, 4)                | null   |
      | nullIf('a', 'b')            | 'a'    |
      | nullIf(1, 1.0)              | null   |
      | toInteger('42')             | 42     |
      | toInteger('4.9')            | 4      |
      | toInteger('four')           | null   |
      | toInteger(-4.9)             | -4     |
      | toInteger(true)             | 1      |
      | toIntegerOrNull([1])        | null   |
      | toFloat('4.5')              | 4.5    |
      | toFloat('x')                | null   |
      | toFloat(3)                  | 3.0    |
      | toFloatOrNull({a: 1})       | null   |
      | toBoolean('TRUE')           | true   |
      | toBoolean('yes')            | null   |
      | toBoolean(0)                | false  |
      | toBoolean(7)                | true   |
      | toBooleanOrNull(1.5)        | null   |
      | size(randomUUID())          | 36     |
      | timestamp() > 1700000000000 | true   |
      | properties({a: 1})          | {a: 1} |

  Scenario: [2] A list has no integer
    Given any graph
    When executing query:
      """
      RETURN toInteger([1]) AS v
      """
    Then a TypeError should be raised at any time: *

  Scenario: [3] elementId() and id() find the element again
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 7})-[:R {m: 8}]->(:B)
      """
    When executing query:
      """
      MATCH (a:A)-[r:R]->(b)
      WITH elementId(a) AS ea, elementId(r) AS er, id(a) AS ia
      MATCH (x)-[q]->() WHERE elementId(x) = ea AND elementId(q) = er AND id(x) = ia
      RETURN x.n AS n, q.m AS m
      """
    Then the result should be, in any order:
      | n | m |
      | 7 | 8 |
    And no side effects

  Scenario: [4] elementId() is a string
    Given an empty graph
    And having executed:
      """
      CREATE (:A)
      """
    When executing query:
      """
      MATCH (a:A) RETURN elementId(a) IS :: STRING NOT NULL AS s, id(a) IS :: INTEGER NOT NULL AS i
      """
    Then the result should be, in any order:
      | s    | i    |
      | true | true |
    And no side effects

  Scenario: [5] startNode(), endNode() and type()
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1})<-[:R]-(:B {n: 2})
      """
    When executing query:
      """
      MATCH (:A)-[r]-(:B) RETURN startNode(r).n AS s, endNode(r).n AS e, type(r) AS t
      """
    Then the result should be, in any order:
      | s | e | t   |
      | 2 | 1 | 'R' |
    And no side effects

  Scenario: [6] startNode() of null
    Given any graph
    When executing query:
      """
      OPTIONAL MATCH ()-[r:NONE]->() RETURN startNode(r) AS s, endNode(r) AS e, type(r) AS t
      """
    Then the result should be, in any order:
      | s    | e    | t    |
      | null | null | null |

  Scenario: [7] properties() of elements
    Given an empty graph
    And having executed:
      """
      CREATE (:A {x: 1})-[:R {y: 2}]->(:B)
      """
    When executing query:
      """
      MATCH (a:A)-[r]->(b) RETURN properties(a) AS a, properties(r) AS r, properties(b) AS b
      """
    Then the result should be, in any order:
      | a      | r      | b  |
      | {x: 1} | {y: 2} | {} |
    And no side effects

  Scenario: [8] length() of a path
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:R]->(:B)-[:R]->(:C)
      """
    When executing query:
      """
      MATCH p = (:A)-->()-->(:C) RETURN length(p) AS l
      """
    Then the result should be, in any order:
      | l |
      | 2 |
    And no side effects

  Scenario Outline: [9] valueType() of <value>
    Given any graph
    When executing query:
      """
      RETURN valueType(<value>) AS t
      """
    Then the result should be, in any order:
      | t      |
      | <type> |

    Examples:
      | value               | type                                                 |
      | true                | 'BOOLEAN NOT NULL'                                   |
      | 1                   | 'INTEGER NOT NULL'                                   |
      | 1.5                 | 'FLOAT NOT NULL'                                     |
      | 'a'                 | 'STRING NOT NULL'                                    |
      | null                | 'NULL'                                               |
      | {a: 1}              | 'MAP NOT NULL'                                       |
      | []                  | 'LIST<NOTHING> NOT NULL'                             |
      | [1, 2]              | 'LIST<INTEGER NOT NULL> NOT NULL'                    |
      | [1, null]           | 'LIST<INTEGER> NOT NULL'                             |
      | [1, 'a']            | 'LIST<STRING NOT NULL \| INTEGER NOT NULL> NOT NULL' |
      | date('2024-02-29')  | 'DATE NOT NULL'                                      |
      | duration('P1D')     | 'DURATION NOT NULL'                                  |
      | point({x: 1, y: 2}) | 'POINT NOT NULL'                                     |
