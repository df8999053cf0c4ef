# Neo4j 5 Cypher Manual: patterns/shortest-paths#shortest-functions
@manual:patterns/shortest-paths#shortest-functions
Feature: shortestPath and allShortestPaths

  Scenario: [1] The shortest of two ways
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (t:T), (s)-[:R]->()-[:R]->(t), (s)-[:R]->()-[:R]->()-[:R]->(t)
      """
    When executing query:
      """
      MATCH p = shortestPath((:S)-[:R*]->(:T)) RETURN length(p) AS l
      """
    Then the result should be, in any order:
      | l |
      | 2 |
    And no side effects

  Scenario: [2] All of them
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (t:T), (s)-[:R]->({n: 1})-[:R]->(t), (s)-[:R]->({n: 2})-[:R]->(t)
      """
    When executing query:
      """
      MATCH p = allShortestPaths((:S)-[:R*]->(:T)) RETURN nodes(p)[1].n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
      | 2 |
    And no side effects

  Scenario: [3] Against the direction of some
    Given an empty graph
    And having executed:
      """
      CREATE (:S)-[:R]->()<-[:R]-(:T)
      """
    When executing query:
      """
      MATCH p = shortestPath((:S)-[:R*]-(:T)) RETURN length(p) AS l
      """
    Then the result should be, in any order:
      | l |
      | 2 |
    And no side effects

  Scenario: [4] An upper bound
    Given an empty graph
    And having executed:
      """
      CREATE (:S)-[:R]->()-[:R]->()-[:R]->(:T)
      """
    When executing query:
      """
      MATCH (s:S), (t:T) OPTIONAL MATCH p = shortestPath((s)-[:R*..2]->(t)) RETURN p
      """
    Then the result should be, in any order:
      | p    |
      | null |
    And no side effects

  Scenario: [5] Several types
    Given an empty graph
    And having executed:
      """
      CREATE (:S)-[:R]->()-[:Q]->(:T)
      """
    When executing query:
      """
      MATCH p = shortestPath((:S)-[:R|Q*]->(:T)) RETURN [r IN relationships(p) | type(r)] AS types
      """
    Then the result should be, in any order:
      | types      |
      | ['R', 'Q'] |
    And no side effects

  Scenario: [6] A condition on all relationships
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (t:T), (s)-[:R {bad: true}]->(t), (s)-[:R {bad: false}]->()-[:R {bad: false}]->(t)
      """
    When executing query:
      """
      MATCH p = shortestPath((:S)-[:R*]->(:T)) WHERE none(r IN relationships(p) WHERE r.bad) RETURN length(p) AS l
      """
    Then the result should be, in any order:
      | l |
      | 2 |
    And no side effects

  Scenario: [7] A condition on all nodes
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (t:T), (s)-[:R]->(:Closed)-[:R]->(t), (s)-[:R]->()-[:R]->()-[:R]->(t)
      """
    When executing query:
      """
      MATCH p = shortestPath((:S)-[:R*]->(:T)) WHERE none(n IN nodes(p) WHERE n:Closed) RETURN length(p) AS l
      """
    Then the result should be, in any order:
      | l |
      | 3 |
    And no side effects

  Scenario: [8] As an expression
    Given an empty graph
    And having executed:
      """
      CREATE (:S)-[:R]->()-[:R]->(:T)
      """
    When executing query:
      """
      MATCH (s:S), (t:T) RETURN length(shortestPath((s)-[:R*]->(t))) AS l
      """
    Then the result should be, in any order:
      | l |
      | 2 |
    And no side effects

  Scenario: [9] A pattern of two relationships is refused
    Given any graph
    When executing query:
      """
      MATCH p = shortestPath((:S)-[:R*]->()-[:R*]->(:T)) RETURN p
      """
    Then a SyntaxError should be raised at compile time: *

  Scenario: [10] A relationship of another pattern may be used, too
    Given an empty graph
    And having executed:
      """
      CREATE (:A {i: 1})-[:K {i: 1}]->(:B {i: 2})-[:K {i: 2}]->(:C {i: 3})
      """
    When executing query:
      """
      MATCH (x)-[r:K]->(y), p = shortestPath((a:A)-[:K*]->(c:C)), q = allShortestPaths((:A)-[:K*]->(:B))
      RETURN r.i AS r, length(p) AS p, length(q) AS q
      """
    Then the result should be, in any order:
      | r | p | q |
      | 1 | 2 | 1 |
      | 2 | 2 | 1 |
    And no side effects

  Scenario: [11] A condition on the path decides before the shortest is taken
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 'a'}), (b:P {n: 'b'}), (c:P {n: 'c'}), (d:P {n: 'd'}),
        (a)-[:K {w: 1}]->(d), (a)-[:K {w: 1}]->(b), (b)-[:K {w: 2}]->(d), (b)-[:K {w: 1}]->(c), (c)-[:K {w: 3}]->(d)
      """
    When executing query:
      """
      UNWIND [0, 1, 2, 3] AS more
      OPTIONAL MATCH p = shortestPath((:P {n: 'a'})-[:K*]->(:P {n: 'd'})) WHERE length(p) > more
      RETURN more, [n IN nodes(p) | n.n] AS nodes
      """
    Then the result should be, in any order:
      | more | nodes                |
      | 0    | ['a', 'd']           |
      | 1    | ['a', 'b', 'd']      |
      | 2    | ['a', 'b', 'c', 'd'] |
      | 3    | null                 |
    And no side effects

  Scenario: [12] All shortest of those for which a condition holds
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (t:T), (s)-[:R {w: 9}]->(t), (s)-[:R {w: 1}]->({n: 1})-[:R {w: 3}]->(t),
        (s)-[:R {w: 2}]->({n: 2})-[:R {w: 2}]->(t), (s)-[:R {w: 7}]->({n: 3})-[:R {w: 7}]->(t)
      """
    When executing query:
      """
      MATCH p = allShortestPaths((:S)-[r:R*]->(:T))
      WHERE reduce(sum = 0, x IN r | sum + x.w) < 9
      RETURN nodes(p)[1].n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
      | 2 |
    And no side effects

  Scenario: [13] A condition that any or a single one of its elements fulfils
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (t:T), (s)-[:R {w: 9}]->(t), (s)-[:R {w: 1}]->(:M)-[:R {w: 1}]->(t)
      """
    When executing query:
      """
      MATCH p = shortestPath((:S)-[:R*]->(:T)) WHERE any(x IN nodes(p) WHERE x:M)
      MATCH q = shortestPath((:S)-[:R*]->(:T)) WHERE single(x IN relationships(q) WHERE x.w = 9)
      RETURN length(p) AS p, length(q) AS q
      """
    Then the result should be, in any order:
      | p | q |
      | 2 | 1 |
    And no side effects

  Scenario: [14] Equal ends are left out by a condition on them
    Given an empty graph
    And having executed:
      """
      CREATE (:L {k: 1})-[:R]->(:L {k: 2})
      """
    When executing query:
      """
      MATCH p = shortestPath((a:L)-[:R*]-(b:L)) WHERE a <> b RETURN count(*) AS c
      """
    Then the result should be, in any order:
      | c |
      | 2 |
    And no side effects

  Scenario: [15] A subquery that does not read the path is a condition on its ends
    Given an empty graph
    And having executed:
      """
      CREATE (:S {p: 1})-[:R]->(:T)-[:K]->(:P)
      """
    When executing query:
      """
      MATCH (a:S), (c:T) MATCH p = shortestPath((a)-[:R*]->(c)) WHERE EXISTS { (c)-[:K]->(:P) WHERE a.p = 1 }
      RETURN length(p) AS l
      """
    Then the result should be, in any order:
      | l |
      | 1 |
    And no side effects
