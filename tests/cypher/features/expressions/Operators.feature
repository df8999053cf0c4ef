# Neo4j 5 Cypher Manual: syntax/operators
@manual:syntax/operators
Feature: Operators

  Scenario Outline: [1] <e>
    Given any graph
    When executing query:
      """
      RETURN <e> AS v
      """
    Then the result should be, in any order:
      | v   |
      | <v> |

    Examples:
      | e                           | v      |
      | 7 / 2                       | 3      |
      | -7 / 2                      | -3     |
      | 7 / 2.0                     | 3.5    |
      | 7 % 3                       | 1      |
      | -7 % 3                      | -1     |
      | 7.5 % 2                     | 1.5    |
      | 2 ^ 10                      | 1024.0 |
      | 2 ^ 3 ^ 2                   | 64.0   |
      | -2 ^ 2                      | 4.0    |
      | 1 + 2 * 3                   | 7      |
      | 1.0 / 0                     | Inf    |
      | 0.0 / 0                     | NaN    |
      | 1 = 1.0                     | true   |
      | 'a' < 'b'                   | true   |
      | 1 < 'a'                     | null   |
      | null = null                 | null   |
      | null <> 1                   | null   |
      | null IS NULL                | true   |
      | 1 IS NOT NULL               | true   |
      | NOT null                    | null   |
      | null AND false              | false  |
      | null OR true                | true   |
      | true XOR null               | null   |
      | [1, 2] = [1, 2.0]           | true   |
      | [1, null] = [1, 2]          | null   |
      | [1, null] = [2, 2]          | false  |
      | {a: 1, b: 2} = {b: 2, a: 1} | true   |
      | {a: null} = {a: 1}          | null   |
      | [1, 2] < [1, 3]             | true   |
      | 1 < 2 < 3                   | true   |
      | 3 > 2 = 2                   | true   |
      | 1 <> 2                      | true   |
      | 'a' + null                  | null   |
      | {a: {b: [5]}}.a.b[0]        | 5      |
      | NaN = NaN                   | false  |
      | NaN < 1                     | false  |

  Scenario: [2] Division by zero
    Given any graph
    When executing query:
      """
      RETURN 1 / 0 AS v
      """
    Then an ArithmeticError should be raised at any time: *

  Scenario: [3] Overflow of a sum
    Given any graph
    When executing query:
      """
      RETURN 9223372036854775807 + 1 AS v
      """
    Then an ArithmeticError should be raised at any time: *

  @manual:values-and-types/ordering-equality-comparison
  Scenario: [4] The order of types
    Given any graph
    When executing query:
      """
      UNWIND [3, 'a', true, null, 1.5, [1], {k: 1}] AS x WITH x ORDER BY x RETURN collect(valueType(x)) AS types, count(*) AS c
      """
    Then the result should be, in any order:
      | types                                                                                                                                    | c |
      | ['MAP NOT NULL', 'LIST<INTEGER NOT NULL> NOT NULL', 'STRING NOT NULL', 'BOOLEAN NOT NULL', 'FLOAT NOT NULL', 'INTEGER NOT NULL', 'NULL'] | 7 |

  @manual:values-and-types/working-with-null
  Scenario: [5] Access of a property of null
    Given any graph
    When executing query:
      """
      WITH null AS n RETURN n.name AS a, n['x'] AS b
      """
    Then the result should be, in any order:
      | a    | b    |
      | null | null |

  @manual:values-and-types/working-with-null
  Scenario: [6] A property of a number
    Given any graph
    When executing query:
      """
      WITH 1 AS n RETURN n.name AS a
      """
    Then a TypeError should be raised at compile time: *

  @manual:values-and-types/property-structural-constructed
  Scenario: [7] Equality of nodes is identity
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1}), (:A {n: 1})
      """
    When executing query:
      """
      MATCH (x:A), (y:A) RETURN x = y AS same, count(*) AS c
      """
    Then the result should be, in any order:
      | same  | c |
      | true  | 2 |
      | false | 2 |
    And no side effects

  Scenario Outline: [8] Maps are compared: <test>
    Given any graph
    When executing query:
      """
      RETURN <test> AS r
      """
    Then the result should be, in any order:
      | r   |
      | <r> |

    Examples:
      | test                           | r    |
      | {a: 1} < {a: 2}                | true |
      | {b: 2} > {a: 1}                | true |
      | {} < {a: null}                 | true |
      | {z: 1} < {a: 1, b: 1}          | true |
      | {a: 2} < {b: 1}                | true |
      | {b: 2, a: 1} < {a: 2, b: 1}    | true |
      | {a: null} < {a: 1}             | null |
      | {a: 'x'} < {a: 1}              | null |
      | {a: 1, b: null} < {a: 2, b: 1} | true |
      | [{a: 1}] < [{a: 2}]            | true |
      | {a: 1} <= {a: 1.0}             | true |

  Scenario Outline: [9] XOR of what is no boolean
    Given an empty graph
    And having executed:
      """
      CREATE (:L {k: 1})
      """
    When executing query:
      """
      MATCH (n:L) RETURN <test> AS r
      """
    Then a TypeError should be raised at runtime: *

    Examples:
      | test         |
      | n.k XOR true |
      | n.k XOR null |
      | n.k XOR n.k  |
      | true XOR n.k |

  Scenario: [10] Elements and paths are in the order of their ids
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {k: 1})-[:R {k: 1}]->(b:P {k: 2})-[:R {k: 2}]->(c:P {k: 3})
      """
    When executing query:
      """
      MATCH (a:P), (b:P)
      WITH count(CASE WHEN a < b THEN 1 END) AS less, count(CASE WHEN a <= b THEN 1 END) AS most,
        count(CASE WHEN [a] < [b] THEN 1 END) AS lists
      MATCH ()-[r]->(), ()-[s]->()
      WITH less, most, lists, count(CASE WHEN r > s THEN 1 END) AS edges
      MATCH p = (:P {k: 1})-->()
      RETURN less, most, lists, edges, p <= p AS paths
      """
    Then the result should be, in any order:
      | less | most | lists | edges | paths |
      | 3    | 6    | 3     | 1     | true  |
    And no side effects

  Scenario: [11] Values without an order are at least themselves
    Given an empty graph
    When executing query:
      """
      WITH duration('P1D') AS d, point({x: 1, y: 2}) AS p
      RETURN d <= d AS a, d >= d AS b, d < d AS c, p >= p AS e, d < duration('P2D') AS f,
        p <= point({x: 3, y: 4}) AS g, [d] < [d] AS h, [1, 1] < [0.0 / 0.0, 2] AS i
      """
    Then the result should be, in any order:
      | a    | b    | c     | e    | f    | g    | h     | i    |
      | true | true | false | true | null | null | false | null |
    And no side effects
