# Neo4j 5 Cypher Manual: clauses/set, clauses/create, clauses/merge
@manual:clauses/set
Feature: Null and values of a wrong type where something is written

  Scenario Outline: [1] A map that is null is no empty map
    Given an empty graph
    And having executed:
      """
      CREATE (:A {k: 1, a: 1})-[:R {z: 9}]->(:B {b: 2})
      """
    And parameters are:
      | p | null |
    When executing query:
      """
      MATCH (n:A)-[r:R]->(m:B) OPTIONAL MATCH (none:None) <clause>
      """
    Then a TypeError should be raised at runtime: *
    When executing control query:
      """
      MATCH (n:A)-[r:R]->(m:B) RETURN n, r, m
      """
    Then the result should be, in any order:
      | n                 | r           | m           |
      | (:A {k: 1, a: 1}) | [:R {z: 9}] | (:B {b: 2}) |

    Examples:
      | clause                                             |
      | SET n = $p                                         |
      | SET n += $p                                        |
      | SET n = $p.inner                                   |
      | SET n = null                                       |
      | SET n += null                                      |
      | SET r = $p                                         |
      | SET r += $p                                        |
      | SET n = none                                       |
      | SET n += none                                      |
      | SET n = properties(none)                           |
      | SET n = none{.*}                                   |
      | SET n = head([])                                   |
      | SET n = CASE WHEN false THEN {a: 4} END            |
      | SET n = coalesce(null, null)                       |
      | WITH n, null AS x SET n = x                        |
      | UNWIND [{a: 2}, null] AS x SET n = x               |
      | UNWIND [{a: 2}, null] AS x SET n += x              |
      | UNWIND [{a: 2}, 3] AS x SET n = x                  |
      | UNWIND [{a: 2}, 'x'] AS x SET n += x               |
      | FOREACH (x IN [null] \| SET n = x)                 |
      | MERGE (x:A {k: 1}) ON MATCH SET x = $p             |
      | MERGE (x:A {k: 7}) ON CREATE SET x = $p            |
      | MERGE (x:A {k: 7}) ON CREATE SET x += $p           |
      | CREATE (x:C $p)                                    |
      | CREATE (:C)-[x:R $p]->(:C)                         |

  Scenario Outline: [2] What can be no map is refused before it runs
    Given an empty graph
    And having executed:
      """
      CREATE (:A {k: 1, a: 1})
      """
    When executing query:
      """
      MATCH (n:A) <clause>
      """
    Then a SyntaxError should be raised at compile time: InvalidArgumentType
    When executing control query:
      """
      MATCH (n:A) RETURN n
      """
    Then the result should be, in any order:
      | n                 |
      | (:A {k: 1, a: 1}) |

    Examples:
      | clause                                           |
      | SET n = n.missing                                |
      | SET n += n.missing                               |
      | SET n = n['missing']                             |
      | SET n = [1]                                      |
      | SET n = date()                                   |
      | WITH n, n.a AS x SET n = x                       |
      | WITH n, collect(n.a) AS x SET n = x[0]           |
      | MERGE (x:A {k: 1}) ON MATCH SET x = x.missing    |
      | SET n.details.age = 21                           |
      | WITH n.a AS x SET x.y = 1                        |
      | SET n:$(1)                                       |
      | SET n[1] = 1                                     |
      | DELETE n.a                                       |

  Scenario Outline: [3] The type of a parameter is known before a statement runs
    Given an empty graph
    And having executed:
      """
      CREATE (:A {k: 1})
      """
    And parameters are:
      | number | 1         |
      | list   | [{a: 1}]  |
      | text   | 'x'       |
    When executing query:
      """
      <clause>
      """
    Then a SyntaxError should be raised at any time: InvalidArgumentType
    When executing control query:
      """
      MATCH (n) RETURN n
      """
    Then the result should be, in any order:
      | n           |
      | (:A {k: 1}) |

    Examples:
      | clause                                       |
      | MATCH (n:A) SET n = $number                  |
      | MATCH (n:A) SET n += $list                   |
      | MATCH (n:None) SET n = $text                 |
      | OPTIONAL MATCH (n:None) SET n = $number      |
      | CREATE (n:C $number)                         |
      | CREATE (n:C $list)                           |
      | CREATE (:C)-[:R $text]->(:C)                 |
      | MATCH (n:A) SET n[$number] = 1               |
      | MATCH (n:A) REMOVE n[$list]                  |
      | MATCH (n:A) SET n:$($number)                 |
      | CREATE (n:$($number))                        |

  Scenario Outline: [4] A name that is written is a text, and not an empty one
    Given an empty graph
    And having executed:
      """
      CREATE (:A {k: 1})
      """
    And parameters are:
      | p     | null    |
      | names | ['B', 1] |
      | empty | {``: 1} |
    When executing query:
      """
      MATCH (n:A) <clause>
      """
    Then a <error> should be raised at any time: *
    When executing control query:
      """
      MATCH (n) RETURN n
      """
    Then the result should be, in any order:
      | n           |
      | (:A {k: 1}) |

    Examples:
      | clause                                   | error       |
      | SET n[$p] = 1                            | TypeError   |
      | SET n[n.missing] = 1                     | TypeError   |
      | REMOVE n[$p]                             | TypeError   |
      | UNWIND ['x', null] AS k SET n[k] = 1     | TypeError   |
      | SET n:$($p)                              | TypeError   |
      | SET n:$($names)                          | TypeError   |
      | REMOVE n:$($p)                           | TypeError   |
      | CREATE (:$($p))                          | TypeError   |
      | SET n[null] = 1                          | SyntaxError |
      | SET n[''] = 1                            | SyntaxError |
      | SET n.`` = 1                             | SyntaxError |
      | SET n:$(null)                            | SyntaxError |
      | CREATE (:``)                             | SyntaxError |
      | CREATE ({``: 1})                         | SyntaxError |

  Scenario Outline: [5] A merge by what equals nothing is refused
    Given an empty graph
    And having executed:
      """
      CREATE (:A {k: 1})-[:X]->(:B)
      """
    And parameters are:
      | p | null |
    When executing query:
      """
      MATCH (a:A)-->(b:B) <clause>
      """
    Then a SemanticError should be raised at runtime: MergeReadOwnWrites
    When executing control query:
      """
      MATCH ()-[r]->() RETURN count(r) AS c
      """
    Then the result should be, in any order:
      | c |
      | 1 |

    Examples:
      | clause                                      |
      | MERGE (:C {a: $p})                          |
      | MERGE (:C {a: a.none})                      |
      | MERGE (:C {a: 0.0 / 0.0})                   |
      | MERGE (a)-[:R {x: $p}]->(b)                 |
      | MERGE (a)-[:R {x: $p}]-(b)                  |
      | MERGE (a)-[:R]->(:C {x: $p})                |

  Scenario Outline: [6] What is set on null is not evaluated
    Given an empty graph
    When executing query:
      """
      OPTIONAL MATCH (n:None) <clause> RETURN n
      """
    Then the result should be, in any order:
      | n    |
      | null |
    And no side effects

    Examples:
      | clause               |
      | SET n = null         |
      | SET n = {a: 1}       |
      | SET n += null        |
      | SET n.a = 1 / 0      |
      | SET n.a = {x: 1}     |
      | SET n:Foo            |
      | REMOVE n.a, n:Foo    |
      | DELETE n             |

  Scenario: [7] An empty map is one
    Given an empty graph
    And having executed:
      """
      CREATE (:A {k: 1})-[:R {z: 9}]->(:B {b: 2})
      """
    And parameters are:
      | p | {} |
    When executing query:
      """
      MATCH (n:A)-[r:R]->(m:B) SET n = $p, r = $p, m += $p CREATE (c:C $p) RETURN n, r, m, c
      """
    Then the result should be, in any order:
      | n    | r    | m           | c    |
      | (:A) | [:R] | (:B {b: 2}) | (:C) |

  Scenario: [8] Elements of a list may be of both kinds
    Given an empty graph
    And having executed:
      """
      CREATE (:A {k: 1})-[:R {z: 9}]->(:B {b: 2})
      """
    When executing query:
      """
      MATCH (n:A)-[r:R]->(m:B) UNWIND [r, m] AS x CREATE (c:C) SET c = x, c += x RETURN c
      """
    Then the result should be, in any order:
      | c           |
      | (:C {z: 9}) |
      | (:C {b: 2}) |
