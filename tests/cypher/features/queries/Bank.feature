# The rows are those of Neo4j 5.26 on the same script.
@manual:queries
Feature: Questions about accounts that share and send

  Scenario: [1] Phones that several people share
    Given the bank graph
    When executing query:
      """
      MATCH (p:Phone)<-[:HAS_PHONE]-(h:Holder) WITH p, h ORDER BY h.id WITH p, collect(h.id) AS holders WHERE size(holders) > 1 RETURN p.number AS number, holders ORDER BY number
      """
    Then the result should be, in order:
      | number     | holders      |
      | '555-0100' | [14, 15, 19] |
      | '555-0101' | [7, 18, 21]  |
      | '555-0102' | [6, 9, 17]   |
      | '555-0104' | [3, 5]       |
      | '555-0105' | [11, 13]     |
      | '555-0107' | [8, 22]      |
      | '555-0112' | [0, 20]      |
      | '555-0113' | [1, 23]      |
    And no side effects

  Scenario: [2] People who share a phone or an address, and how
    Given the bank graph
    When executing query:
      """
      MATCH (a:Holder)-[r:HAS_PHONE|LIVES_AT]->(x)<-[:HAS_PHONE|LIVES_AT]-(b:Holder) WHERE a.id < b.id RETURN a.id AS a, b.id AS b, collect(type(r)) AS by ORDER BY a, b LIMIT 12
      """
    Then the result should be, in order:
      | a | b  | by            |
      | 0 | 14 | ['LIVES_AT']  |
      | 0 | 20 | ['HAS_PHONE'] |
      | 1 | 3  | ['LIVES_AT']  |
      | 1 | 4  | ['LIVES_AT']  |
      | 1 | 6  | ['LIVES_AT']  |
      | 1 | 23 | ['HAS_PHONE'] |
      | 2 | 5  | ['LIVES_AT']  |
      | 3 | 4  | ['LIVES_AT']  |
      | 3 | 5  | ['HAS_PHONE'] |
      | 3 | 6  | ['LIVES_AT']  |
      | 4 | 6  | ['LIVES_AT']  |
      | 6 | 9  | ['HAS_PHONE'] |
    And no side effects

  Scenario: [3] Rings of shared phones and addresses by size
    Given the bank graph
    When executing query:
      """
      MATCH (h:Holder)-[:HAS_PHONE|LIVES_AT*..6]-(o:Holder) WITH h, count(DISTINCT o) AS reach RETURN reach, count(*) AS holders ORDER BY reach DESC LIMIT 5
      """
    Then the result should be, in order:
      | reach | holders |
      | 15    | 2       |
      | 13    | 3       |
      | 12    | 1       |
      | 11    | 3       |
      | 10    | 2       |
    And no side effects

  Scenario: [4] Money that went round a ring of three or four
    Given the bank graph
    When executing query:
      """
      MATCH p = (a:Account)-[:SENT*3..4]->(a) WHERE all(r IN relationships(p) WHERE r.amount = 999) RETURN [n IN nodes(p) | n.iban] AS ring ORDER BY ring
      """
    Then the result should be, in order:
      | ring                                          |
      | ['XX000', 'XX010', 'XX020', 'XX021', 'XX000'] |
      | ['XX010', 'XX020', 'XX021', 'XX000', 'XX010'] |
      | ['XX020', 'XX021', 'XX000', 'XX010', 'XX020'] |
      | ['XX021', 'XX000', 'XX010', 'XX020', 'XX021'] |
      | ['XX071', 'XX080', 'XX090', 'XX071']          |
      | ['XX080', 'XX090', 'XX071', 'XX080']          |
      | ['XX090', 'XX071', 'XX080', 'XX090']          |
    And no side effects

  Scenario: [5] Balance of each holder of two accounts
    Given the bank graph
    When executing query:
      """
      MATCH (h:Holder)-[:OWNS]->(a) WITH h, collect(a.balance) AS balances WHERE size(balances) = 2 RETURN h.id AS id, reduce(t = 0, b IN balances | t + b) AS total ORDER BY total DESC, id
      """
    Then the result should be, in order:
      | id | total |
      | 11 | 14518 |
      | 20 | 13973 |
      | 23 | 9730  |
      | 15 | 9630  |
      | 7  | 8171  |
      | 2  | 6356  |
      | 5  | 2412  |
    And no side effects

  Scenario: [6] What an account got and gave
    Given the bank graph
    When executing query:
      """
      MATCH (a:Account) RETURN a.iban AS iban, reduce(t = 0, r IN [(a)<-[s:SENT]-() | s.amount] | t + r) - reduce(t = 0, r IN [(a)-[s:SENT]->() | s.amount] | t + r) AS net ORDER BY net DESC, iban LIMIT 5
      """
    Then the result should be, in order:
      | iban    | net  |
      | 'XX190' | 4080 |
      | 'XX030' | 2340 |
      | 'XX021' | 2140 |
      | 'XX130' | 1880 |
      | 'XX000' | 1760 |
    And no side effects

  Scenario: [7] Accounts that only receive
    Given the bank graph
    When executing query:
      """
      MATCH (a:Account) WHERE (a)<-[:SENT]-() AND NOT (a)-[:SENT]->() RETURN a.iban AS iban ORDER BY iban
      """
    Then the result should be, in order:
      | iban    |
      | 'XX130' |
      | 'XX231' |
    And no side effects

  Scenario: [8] Transfers of a month
    Given the bank graph
    When executing query:
      """
      MATCH ()-[s:SENT]->() WHERE s.at.month = 7 RETURN count(s) AS transfers, sum(s.amount) AS amount
      """
    Then the result should be, in any order:
      | transfers | amount |
      | 8         | 7573   |
    And no side effects

  Scenario: [9] Transfers by the quarter of the day
    Given the bank graph
    When executing query:
      """
      MATCH ()-[s:SENT]->() RETURN s.at.hour / 6 AS quarter, count(*) AS transfers ORDER BY quarter
      """
    Then the result should be, in order:
      | quarter | transfers |
      | 0       | 12        |
      | 1       | 14        |
      | 2       | 26        |
      | 3       | 25        |
    And no side effects

  Scenario: [10] Frozen accounts and their owners
    Given the bank graph
    When executing query:
      """
      MATCH (h:Holder)-[:OWNS]->(a:Account&Frozen) RETURN h.name AS name, a.iban AS iban ORDER BY iban
      """
    Then the result should be, in order:
      | name          | iban    |
      | 'Sven Moreau' | 'XX180' |
      | 'Ada Janko'   | 'XX201' |
      | 'Dario Lund'  | 'XX231' |
    And no side effects

  Scenario: [11] Money that reached a frozen account within two steps, each later than the one before
    Given the bank graph
    When executing query:
      """
      MATCH (a:Account&!Frozen)-[x:SENT]->(b)-[y:SENT]->(c:Frozen) WHERE x.at < y.at AND a <> c RETURN DISTINCT a.iban AS iban ORDER BY iban
      """
    Then the result should be, in order:
      | iban    |
      | 'XX010' |
      | 'XX021' |
      | 'XX030' |
      | 'XX060' |
      | 'XX071' |
      | 'XX090' |
      | 'XX111' |
      | 'XX151' |
      | 'XX160' |
    And no side effects

  Scenario: [12] Transfers from an owner to his other account
    Given the bank graph
    When executing query:
      """
      MATCH (h:Holder)-[:OWNS]->(a)-[s:SENT]->(b)<-[:OWNS]-(h) RETURN h.id AS id, s.amount AS amount ORDER BY id, amount
      """
    Then the result should be, in order:
      | id | amount |
      | 2  | 460    |
      | 2  | 999    |
      | 11 | 640    |
    And no side effects

  Scenario: [13] Neighbours within a distance
    Given the bank graph
    When executing query:
      """
      MATCH (a:Address), (b:Address) WHERE a.street < b.street AND point.distance(a.at, b.at) <= 5 RETURN a.street AS a, b.street AS b ORDER BY a, b
      """
    Then the result should be, in order:
      | a              | b             |
      | '11 Mill Lane' | '9 Mill Lane' |
      | '12 Mill Lane' | '6 Mill Lane' |
      | '2 Mill Lane'  | '7 Mill Lane' |
      | '3 Mill Lane'  | '8 Mill Lane' |
      | '6 Mill Lane'  | '9 Mill Lane' |
    And no side effects

  Scenario: [14] Holders who came in a year
    Given the bank graph
    When executing query:
      """
      MATCH (h:Holder) WITH h.since.year AS year, h ORDER BY h.id RETURN year, collect(h.id) AS holders ORDER BY year
      """
    Then the result should be, in order:
      | year | holders           |
      | 2011 | [5, 15]           |
      | 2012 | [13]              |
      | 2013 | [23]              |
      | 2014 | [9, 11]           |
      | 2015 | [0, 8, 16, 21]    |
      | 2016 | [14]              |
      | 2017 | [1, 2, 22]        |
      | 2018 | [12]              |
      | 2019 | [3, 17]           |
      | 2020 | [18]              |
      | 2021 | [19]              |
      | 2022 | [4, 6, 7, 10, 20] |
    And no side effects

  Scenario: [15] The shortest way of money between two holders
    Given the bank graph
    When executing query:
      """
      MATCH (a:Holder {id: 0}), (b:Holder {id: 11}) MATCH p = shortestPath((a)-[:OWNS|SENT*]-(b)) RETURN length(p) AS l
      """
    Then the result should be, in any order:
      | l |
      | 3 |
    And no side effects
