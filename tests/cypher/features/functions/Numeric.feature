# Neo4j 5 Cypher Manual: functions/mathematical-numeric
@manual:functions/mathematical-numeric
Feature: Numeric functions

  Scenario Outline: [1] The value of <call>
    Given any graph
    When executing query:
      """
      RETURN <call> AS v
      """
    Then the result should be, in any order:
      | v   |
      | <v> |

    Examples:
      | call                        | v     |
      | abs(-5)                     | 5     |
      | abs(-5.5)                   | 5.5   |
      | abs(null)                   | null  |
      | ceil(1.2)                   | 2.0   |
      | ceil(-1.2)                  | -1.0  |
      | floor(1.8)                  | 1.0   |
      | floor(-1.2)                 | -2.0  |
      | isNaN(0.0 / 0.0)            | true  |
      | isNaN(1)                    | false |
      | round(2.5)                  | 3.0   |
      | round(-2.5)                 | -2.0  |
      | round(3.14159, 2)           | 3.14  |
      | round(1.249, 1, 'UP')       | 1.3   |
      | round(1.249, 1, 'DOWN')     | 1.2   |
      | round(-1.55, 1, 'CEILING')  | -1.5  |
      | round(-1.55, 1, 'FLOOR')    | -1.6  |
      | round(1.25, 1, 'HALF_EVEN') | 1.2   |
      | round(1.25, 1, 'HALF_UP')   | 1.3   |
      | round(1.25, 1, 'HALF_DOWN') | 1.2   |
      | sign(-7)                    | -1    |
      | sign(0)                     | 0     |
      | sign(0.3)                   | 1     |
      | 0 <= rand() < 1             | true  |

  Scenario: [2] An unknown mode of rounding
    Given any graph
    When executing query:
      """
      RETURN round(1.25, 1, 'SIDEWAYS') AS v
      """
    Then an ArgumentError should be raised at any time: *

  @manual:functions/mathematical-logarithmic
  Scenario Outline: [3] Logarithms: <call>
    Given any graph
    When executing query:
      """
      RETURN <call> AS v
      """
    Then the result should be, in any order:
      | v   |
      | <v> |

    Examples:
      | call          | v      |
      | sqrt(16)      | 4.0    |
      | sqrt(-1)      | NaN    |
      | exp(0)        | 1.0    |
      | log(1)        | 0.0    |
      | log(e())      | 1.0    |
      | log10(1000)   | 3.0    |
      | log(0)        | -Inf   |
      | log(-1)       | NaN    |
      | round(e(), 4) | 2.7183 |

  @manual:functions/mathematical-trigonometric
  Scenario Outline: [4] Angles: <call>
    Given any graph
    When executing query:
      """
      RETURN <call> AS v
      """
    Then the result should be, in any order:
      | v   |
      | <v> |

    Examples:
      | call                  | v      |
      | sin(0)                | 0.0    |
      | cos(0)                | 1.0    |
      | tan(0)                | 0.0    |
      | asin(0)               | 0.0    |
      | acos(1)               | 0.0    |
      | atan(0)               | 0.0    |
      | atan2(0, 1)           | 0.0    |
      | round(atan2(1, 0), 4) | 1.5708 |
      | round(cot(1), 4)      | 0.6421 |
      | degrees(pi())         | 180.0  |
      | radians(180) = pi()   | true   |
      | round(haversin(1), 4) | 0.2298 |
      | acos(2)               | NaN    |

  Scenario: [5] A precision may have a fraction
    Given any graph
    When executing query:
      """
      RETURN round(7.4342, 2.0) AS a, round(7.4342, 2.7) AS b
      """
    Then the result should be, in any order:
      | a    | b    |
      | 7.43 | 7.43 |
