# Neo4j 5 Cypher Manual: patterns/non-linear-patterns
@manual:patterns/non-linear-patterns
Feature: Non-linear patterns

  Scenario: [1] A triangle
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 'a'}), (b:P {n: 'b'}), (c:P {n: 'c'}), (a)-[:K]->(b)-[:K]->(c)-[:K]->(a), (a)-[:K]->(:P {n: 'd'})
      """
    When executing query:
      """
      MATCH (x:P)-[:K]->(y)-[:K]->(z)-[:K]->(x) RETURN x.n AS x, y.n AS y, z.n AS z
      """
    Then the result should be, in any order:
      | x   | y   | z   |
      | 'a' | 'b' | 'c' |
      | 'b' | 'c' | 'a' |
      | 'c' | 'a' | 'b' |
    And no side effects

  Scenario: [2] A star of three patterns
    Given an empty graph
    And having executed:
      """
      CREATE (h:Hub), (h)-[:A]->({n: 1}), (h)-[:B]->({n: 2}), (h)<-[:C]-({n: 3})
      """
    When executing query:
      """
      MATCH (h:Hub)-[:A]->(a), (h)-[:B]->(b), (h)<-[:C]-(c) RETURN a.n AS a, b.n AS b, c.n AS c
      """
    Then the result should be, in any order:
      | a | b | c |
      | 1 | 2 | 3 |
    And no side effects

  Scenario: [3] Equal properties of two branches
    Given an empty graph
    And having executed:
      """
      CREATE (:P {n: 1, city: 'x'})-[:K]->(:P {n: 2, city: 'x'}), (:P {n: 3, city: 'x'})-[:K]->(:P {n: 4, city: 'y'})
      """
    When executing query:
      """
      MATCH (a:P)-[:K]->(b:P {city: a.city}) RETURN a.n AS a, b.n AS b
      """
    Then the result should be, in any order:
      | a | b |
      | 1 | 2 |
    And no side effects

  Scenario: [4] A loop is one relationship in both directions
    Given an empty graph
    And having executed:
      """
      CREATE (a:A), (a)-[:R]->(a)
      """
    When executing query:
      """
      MATCH (x:A)-[:R]-(y) RETURN count(*) AS c
      """
    Then the result should be, in any order:
      | c |
      | 1 |
    And no side effects
