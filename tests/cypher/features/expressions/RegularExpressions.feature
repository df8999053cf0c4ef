# Neo4j 5 Cypher Manual: clauses/where#query-where-regex
@manual:clauses/where#query-where-regex
Feature: Regular expressions

  Scenario Outline: [1] <text> =~ <pattern>
    Given any graph
    When executing query:
      """
      RETURN <text> =~ <pattern> AS m
      """
    Then the result should be, in any order:
      | m   |
      | <m> |

    Examples:
      | text         | pattern                      | m     |
      | 'heron'      | 'her.*'                      | true  |
      | 'heron'      | 'er'                         | false |
      | 'heron'      | 'HERON'                      | false |
      | 'heron'      | '(?i)HERON'                  | true  |
      | 'a.b'        | 'a\\\\.b'                    | true  |
      | 'axb'        | 'a\\\\.b'                    | false |
      | '2024-05-06' | '[0-9]{4}-[0-9]{2}-[0-9]{2}' | true  |
      | 'cat'        | 'cat\|dog'                   | true  |
      | ''           | '.*'                         | true  |
      | null         | '.*'                         | null  |
      | 'a'          | null                         | null  |

  Scenario: [2] As a condition, with a pattern from a parameter
    Given an empty graph
    And having executed:
      """
      CREATE (:P {mail: 'ann@site.org'}), (:P {mail: 'bob@shop.com'}), (:P)
      """
    And parameters are:
      | pattern | '.*@.*\\\\.com' |
    When executing query:
      """
      MATCH (p:P) WHERE p.mail =~ $pattern RETURN p.mail AS mail
      """
    Then the result should be, in any order:
      | mail           |
      | 'bob@shop.com' |
    And no side effects

  Scenario: [3] A pattern that is none
    Given any graph
    When executing query:
      """
      WITH '[' AS pattern RETURN 'a' =~ pattern AS m
      """
    Then a SyntaxError should be raised at runtime: *

  Scenario: [4] An escape of the expression, its backslash written once
    Given an empty graph
    And having executed:
      """
      CREATE (:S {n: 'a.com'}), (:S {n: 'axcom'})
      """
    When executing query:
      """
      MATCH (n:S) WHERE n.n =~ '.*\.com' RETURN n.n AS n
      """
    Then the result should be, in any order:
      | n       |
      | 'a.com' |
    And no side effects
