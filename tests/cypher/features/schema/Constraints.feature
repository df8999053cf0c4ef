# Neo4j 5 Cypher Manual: constraints/managing-constraints
@manual:constraints/managing-constraints
Feature: Constraints

  Scenario: [1] A unique property refuses a second node
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT one FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    And having executed:
      """
      CREATE (:P {mail: 'a'})
      """
    When executing query:
      """
      CREATE (:P {mail: 'a'})
      """
    Then a ConstraintVerificationFailed should be raised at runtime: *

  Scenario: [2] Nodes without the property are free
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT one FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    When executing query:
      """
      CREATE (:P), (:P), (:P {mail: 'a'}), (:Q {mail: 'a'})
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes      | 4 |
      | +labels     | 2 |
      | +properties | 2 |

  Scenario: [3] SET that makes two alike is refused
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT one FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    And having executed:
      """
      CREATE (:P {mail: 'a'}), (:P {mail: 'b'})
      """
    When executing query:
      """
      MATCH (p:P {mail: 'b'}) SET p.mail = 'a'
      """
    Then a ConstraintVerificationFailed should be raised at runtime: *

  Scenario: [4] A label that makes two alike is refused
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT one FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    And having executed:
      """
      CREATE (:P {mail: 'a'}), (:Q {mail: 'a'})
      """
    When executing query:
      """
      MATCH (q:Q) SET q:P
      """
    Then a ConstraintVerificationFailed should be raised at runtime: *

  Scenario: [5] A value is free again after a deletion, in one query
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT one FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    And having executed:
      """
      CREATE (:P {mail: 'a', n: 1})
      """
    When executing query:
      """
      MATCH (p:P {mail: 'a'}) DELETE p CREATE (:P {mail: 'a', n: 2})
      """
    Then the result should be empty
    When executing control query:
      """
      MATCH (p:P) RETURN p.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 2 |

  Scenario: [6] Two properties are unique together
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT pair FOR (p:P) REQUIRE (p.a, p.b) IS UNIQUE
      """
    And having executed:
      """
      CREATE (:P {a: 1, b: 1}), (:P {a: 1, b: 2})
      """
    When executing query:
      """
      CREATE (:P {a: 1, b: 2})
      """
    Then a ConstraintVerificationFailed should be raised at runtime: *

  Scenario: [7] MERGE with a unique property
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT one FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    And having executed:
      """
      CREATE (:P {mail: 'a'})
      """
    When executing query:
      """
      UNWIND ['a', 'b', 'b'] AS mail MERGE (p:P {mail: mail}) RETURN count(DISTINCT p) AS c
      """
    Then the result should be, in any order:
      | c |
      | 2 |
    And the side effects should be:
      | +nodes      | 1 |
      | +properties | 1 |

  Scenario: [8] MERGE of other properties under a unique one is refused
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT one FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    And having executed:
      """
      CREATE (:P {mail: 'a', age: 1})
      """
    When executing query:
      """
      MERGE (p:P {mail: 'a', age: 2})
      """
    Then a ConstraintVerificationFailed should be raised at runtime: *

  Scenario: [9] Present data that break a constraint
    Given an empty graph
    And having executed:
      """
      CREATE (:P {mail: 'a'}), (:P {mail: 'a'})
      """
    When executing query:
      """
      CREATE CONSTRAINT one FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    Then a ConstraintCreationFailed should be raised at any time: *

  Scenario: [10] A constraint is listed with its index
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT one FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    When executing query:
      """
      SHOW CONSTRAINTS YIELD name, type, entityType, labelsOrTypes, properties, ownedIndex WHERE name = 'one'
      RETURN type, entityType, labelsOrTypes, properties, ownedIndex
      """
    Then the result should be, in any order:
      | type         | entityType | labelsOrTypes | properties | ownedIndex |
      | 'UNIQUENESS' | 'NODE'     | ['P']         | ['mail']   | 'one'      |
    And no side effects

  Scenario: [11] A constraint of that name again
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT one FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    When executing query:
      """
      CREATE CONSTRAINT one FOR (p:P) REQUIRE p.other IS UNIQUE
      """
    Then a ConstraintWithNameAlreadyExists should be raised at any time: *

  Scenario: [12] The same constraint under another name
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT one FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    When executing query:
      """
      CREATE CONSTRAINT two FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    Then a ConstraintAlreadyExists should be raised at any time: *

  Scenario: [13] IF NOT EXISTS
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT one FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    When executing query:
      """
      CREATE CONSTRAINT one IF NOT EXISTS FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    Then the result should be empty
    And no side effects

  Scenario: [14] DROP CONSTRAINT lets equal values in
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT one FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    And having executed:
      """
      DROP CONSTRAINT one
      """
    When executing query:
      """
      CREATE (:P {mail: 'a'}), (:P {mail: 'a'})
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes      | 2 |
      | +labels     | 1 |
      | +properties | 2 |

  Scenario: [15] DROP CONSTRAINT of an unknown name
    Given any graph
    When executing query:
      """
      DROP CONSTRAINT nosuchconstraint
      """
    Then a ConstraintDropFailed should be raised at any time: *

  Scenario: [16] An index of a constraint is not dropped
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT one FOR (p:P) REQUIRE p.mail IS UNIQUE
      """
    When executing query:
      """
      DROP INDEX one
      """
    Then a IndexDropFailed should be raised at any time: *

  Scenario: [17] A unique property of relationships
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT rel FOR ()-[r:R]-() REQUIRE r.k IS UNIQUE
      """
    And having executed:
      """
      CREATE (:A)-[:R {k: 1}]->(:B)
      """
    When executing query:
      """
      MATCH (a:A), (b:B) CREATE (a)-[:R {k: 1}]->(b)
      """
    Then a ConstraintVerificationFailed should be raised at runtime: *

  Scenario: [18] The forms of earlier versions make a constraint and an index once
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT ON (p:P) ASSERT p.mail IS UNIQUE
      """
    And having executed:
      """
      CREATE CONSTRAINT ON (p:P) ASSERT p.mail IS UNIQUE
      """
    And having executed:
      """
      CREATE INDEX ON :P(name)
      """
    And having executed:
      """
      CREATE INDEX ON :P(name)
      """
    When executing query:
      """
      SHOW INDEXES YIELD labelsOrTypes, properties, owningConstraint WHERE labelsOrTypes = ['P']
      RETURN properties, owningConstraint IS NULL AS alone ORDER BY alone
      """
    Then the result should be, in order:
      | properties | alone |
      | ['mail']   | false |
      | ['name']   | true  |
    And no side effects
