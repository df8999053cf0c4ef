# Neo4j 5 Cypher Manual: constraints/managing-constraints#create-property-existence-constraints
@manual:constraints/managing-constraints#create-property-existence-constraints
Feature: Constraints of the Enterprise Edition

  Scenario: [1] A property that must be there
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT has_name FOR (p:P) REQUIRE p.name IS NOT NULL
      """
    When executing query:
      """
      CREATE (:P {age: 1})
      """
    Then a ConstraintVerificationFailed should be raised at runtime: *

  Scenario: [2] And may not be removed
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT has_name FOR (p:P) REQUIRE p.name IS NOT NULL
      """
    And having executed:
      """
      CREATE (:P {name: 'a'})
      """
    When executing query:
      """
      MATCH (p:P) REMOVE p.name
      """
    Then a ConstraintVerificationFailed should be raised at runtime: *

  Scenario: [3] It may be set later in the same query
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT has_name FOR (p:P) REQUIRE p.name IS NOT NULL
      """
    When executing query:
      """
      CREATE (p:P) SET p.name = 'a'
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes      | 1 |
      | +labels     | 1 |
      | +properties | 1 |

  Scenario: [4] A key is there and unique
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT key FOR (p:P) REQUIRE (p.a, p.b) IS NODE KEY
      """
    When executing query:
      """
      CREATE (:P {a: 1})
      """
    Then a ConstraintVerificationFailed should be raised at runtime: *

  Scenario: [5] A type of a property
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT typed FOR (p:P) REQUIRE p.age IS :: INTEGER
      """
    When executing query:
      """
      CREATE (:P {age: 'five'})
      """
    Then a ConstraintVerificationFailed should be raised at runtime: *

  Scenario: [6] A property of relationships that must be there
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT rel FOR ()-[r:R]-() REQUIRE r.since IS NOT NULL
      """
    When executing query:
      """
      CREATE (:A)-[:R]->(:B)
      """
    Then a ConstraintVerificationFailed should be raised at runtime: *

  Scenario: [7] Their types in the list
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT a FOR (p:P) REQUIRE p.name IS NOT NULL
      """
    And having executed:
      """
      CREATE CONSTRAINT b FOR (p:P) REQUIRE p.k IS NODE KEY
      """
    And having executed:
      """
      CREATE CONSTRAINT c FOR (p:P) REQUIRE p.age IS :: INTEGER
      """
    When executing query:
      """
      SHOW CONSTRAINTS YIELD name, type WHERE name IN ['a', 'b', 'c'] RETURN name, type ORDER BY name
      """
    Then the result should be, in order:
      | name | type                      |
      | 'a'  | 'NODE_PROPERTY_EXISTENCE' |
      | 'b'  | 'NODE_KEY'                |
      | 'c'  | 'NODE_PROPERTY_TYPE'      |
    And no side effects
