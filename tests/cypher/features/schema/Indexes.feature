# Neo4j 5 Cypher Manual: indexes/search-performance-indexes/managing-indexes
@manual:indexes/search-performance-indexes/managing-indexes
Feature: Indexes

  Scenario: [1] A range index is listed
    Given an empty graph
    And having executed:
      """
      CREATE INDEX person_name FOR (p:Person) ON (p.name)
      """
    When executing query:
      """
      SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties WHERE name = 'person_name'
      RETURN name, type, entityType, labelsOrTypes, properties
      """
    Then the result should be, in any order:
      | name          | type    | entityType | labelsOrTypes | properties |
      | 'person_name' | 'RANGE' | 'NODE'     | ['Person']    | ['name']   |
    And no side effects

  Scenario: [2] RANGE by its name, on a relationship
    Given an empty graph
    And having executed:
      """
      CREATE RANGE INDEX since FOR ()-[r:KNOWS]-() ON (r.since)
      """
    When executing query:
      """
      SHOW RANGE INDEXES YIELD name, entityType, labelsOrTypes, properties WHERE name = 'since' RETURN entityType, labelsOrTypes, properties
      """
    Then the result should be, in any order:
      | entityType     | labelsOrTypes | properties |
      | 'RELATIONSHIP' | ['KNOWS']     | ['since']  |
    And no side effects

  Scenario: [3] Several properties
    Given an empty graph
    And having executed:
      """
      CREATE INDEX both FOR (p:Person) ON (p.first, p.last)
      """
    When executing query:
      """
      SHOW INDEXES YIELD name, properties WHERE name = 'both' RETURN properties
      """
    Then the result should be, in any order:
      | properties        |
      | ['first', 'last'] |
    And no side effects

  Scenario: [4] A text index
    Given an empty graph
    And having executed:
      """
      CREATE TEXT INDEX words FOR (d:Doc) ON (d.title)
      """
    When executing query:
      """
      SHOW INDEXES YIELD name, type WHERE name = 'words' RETURN type
      """
    Then the result should be, in any order:
      | type   |
      | 'TEXT' |
    And no side effects

  Scenario: [5] An index of that name again
    Given an empty graph
    And having executed:
      """
      CREATE INDEX twice FOR (p:Person) ON (p.name)
      """
    When executing query:
      """
      CREATE INDEX twice FOR (p:Person) ON (p.age)
      """
    Then a IndexWithNameAlreadyExists should be raised at any time: *

  Scenario: [6] The same index under another name
    Given an empty graph
    And having executed:
      """
      CREATE INDEX one FOR (p:Person) ON (p.name)
      """
    When executing query:
      """
      CREATE INDEX two FOR (p:Person) ON (p.name)
      """
    Then a IndexAlreadyExists should be raised at any time: *

  Scenario: [7] IF NOT EXISTS
    Given an empty graph
    And having executed:
      """
      CREATE INDEX twice FOR (p:Person) ON (p.name)
      """
    When executing query:
      """
      CREATE INDEX twice IF NOT EXISTS FOR (p:Person) ON (p.name)
      """
    Then the result should be empty
    When executing control query:
      """
      SHOW INDEXES YIELD name WHERE name = 'twice' RETURN count(*) AS c
      """
    Then the result should be, in any order:
      | c |
      | 1 |

  Scenario: [8] DROP INDEX
    Given an empty graph
    And having executed:
      """
      CREATE INDEX gone FOR (p:Person) ON (p.name)
      """
    When executing query:
      """
      DROP INDEX gone
      """
    Then the result should be empty
    When executing control query:
      """
      SHOW INDEXES YIELD name WHERE name = 'gone' RETURN count(*) AS c
      """
    Then the result should be, in any order:
      | c |
      | 0 |

  Scenario: [9] DROP INDEX of an unknown name
    Given any graph
    When executing query:
      """
      DROP INDEX nosuchindex
      """
    Then a IndexDropFailed should be raised at any time: *

  Scenario: [10] DROP INDEX IF EXISTS
    Given any graph
    When executing query:
      """
      DROP INDEX nosuchindex IF EXISTS
      """
    Then the result should be empty

  Scenario: [11] Answers are the same with an index, for equality, a range, a prefix and IN
    Given an empty graph
    And having executed:
      """
      CREATE INDEX n FOR (p:P) ON (p.name)
      """
    And having executed:
      """
      UNWIND ['ann', 'anton', 'bob', 'zoe'] AS name CREATE (:P {name: name})
      """
    When executing query:
      """
      MATCH (p:P) WHERE p.name = 'bob' WITH collect(p.name) AS eq
      MATCH (p:P) WHERE p.name STARTS WITH 'an' WITH eq, count(p) AS prefix
      MATCH (p:P) WHERE 'b' < p.name < 'c' WITH eq, prefix, count(p) AS range
      MATCH (p:P) WHERE p.name IN ['ann', 'zoe', 'kim', 'ann'] RETURN eq, prefix, range, count(p) AS listed
      """
    Then the result should be, in any order:
      | eq      | prefix | range | listed |
      | ['bob'] | 2      | 1     | 2      |
    And no side effects

  @manual:planning-and-tuning/query-tuning/using
  Scenario: [12] A hint names an index
    Given an empty graph
    And having executed:
      """
      CREATE INDEX n FOR (p:P) ON (p.name)
      """
    And having executed:
      """
      CREATE (:P {name: 'ann'}), (:P {name: 'bob'})
      """
    When executing query:
      """
      MATCH (p:P) USING INDEX p:P(name) WHERE p.name = 'bob' RETURN p.name AS n
      """
    Then the result should be, in any order:
      | n     |
      | 'bob' |
    And no side effects

  @manual:planning-and-tuning/query-tuning/using
  Scenario: [13] A hint for a scan
    Given an empty graph
    And having executed:
      """
      CREATE (:P {name: 'ann'}), (:P {name: 'bob'})
      """
    When executing query:
      """
      MATCH (p:P) USING SCAN p:P WHERE p.name = 'bob' RETURN p.name AS n
      """
    Then the result should be, in any order:
      | n     |
      | 'bob' |
    And no side effects

  Scenario: [14] A name from a parameter
    Given any graph
    And parameters are:
      | name | 'by_parameter' |
    When executing query:
      """
      CREATE INDEX $name FOR (p:P) ON (p.x)
      """
    Then the result should be empty
    When executing control query:
      """
      SHOW INDEXES YIELD name WHERE name = 'by_parameter' RETURN count(*) AS c
      """
    Then the result should be, in any order:
      | c |
      | 1 |
