# Neo4j 5 Cypher Manual: clauses/set
@manual:clauses/set
Feature: SET and REMOVE

  Scenario: [1] A map replaces all properties
    Given an empty graph
    And having executed:
      """
      CREATE (:A {x: 1, y: 2})
      """
    When executing query:
      """
      MATCH (a:A) SET a = {y: 3, z: 4} RETURN a
      """
    Then the result should be, in any order:
      | a                 |
      | (:A {y: 3, z: 4}) |
    And the side effects should be:
      | +properties | 2 |
      | -properties | 2 |

  Scenario: [2] A map is added, and null in it removes
    Given an empty graph
    And having executed:
      """
      CREATE (:A {x: 1, y: 2})
      """
    When executing query:
      """
      MATCH (a:A) SET a += {x: null, z: 3} RETURN a
      """
    Then the result should be, in any order:
      | a                 |
      | (:A {y: 2, z: 3}) |
    And the side effects should be:
      | +properties | 1 |
      | -properties | 1 |

  Scenario: [3] All properties are removed by an empty map
    Given an empty graph
    And having executed:
      """
      CREATE (:A {x: 1, y: 2})
      """
    When executing query:
      """
      MATCH (a:A) SET a = {} RETURN a
      """
    Then the result should be, in any order:
      | a    |
      | (:A) |
    And the side effects should be:
      | -properties | 2 |

  Scenario: [4] Properties of another node are copied
    Given an empty graph
    And having executed:
      """
      CREATE (:A {x: 1}), (:B {y: 2})
      """
    When executing query:
      """
      MATCH (a:A), (b:B) SET a = properties(b) RETURN a
      """
    Then the result should be, in any order:
      | a           |
      | (:A {y: 2}) |
    And the side effects should be:
      | +properties | 1 |
      | -properties | 1 |

  Scenario: [5] Several items, labels and properties at once
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1})
      """
    When executing query:
      """
      MATCH (a:A) SET a:B:C, a.n = a.n + 1, a.m = 2 * a.n RETURN a.n AS n, a.m >= 2 AS m, size(labels(a)) AS l
      """
    Then the result should be, in any order:
      | n | m    | l |
      | 2 | true | 3 |
    And the side effects should be:
      | +labels     | 2 |
      | +properties | 2 |
      | -properties | 1 |

  Scenario: [6] SET by a condition
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1}), (:A {n: 2})
      """
    When executing query:
      """
      MATCH (a:A) SET (CASE WHEN a.n = 1 THEN a END).one = true RETURN a.n AS n, a.one AS one
      """
    Then the result should be, in any order:
      | n | one  |
      | 1 | true |
      | 2 | null |
    And the side effects should be:
      | +properties | 1 |

  Scenario: [7] SET on null does nothing
    Given an empty graph
    When executing query:
      """
      OPTIONAL MATCH (n:Absent) SET n.x = 1, n:L RETURN n
      """
    Then the result should be, in any order:
      | n    |
      | null |
    And the side effects should be:
      | +nodes | 0 |

  Scenario: [8] A map as a value is refused
    Given an empty graph
    And having executed:
      """
      CREATE (:A)
      """
    When executing query:
      """
      MATCH (a:A) SET a.x = {y: 1}
      """
    Then a TypeError should be raised at any time: InvalidPropertyType

  Scenario: [9] A list of different types is refused
    Given an empty graph
    And having executed:
      """
      CREATE (:A)
      """
    When executing query:
      """
      MATCH (a:A) SET a.x = [1, 'two']
      """
    Then a TypeError should be raised at any time: InvalidPropertyType

  Scenario: [10] Null within a stored list is refused
    Given an empty graph
    And having executed:
      """
      CREATE (:A)
      """
    When executing query:
      """
      MATCH (a:A) SET a.x = [1, null]
      """
    Then a TypeError should be raised at any time: *

  Scenario: [11] Integers and floats in one stored list become floats
    Given an empty graph
    And having executed:
      """
      CREATE (:A)
      """
    When executing query:
      """
      MATCH (a:A) SET a.x = [1, 2.5] RETURN a.x AS x
      """
    Then the result should be, in any order:
      | x          |
      | [1.0, 2.5] |
    And the side effects should be:
      | +properties | 1 |

  Scenario: [12] Two properties of a node are exchanged
    Given an empty graph
    And having executed:
      """
      CREATE (:A {x: 1, y: 2})
      """
    When executing query:
      """
      MATCH (a:A) SET a.x = a.y, a.y = a.x RETURN a.x AS x, a.y AS y
      """
    Then the result should be, in any order:
      | x | y |
      | 2 | 1 |
    And the side effects should be:
      | +properties | 2 |
      | -properties | 2 |

  Scenario: [13] A dynamic key among the properties of a node
    Given an empty graph
    And having executed:
      """
      CREATE (:A {x: 1, y: 2})
      """
    When executing query:
      """
      MATCH (a:A) SET a['x'] = a.y, a.y = a.x, a.z = 3 RETURN a.x AS x, a.y AS y, a.z AS z
      """
    Then the result should be, in any order:
      | x | y | z |
      | 2 | 1 | 3 |
    And the side effects should be:
      | +properties | 3 |
      | -properties | 2 |

  Scenario: [14] Of two values for one key the later one is set
    Given an empty graph
    And having executed:
      """
      CREATE (:A {x: 1})
      """
    When executing query:
      """
      MATCH (a:A) SET a.x = a.x + 1, a.x = a.x + 10 RETURN a.x AS x
      """
    Then the result should be, in any order:
      | x  |
      | 11 |
    And the side effects should be:
      | +properties | 1 |
      | -properties | 1 |

  Scenario: [15] Items of another kind are one after the other
    Given an empty graph
    And having executed:
      """
      CREATE (:A {x: 1}), (:B)
      """
    When executing query:
      """
      MATCH (a:A), (b:B) SET a += {x: 5}, b.x = a.x RETURN a.x AS a, b.x AS b
      """
    Then the result should be, in any order:
      | a | b |
      | 5 | 5 |
    And the side effects should be:
      | +properties | 2 |
      | -properties | 1 |
