# Neo4j 5 Cypher Manual: values-and-types/lists
@manual:values-and-types/lists
Feature: Lists

  Scenario Outline: [1] Indexes and slices: <e>
    Given any graph
    When executing query:
      """
      WITH [10, 20, 30, 40] AS l RETURN <e> AS v
      """
    Then the result should be, in any order:
      | v   |
      | <v> |

    Examples:
      | e                                                             | v                    |
      | l[0]                                                          | 10                   |
      | l[-1]                                                         | 40                   |
      | l[9]                                                          | null                 |
      | l[null]                                                       | null                 |
      | l[1..3]                                                       | [20, 30]             |
      | l[..2]                                                        | [10, 20]             |
      | l[2..]                                                        | [30, 40]             |
      | l[-2..]                                                       | [30, 40]             |
      | l[3..1]                                                       | []                   |
      | l + 50                                                        | [10, 20, 30, 40, 50] |
      | [0] + l[..1]                                                  | [0, 10]              |
      | l \|\| [50]                                                   | [10, 20, 30, 40, 50] |
      | [x IN l WHERE x > 20]                                         | [30, 40]             |
      | [x IN l \| x / 10]                                            | [1, 2, 3, 4]         |
      | [x IN l WHERE x > 20 \| x + 1]                                | [31, 41]             |
      | [x IN range(0, size(l) - 1) WHERE x % 2 = 0 \| l[x]]          | [10, 30]             |
      | 20 IN l                                                       | true                 |
      | l = [10, 20, 30, 40]                                          | true                 |
      | [1, [2, 3]][1][0]                                             | 2                    |
      | reduce(t = 0, x IN l \| t + x)                                | 100                  |
      | reduce(s = '', x IN ['a', 'b'] \| s + x)                      | 'ab'                 |
      | reduce(m = l[0], x IN l \| CASE WHEN x > m THEN x ELSE m END) | 40                   |
      | reduce(t = 0, x IN [] \| t + x)                               | 0                    |
      | reduce(t = 0, x IN null \| t + x)                             | null                 |

  @manual:values-and-types/lists#cypher-pattern-comprehension
  Scenario: [2] A pattern comprehension with a path and a condition
    Given an empty graph
    And having executed:
      """
      CREATE (a:A), (a)-[:R]->(:B {n: 1})-[:R]->(:C), (a)-[:R]->(:B {n: 2})
      """
    When executing query:
      """
      MATCH (a:A) RETURN [p = (a)-[:R*]->(x) WHERE x:C | length(p)] AS ls
      """
    Then the result should be, in any order:
      | ls  |
      | [2] |
    And no side effects

  @manual:values-and-types/lists#cypher-pattern-comprehension
  Scenario: [3] A pattern comprehension is empty without matches
    Given an empty graph
    And having executed:
      """
      CREATE (:A)
      """
    When executing query:
      """
      MATCH (a:A) RETURN [(a)-[:R]->(b) | b] AS bs
      """
    Then the result should be, in any order:
      | bs |
      | [] |
    And no side effects

  Scenario: [4] Sorted by the least of a comprehension
    Given any graph
    When executing query:
      """
      WITH [[3, 1], [2, 9], [0]] AS ls UNWIND ls AS l WITH l, reduce(m = l[0], x IN l | CASE WHEN x < m THEN x ELSE m END) AS least RETURN l ORDER BY least
      """
    Then the result should be, in order:
      | l      |
      | [0]    |
      | [3, 1] |
      | [2, 9] |

  Scenario: [5] A variable of a comprehension hides an outer one
    Given any graph
    When executing query:
      """
      WITH 1 AS x RETURN [x IN [5, 6] | x] AS l, x
      """
    Then the result should be, in any order:
      | l      | x |
      | [5, 6] | 1 |

  Scenario Outline: [6] A property that is a single value is a list of one in <test>
    Given an empty graph
    And having executed:
      """
      CREATE (:L {k: 1, t: 'a'}), (:L {k: 2, t: ['a', 'b']}), (:L {k: 3})
      """
    When executing query:
      """
      MATCH (n:L) WHERE <test> RETURN collect(n.k) AS ks
      """
    Then the result should be, in any order:
      | ks   |
      | <ks> |
    And no side effects

    Examples:
      | test                                        | ks        |
      | 'a' IN n.t                                  | [1, 2]    |
      | NOT 'b' IN n.t                              | [1]       |
      | any(x IN n.t WHERE x = 'a')                 | [1, 2]    |
      | all(x IN n.t WHERE x = 'a')                 | [1]       |
      | none(x IN n.t WHERE x = 'b')                | [1]       |
      | single(x IN n.t WHERE x = 'a')              | [1, 2]    |
      | any(x IN n.t WHERE EXISTS { (m:L {t: x}) }) | [1, 2]    |
      | n.k IN n.k                                  | [1, 2, 3] |

  Scenario Outline: [7] A single value of <type> is a list of one wherever a list is wanted
    Given any graph
    When executing query:
      """
      WITH {v: <value>} AS m RETURN [x IN m.v | x] AS c, [x IN m.v WHERE x = m.v] AS f, reduce(n = 0, x IN m.v | n + 1) AS r, m.v IN m.v AS i, m.v[0..1] AS s, tail(m.v) AS t
      """
    Then the result should be, in any order:
      | c         | f         | r | i    | s         | t  |
      | [<value>] | [<value>] | 1 | true | [<value>] | [] |

    Examples:
      | type    | value        |
      | integer | 5            |
      | float   | 1.5          |
      | boolean | true         |
      | string  | 'ab'         |
      | map     | {a: 1, b: 2} |

  Scenario: [8] Null is no list of one
    Given any graph
    When executing query:
      """
      WITH {v: null} AS m RETURN [x IN m.v | x] AS c, reduce(n = 0, x IN m.v | n + 1) AS r, 1 IN m.v AS i, m.v[0..1] AS s, tail(m.v) AS t, any(x IN m.v WHERE true) AS a
      """
    Then the result should be, in any order:
      | c    | r    | i    | s    | t    | a    |
      | null | null | null | null | null | null |

  Scenario: [9] An entry of a mixed list is a list of one
    Given any graph
    When executing query:
      """
      UNWIND [1, [2, 3], null, {a: 1}] AS v RETURN [x IN v | x] AS l, 2 IN v AS i
      """
    Then the result should be, in any order:
      | l        | i     |
      | [1]      | false |
      | [2, 3]   | true  |
      | null     | null  |
      | [{a: 1}] | false |

  Scenario Outline: [10] A parameter that is no list is none in <list>
    Given any graph
    And parameters are:
      | p | 'ab' |
    When executing query:
      """
      RETURN <list> AS l
      """
    Then a SyntaxError should be raised at any time: *

    Examples:
      | list                            |
      | 1 IN $p                         |
      | [x IN $p \| x]                  |
      | [x IN $p WHERE x > 0]           |
      | any(x IN $p WHERE x > 0)        |
      | reduce(s = 0, x IN $p \| s + x) |
      | $p[0..1]                        |
      | tail($p)                        |
      | head($p)                        |
      | $p[0]                           |

  Scenario Outline: [11] What can be no list is refused: <list>
    Given any graph
    When executing query:
      """
      RETURN <list> AS l
      """
    Then a SyntaxError should be raised at compile time: *

    Examples:
      | list                        |
      | 1 IN 1                      |
      | [x IN 'a' \| x]             |
      | any(x IN {a: 1} WHERE true) |
      | reduce(s = 0, x IN 1 \| s)  |
      | 'abc'[0..1]                 |
      | tail('abc')                 |

  Scenario: [12] The path of a pattern comprehension hides an outer variable
    Given an empty graph
    And having executed:
      """
      CREATE (:Q {n: 1})-[:R]->(:Q {n: 2})
      """
    When executing query:
      """
      MATCH p = (a:Q {n: 1})-[:R]->() RETURN [p = (x:Q)-[:R]->(y) | y.n] AS l, length(p) AS n
      """
    Then the result should be, in any order:
      | l   | n |
      | [2] | 1 |
    And no side effects
