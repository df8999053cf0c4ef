# Neo4j 5 Cypher Manual: expressions/predicates/type-predicate-expressions
@manual:expressions/predicates/type-predicate-expressions
Feature: Type predicates

  Scenario Outline: [1] <value> IS :: <type>
    Given any graph
    When executing query:
      """
      RETURN <value> IS :: <type> AS is
      """
    Then the result should be, in any order:
      | is   |
      | <is> |

    Examples:
      | value                         | type                    | is    |
      | 1                             | INTEGER                 | true  |
      | 1                             | FLOAT                   | false |
      | 1.5                           | FLOAT                   | true  |
      | 1                             | INTEGER NOT NULL        | true  |
      | null                          | INTEGER                 | true  |
      | null                          | INTEGER NOT NULL        | false |
      | 'a'                           | STRING                  | true  |
      | true                          | BOOL                    | true  |
      | true                          | BOOLEAN                 | true  |
      | 1                             | INT                     | true  |
      | [1, 2]                        | LIST<INTEGER>           | true  |
      | [1, null]                     | LIST<INTEGER NOT NULL>  | false |
      | [1, 'a']                      | LIST<INTEGER \| STRING> | true  |
      | []                            | LIST<STRING>            | true  |
      | {a: 1}                        | MAP                     | true  |
      | date('2024-01-01')            | DATE                    | true  |
      | date('2024-01-01')            | LOCAL DATETIME          | false |
      | duration('P1D')               | DURATION                | true  |
      | localtime('12:00')            | LOCAL TIME              | true  |
      | time('12:00Z')                | ZONED TIME              | true  |
      | time('12:00Z')                | TIME WITH TIMEZONE      | true  |
      | datetime('2024-01-01T00:00Z') | ZONED DATETIME          | true  |
      | point({x: 1, y: 2})           | POINT                   | true  |
      | 1                             | INTEGER \| FLOAT        | true  |
      | 'a'                           | INTEGER \| FLOAT        | false |
      | 1                             | ANY                     | true  |
      | null                          | NULL                    | true  |
      | 1                             | NULL                    | false |
      | null                          | NOTHING                 | false |

  Scenario: [2] IS NOT ::
    Given any graph
    When executing query:
      """
      UNWIND [1, 'a', null] AS x RETURN x IS NOT :: INTEGER AS no, x IS NOT TYPED STRING AS ns
      """
    Then the result should be, in any order:
      | no    | ns    |
      | false | true  |
      | true  | false |
      | false | false |

  Scenario: [3] IS TYPED
    Given any graph
    When executing query:
      """
      UNWIND [1, 'a'] AS x WITH x WHERE x IS TYPED STRING RETURN x
      """
    Then the result should be, in any order:
      | x   |
      | 'a' |

  Scenario: [4] Nodes, relationships and paths
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:R]->(:B)
      """
    When executing query:
      """
      MATCH p = (a:A)-[r]->(b) RETURN a IS :: NODE AS n, r IS :: RELATIONSHIP AS r, p IS :: PATH AS p, a IS :: MAP AS m, r IS :: EDGE AS e, a IS :: VERTEX AS v
      """
    Then the result should be, in any order:
      | n    | r    | p    | m     | e    | v    |
      | true | true | true | false | true | true |
    And no side effects

  Scenario: [5] Stored properties by their type
    Given an empty graph
    And having executed:
      """
      CREATE (:P {v: 1}), (:P {v: 'one'}), (:P {v: 1.0}), (:P)
      """
    When executing query:
      """
      MATCH (p:P) WHERE p.v IS :: INTEGER | FLOAT NOT NULL RETURN count(*) AS c
      """
    Then a SyntaxError should be raised at compile time: *

  Scenario: [6] Stored numbers
    Given an empty graph
    And having executed:
      """
      CREATE (:P {v: 1}), (:P {v: 'one'}), (:P {v: 1.0}), (:P)
      """
    When executing query:
      """
      MATCH (p:P) WHERE p.v IS :: INTEGER NOT NULL | FLOAT NOT NULL RETURN count(*) AS c
      """
    Then the result should be, in any order:
      | c |
      | 2 |
    And no side effects

  Scenario: [7] An unknown type
    Given any graph
    When executing query:
      """
      RETURN 1 IS :: NUMERUS AS x
      """
    Then a SyntaxError should be raised at compile time: *
