# Neo4j 5 Cypher Manual: patterns/reference#label-expressions
@manual:patterns/reference#label-expressions
Feature: Label expressions

  Scenario: [1] Either label
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1}), (:B {n: 2}), (:C {n: 3}), (:A:B {n: 4})
      """
    When executing query:
      """
      MATCH (x:A|B) RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
      | 2 |
      | 4 |
    And no side effects

  Scenario: [2] Both labels by an ampersand
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1}), (:B {n: 2}), (:A:B {n: 4})
      """
    When executing query:
      """
      MATCH (x:A&B) RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 4 |
    And no side effects

  Scenario: [3] Not a label
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1}), (:B {n: 2}), ({n: 3})
      """
    When executing query:
      """
      MATCH (x:!A) RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 2 |
      | 3 |
    And no side effects

  Scenario: [4] Any label, and none
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1}), ({n: 3})
      """
    When executing query:
      """
      MATCH (x:%) WITH collect(x.n) AS some MATCH (y:!%) RETURN some, collect(y.n) AS none
      """
    Then the result should be, in any order:
      | some | none |
      | [1]  | [3]  |
    And no side effects

  Scenario: [5] Parentheses
    Given an empty graph
    And having executed:
      """
      CREATE (:A:B {n: 1}), (:A:C {n: 2}), (:B:C {n: 3}), (:A {n: 4})
      """
    When executing query:
      """
      MATCH (x:A&(B|C)) RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
      | 2 |
    And no side effects

  Scenario: [6] Precedence: and before or
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1}), (:B {n: 2}), (:B:C {n: 3}), (:C {n: 4})
      """
    When executing query:
      """
      MATCH (x:A|B&C) RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
      | 3 |
    And no side effects

  Scenario: [7] Double negation
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1}), (:B {n: 2})
      """
    When executing query:
      """
      MATCH (x:!!A) RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
    And no side effects

  Scenario: [8] Neither of two
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1}), (:B {n: 2}), (:C {n: 3})
      """
    When executing query:
      """
      MATCH (x:!(A|B)) RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 3 |
    And no side effects

  Scenario: [9] As a predicate
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1}), (:A:B {n: 2})
      """
    When executing query:
      """
      MATCH (x) RETURN x.n AS n, x:A&!B AS only_a
      """
    Then the result should be, in any order:
      | n | only_a |
      | 1 | true   |
      | 2 | false  |
    And no side effects

  Scenario: [10] IS in place of the colon
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1}), (:B {n: 2})
      """
    When executing query:
      """
      MATCH (x IS A|B) WHERE x IS B RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 2 |
    And no side effects

  Scenario: [11] Types of relationships by or
    Given an empty graph
    And having executed:
      """
      CREATE (a:A), (a)-[:R {n: 1}]->(:B), (a)-[:S {n: 2}]->(:B), (a)-[:T {n: 3}]->(:B)
      """
    When executing query:
      """
      MATCH ()-[r:R|T]->() RETURN r.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
      | 3 |
    And no side effects

  Scenario: [12] Not a type
    Given an empty graph
    And having executed:
      """
      CREATE (a:A), (a)-[:R {n: 1}]->(:B), (a)-[:S {n: 2}]->(:B), (a)-[:T {n: 3}]->(:B)
      """
    When executing query:
      """
      MATCH ()-[r:!R&!T]->() RETURN r.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 2 |
    And no side effects

  Scenario: [13] A relationship has one type
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:R]->(:B)
      """
    When executing query:
      """
      MATCH ()-[r:R&S]->() RETURN count(r) AS c
      """
    Then the result should be, in any order:
      | c |
      | 0 |
    And no side effects

  Scenario: [14] An expression of a variable-length relationship is a list of types only
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1})-[:R]->(:B {n: 2})-[:S]->(:C {n: 3})
      """
    When executing query:
      """
      MATCH (a:A)-[:R|S*2]->(x) RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 3 |
    And no side effects

  Scenario: [15] No expression of labels in CREATE
    Given any graph
    When executing query:
      """
      CREATE (:A|B)
      """
    Then a SyntaxError should be raised at compile time: *

  Scenario: [16] A null node has no label
    Given any graph
    When executing query:
      """
      OPTIONAL MATCH (x:Nothing) RETURN x:A AS a
      """
    Then the result should be, in any order:
      | a    |
      | null |

  Scenario: [17] A type as a predicate
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:R {n: 1}]->(:B), (:A)-[:S {n: 2}]->(:B)
      """
    When executing query:
      """
      MATCH ()-[r]->() WHERE r:S RETURN r.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 2 |
    And no side effects
