# Neo4j 5 Cypher Manual: syntax/expressions
@manual:syntax/expressions
Feature: Literals

  Scenario Outline: [1] <literal>
    Given any graph
    When executing query:
      """
      RETURN <literal> AS v
      """
    Then the result should be, in any order:
      | v   |
      | <v> |

    Examples:
      | literal                | v                      |
      | 0x1F                   | 31                     |
      | 0xff                   | 255                    |
      | 0o17                   | 15                     |
      | 1_000_000              | 1000000                |
      | 6.02e3                 | 6020.0                 |
      | .5                     | 0.5                    |
      | 1e-2                   | 0.01                   |
      | 'it\\'s'               | 'it\\'s'               |
      | "double"               | 'double'               |
      | 'tab\\there'           | 'tab\\there'           |
      | 'caf\\u00e9'           | 'café'                 |
      | Inf                    | Inf                    |
      | INFINITY               | Inf                    |
      | NaN                    | NaN                    |
      | -9223372036854775808   | -9223372036854775808   |
      | [1, 'a', null, [true]] | [1, 'a', null, [true]] |
      | {k: [1], `odd key`: 2} | {k: [1], `odd key`: 2} |

  Scenario: [2] An integer beyond 64 bits
    Given any graph
    When executing query:
      """
      RETURN 9223372036854775808 AS v
      """
    Then a SyntaxError should be raised at compile time: IntegerOverflow

  @manual:syntax/comments
  Scenario: [3] Comments of both kinds
    Given any graph
    When executing query:
      """
      RETURN 1 AS a, // up to the end of the line
      /* over
         lines */ 2 AS b
      """
    Then the result should be, in any order:
      | a | b |
      | 1 | 2 |

  @manual:syntax/naming
  Scenario: [4] Keywords in any case
    Given an empty graph
    And having executed:
      """
      CREATE (:Node {Name: 1, name: 2})
      """
    When executing query:
      """
      mAtCh (n:Node) wHeRe n.name = 2 rEtUrN n.Name AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
    And no side effects

  @manual:syntax/parameters
  Scenario: [5] Parameters by a number and by a quoted name
    Given any graph
    And parameters are:
      | 0        | 5 |
      | odd name | 6 |
    When executing query:
      """
      RETURN $0 AS a, $`odd name` AS b
      """
    Then the result should be, in any order:
      | a | b |
      | 5 | 6 |

  @manual:syntax/parameters
  Scenario: [6] A parameter that is missing
    Given any graph
    When executing query:
      """
      RETURN $nothing AS x
      """
    Then a ParameterMissing should be raised at any time: *

  @manual:syntax/reserved
  Scenario: [7] Keywords as names
    Given an empty graph
    And having executed:
      """
      CREATE (:Match {return: 1})-[:WITH]->(:Set)
      """
    When executing query:
      """
      MATCH (match:Match)-[r:WITH]->(set:Set) RETURN match.return AS order
      """
    Then the result should be, in any order:
      | order |
      | 1     |
    And no side effects

  Scenario Outline: [8] A backslash that begins no escape stands for itself: <text>
    Given any graph
    When executing query:
      """
      RETURN <text> AS s, size(<text>) AS n
      """
    Then the result should be, in any order:
      | s       | n   |
      | <value> | <n> |

    Examples:
      | text            | value               | n  |
      | '\\.'           | '\\\\.'             | 2  |
      | '\\d+'          | '\\\\d+'            | 3  |
      | 'C:\\Users\\me' | 'C:\\\\Users\\\\me' | 11 |
      | '\\U0041'       | '\\\\U0041'         | 6  |
      | '\\`'           | '\\\\`'             | 2  |
      | "\\w\\N"        | '\\\\w\\\\N'        | 4  |
      | '\\\\.'         | '\\\\.'             | 2  |

  Scenario: [9] A unicode escape needs its digits
    Given any graph
    When executing query:
      """
      RETURN 'C:\users' AS s
      """
    Then a SyntaxError should be raised at compile time: *
