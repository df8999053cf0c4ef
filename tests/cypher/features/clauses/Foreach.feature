# Neo4j 5 Cypher Manual: clauses/foreach
@manual:clauses/foreach
Feature: FOREACH

  Scenario: [1] Each entry of a list makes a node
    Given an empty graph
    When executing query:
      """
      FOREACH (name IN ['oak', 'elm', 'fir'] | CREATE (:Tree {name: name}))
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes      | 3 |
      | +labels     | 1 |
      | +properties | 3 |

  Scenario: [2] An empty list and null do nothing
    Given an empty graph
    When executing query:
      """
      FOREACH (x IN [] | CREATE (:A))
      FOREACH (x IN null | CREATE (:B))
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes | 0 |

  Scenario: [3] All nodes of a path are marked
    Given an empty graph
    And having executed:
      """
      CREATE (:Stop {n: 1})-[:NEXT]->(:Stop {n: 2})-[:NEXT]->(:Stop {n: 3})
      """
    When executing query:
      """
      MATCH p = (:Stop {n: 1})-[:NEXT*2]->(:Stop)
      FOREACH (stop IN nodes(p) | SET stop.seen = true)
      """
    Then the result should be empty
    And the side effects should be:
      | +properties | 3 |

  Scenario: [4] All relationships of a path are marked
    Given an empty graph
    And having executed:
      """
      CREATE (:Stop {n: 1})-[:NEXT]->(:Stop {n: 2})-[:NEXT]->(:Stop {n: 3})
      """
    When executing query:
      """
      MATCH p = (:Stop {n: 1})-[:NEXT*2]->(:Stop)
      FOREACH (leg IN relationships(p) | SET leg.open = true)
      """
    Then the result should be empty
    And the side effects should be:
      | +properties | 2 |

  Scenario: [5] Several updates in one body, in order
    Given an empty graph
    When executing query:
      """
      FOREACH (x IN [1, 2] | CREATE (n:N {x: x}) SET n.double = 2 * x SET n:Done)
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes      | 2 |
      | +labels     | 2 |
      | +properties | 4 |
    When executing control query:
      """
      MATCH (n:Done) RETURN n.x AS x, n.double AS double
      """
    Then the result should be, in any order:
      | x | double |
      | 1 | 2      |
      | 2 | 4      |

  Scenario: [6] A body within a body
    Given an empty graph
    When executing query:
      """
      FOREACH (x IN [1, 2] | FOREACH (y IN [10, 20] | CREATE (:Sum {v: x + y})))
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes      | 4 |
      | +labels     | 1 |
      | +properties | 4 |
    When executing control query:
      """
      MATCH (s:Sum) RETURN s.v AS v
      """
    Then the result should be, in any order:
      | v  |
      | 11 |
      | 21 |
      | 12 |
      | 22 |

  Scenario: [7] MERGE in a body finds what an earlier round made
    Given an empty graph
    When executing query:
      """
      FOREACH (k IN ['a', 'b', 'a', 'a'] | MERGE (:Key {k: k}))
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes      | 2 |
      | +labels     | 1 |
      | +properties | 2 |

  Scenario: [8] A conditional update by CASE
    Given an empty graph
    And having executed:
      """
      CREATE (:P {n: 1}), (:P {n: 2}), (:P {n: 3})
      """
    When executing query:
      """
      MATCH (p:P)
      FOREACH (ignored IN CASE WHEN p.n % 2 = 1 THEN [1] ELSE [] END | SET p:Odd)
      RETURN count(p) AS all
      """
    Then the result should be, in any order:
      | all |
      | 3   |
    And the side effects should be:
      | +labels | 1 |
    When executing control query:
      """
      MATCH (p:Odd) RETURN p.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
      | 3 |

  Scenario: [9] The variable of the loop is unknown behind it
    Given any graph
    When executing query:
      """
      FOREACH (x IN [1] | CREATE (:A)) RETURN x
      """
    Then a SyntaxError should be raised at compile time: UndefinedVariable

  Scenario: [10] The variable of the loop hides another of its name
    Given an empty graph
    When executing query:
      """
      WITH 7 AS x FOREACH (x IN [1, 2] | CREATE (:A {x: x})) RETURN x
      """
    Then the result should be, in any order:
      | x |
      | 7 |
    And the side effects should be:
      | +nodes      | 2 |
      | +labels     | 1 |
      | +properties | 2 |

  Scenario: [11] A body does not read
    Given any graph
    When executing query:
      """
      FOREACH (x IN [1] | MATCH (n) SET n.x = x)
      """
    Then a SyntaxError should be raised at compile time: *

  Scenario: [12] Relationships to a bound node
    Given an empty graph
    And having executed:
      """
      CREATE (:Hub)
      """
    When executing query:
      """
      MATCH (h:Hub)
      FOREACH (i IN range(1, 4) | CREATE (h)-[:SPOKE {i: i}]->(:Rim))
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes         | 4 |
      | +relationships | 4 |
      | +labels        | 1 |
      | +properties    | 4 |

  Scenario: [13] Nodes of a list are deleted
    Given an empty graph
    And having executed:
      """
      CREATE (:D {n: 1}), (:D {n: 2}), (:K)
      """
    When executing query:
      """
      MATCH (d:D) WITH collect(d) AS ds
      FOREACH (d IN ds | DELETE d)
      """
    Then the result should be empty
    And the side effects should be:
      | -nodes      | 2 |
      | -labels     | 1 |
      | -properties | 2 |

  Scenario Outline: [14] A single value is a list of one: <value>
    Given an empty graph
    When executing query:
      """
      FOREACH (x IN <value> | CREATE (:L))
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes  | <n> |
      | +labels | 1   |

    Examples:
      | value        | n |
      | 5            | 1 |
      | 'ab'         | 1 |
      | {a: 1, b: 2} | 1 |
      | [1, 2]       | 2 |
      | {v: 3}.v     | 1 |

  Scenario: [15] A property and a parameter that are single values
    Given an empty graph
    And having executed:
      """
      CREATE (:L {i: 5})
      """
    And parameters are:
      | p | 7 |
    When executing query:
      """
      MATCH (n:L)
      FOREACH (x IN n.i | SET n.j = x)
      FOREACH (x IN $p | SET n.k = x)
      FOREACH (x IN n.nothing | SET n.l = x)
      RETURN n.i AS i, n.j AS j, n.k AS k, n.l AS l
      """
    Then the result should be, in any order:
      | i | j | k | l    |
      | 5 | 5 | 7 | null |
    And the side effects should be:
      | +properties | 2 |
