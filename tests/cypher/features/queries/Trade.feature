# The rows are those of Neo4j 5.26 on the same script.
@manual:queries
Feature: Questions about products and orders

  Scenario: [1] Products of a category
    Given the trade graph
    When executing query:
      """
      MATCH (p:Product)-[:PART_OF]->(c:Category {categoryName: 'Dairy'}) RETURN p.productName AS name, p.unitPrice AS price ORDER BY price DESC
      """
    Then the result should be, in order:
      | name          | price |
      | 'Goat Cheese' | 43.25 |
      | 'Sour Cream'  | 39.25 |
      | 'Farm Butter' | 23.25 |
      | 'Blue Wheel'  | 5.5   |
    And no side effects

  Scenario: [2] Suppliers of a category
    Given the trade graph
    When executing query:
      """
      MATCH (c:Category {categoryName: 'Produce'})<-[:PART_OF]-(:Product)<-[:SUPPLIES]-(s:Supplier) RETURN DISTINCT s.companyName AS supplier ORDER BY supplier
      """
    Then the result should be, in order:
      | supplier     |
      | 'Kobe Foods' |
      | 'Maple Row'  |
      | 'Nordhof'    |
    And no side effects

  Scenario: [3] Categories of each supplier
    Given the trade graph
    When executing query:
      """
      MATCH (s:Supplier)-->(:Product)-->(c:Category) WITH s, c ORDER BY c.categoryName RETURN s.companyName AS company, collect(DISTINCT c.categoryName) AS categories ORDER BY company
      """
    Then the result should be, in order:
      | company        | categories                                             |
      | 'Dune Trading' | ['Beverages', 'Condiments']                            |
      | 'Kobe Foods'   | ['Grains', 'Produce']                                  |
      | 'Maple Row'    | ['Beverages', 'Dairy', 'Produce']                      |
      | 'Nordhof'      | ['Condiments', 'Dairy', 'Grains', 'Produce', 'Sweets'] |
      | 'Valle Alta'   | ['Beverages', 'Condiments', 'Grains', 'Sweets']        |
    And no side effects

  Scenario: [4] The most expensive products
    Given the trade graph
    When executing query:
      """
      MATCH (p:Product) RETURN p.productName AS name, p.unitPrice AS price ORDER BY price DESC, name LIMIT 5
      """
    Then the result should be, in order:
      | name           | price |
      | 'Mustard Seed' | 57.25 |
      | 'Fig Jam'      | 56.25 |
      | 'Walnut Pesto' | 55.95 |
      | 'Chili Oil'    | 51    |
      | 'Barley Rice'  | 50.5  |
    And no side effects

  Scenario: [5] Products that are out of the range, or almost gone
    Given the trade graph
    When executing query:
      """
      MATCH (p:Product) WHERE p.discontinued OR p.unitsInStock < 10 RETURN p.productName AS name, p.unitsInStock AS stock, p.discontinued AS gone ORDER BY name
      """
    Then the result should be, in order:
      | name          | stock | gone |
      | 'Amber Tea'   | 48    | true |
      | 'Blue Wheel'  | 119   | true |
      | 'Dried Pears' | 50    | true |
      | 'Ginger Ale'  | 85    | true |
      | 'Lemon Drops' | 112   | true |
      | 'Oat Flakes'  | 16    | true |
    And no side effects

  Scenario: [6] Quantities of produce that customers bought
    Given the trade graph
    When executing query:
      """
      MATCH (c:Customer)-[:PURCHASED]->(:Order)-[o:CONTAINS]->(p:Product)-[:PART_OF]->(:Category {categoryName: 'Produce'})
      RETURN c.companyName AS name, sum(o.quantity) AS quantity ORDER BY quantity DESC, name
      """
    Then the result should be, in order:
      | name             | quantity |
      | 'Galeria Doce'   | 84       |
      | 'Hungry Owl'     | 71       |
      | 'Island Trade'   | 61       |
      | 'Delta Deli'     | 55       |
      | 'Folk och Fa'    | 54       |
      | 'Almax Markets'  | 50       |
      | 'Bonte Traiteur' | 50       |
      | 'Ernst Keller'   | 18       |
    And no side effects

  Scenario: [7] Orders of each customer, of those without one too
    Given the trade graph
    When executing query:
      """
      MATCH (c:Customer) OPTIONAL MATCH (c)-[:PURCHASED]->(o) RETURN c.customerID AS id, count(o) AS orders ORDER BY orders DESC, id
      """
    Then the result should be, in order:
      | id      | orders |
      | 'GALED' | 13     |
      | 'FOLKO' | 10     |
      | 'ISLAT' | 8      |
      | 'ALMAX' | 6      |
      | 'HUNGO' | 6      |
      | 'BONTE' | 5      |
      | 'DELTA' | 5      |
      | 'ERNST' | 4      |
      | 'CORVO' | 3      |
      | 'JUNGL' | 0      |
    And no side effects

  Scenario: [8] Customers without an order
    Given the trade graph
    When executing query:
      """
      MATCH (c:Customer) WHERE NOT (c)-[:PURCHASED]->() RETURN c.customerID AS id
      """
    Then the result should be, in any order:
      | id      |
      | 'JUNGL' |
    And no side effects

  Scenario: [9] Revenue of each product
    Given the trade graph
    When executing query:
      """
      MATCH (:Order)-[d:CONTAINS]->(p:Product) RETURN p.productName AS name, round(sum(d.quantity * d.unitPrice * (1 - d.discount)), 2) AS revenue ORDER BY revenue DESC LIMIT 6
      """
    Then the result should be, in order:
      | name           | revenue |
      | 'Mustard Seed' | 9331.75 |
      | 'Fig Jam'      | 7425.0  |
      | 'Goat Cheese'  | 6952.44 |
      | 'Chili Oil'    | 6145.5  |
      | 'Walnut Pesto' | 5930.7  |
      | 'Barley Rice'  | 4570.25 |
    And no side effects

  Scenario: [10] Revenue of each month of a year
    Given the trade graph
    When executing query:
      """
      MATCH (o:Order)-[d:CONTAINS]->() WHERE o.orderDate.year = 2023
      RETURN o.orderDate.month AS month, round(sum(d.quantity * d.unitPrice * (1 - d.discount)), 2) AS revenue ORDER BY month
      """
    Then the result should be, in order:
      | month | revenue |
      | 1     | 3899.5  |
      | 2     | 2561.38 |
      | 3     | 2545.13 |
      | 4     | 6938.15 |
      | 5     | 4711.81 |
      | 6     | 448.63  |
      | 8     | 4550.94 |
      | 9     | 4721.6  |
      | 10    | 730.75  |
      | 11    | 1275.75 |
      | 12    | 8258.68 |
    And no side effects

  Scenario: [11] Orders between two dates
    Given the trade graph
    When executing query:
      """
      MATCH (o:Order) WHERE date('2022-03-01') <= o.orderDate <= date('2022-05-31') RETURN o.orderID AS id, toString(o.orderDate) AS at ORDER BY at, id
      """
    Then the result should be, in order:
      | id    | at           |
      | 10250 | '2022-03-04' |
      | 10255 | '2022-03-05' |
      | 10263 | '2022-04-06' |
      | 10265 | '2022-04-11' |
      | 10261 | '2022-05-04' |
      | 10273 | '2022-05-10' |
    And no side effects

  Scenario: [12] Orders of each quarter
    Given the trade graph
    When executing query:
      """
      MATCH (o:Order) RETURN o.orderDate.year AS year, o.orderDate.quarter AS quarter, count(*) AS orders ORDER BY year, quarter
      """
    Then the result should be, in order:
      | year | quarter | orders |
      | 2022 | 1       | 4      |
      | 2022 | 2       | 7      |
      | 2022 | 3       | 10     |
      | 2022 | 4       | 9      |
      | 2023 | 1       | 7      |
      | 2023 | 2       | 8      |
      | 2023 | 3       | 6      |
      | 2023 | 4       | 9      |
    And no side effects

  Scenario: [13] The first and the last order of each customer
    Given the trade graph
    When executing query:
      """
      MATCH (c:Customer)-[:PURCHASED]->(o) RETURN c.customerID AS id, toString(min(o.orderDate)) AS first, toString(max(o.orderDate)) AS last ORDER BY id
      """
    Then the result should be, in order:
      | id      | first        | last         |
      | 'ALMAX' | '2022-06-11' | '2023-12-17' |
      | 'BONTE' | '2022-04-11' | '2023-12-27' |
      | 'CORVO' | '2022-05-04' | '2023-11-17' |
      | 'DELTA' | '2022-06-28' | '2023-08-15' |
      | 'ERNST' | '2022-08-13' | '2023-05-22' |
      | 'FOLKO' | '2022-04-06' | '2023-12-03' |
      | 'GALED' | '2022-01-24' | '2023-12-17' |
      | 'HUNGO' | '2022-07-16' | '2023-02-04' |
      | 'ISLAT' | '2022-03-05' | '2023-10-16' |
    And no side effects

  Scenario: [14] Days between the first and the last order
    Given the trade graph
    When executing query:
      """
      MATCH (c:Customer)-[:PURCHASED]->(o) WITH c, min(o.orderDate) AS a, max(o.orderDate) AS b RETURN c.customerID AS id, duration.inDays(a, b).days AS days ORDER BY days DESC, id LIMIT 3
      """
    Then the result should be, in order:
      | id      | days |
      | 'GALED' | 692  |
      | 'BONTE' | 625  |
      | 'FOLKO' | 606  |
    And no side effects

  Scenario: [15] Who reports to whom
    Given the trade graph
    When executing query:
      """
      MATCH (e:Employee)-[:REPORTS_TO]->(m:Employee) RETURN m.lastName AS manager, e.lastName AS name ORDER BY manager, name
      """
    Then the result should be, in order:
      | manager | name    |
      | 'Reed'  | 'Toll'  |
      | 'Reed'  | 'Urban' |
      | 'Sand'  | 'Wade'  |
      | 'Sand'  | 'York'  |
      | 'Toll'  | 'Zell'  |
      | 'Vance' | 'Reed'  |
      | 'Vance' | 'Sand'  |
    And no side effects

  Scenario: [16] The boss of all
    Given the trade graph
    When executing query:
      """
      MATCH (e:Employee) WHERE NOT (e)-[:REPORTS_TO]->() RETURN e.firstName AS name, e.title AS title
      """
    Then the result should be, in any order:
      | name   | title           |
      | 'Nina' | 'Head of Sales' |
    And no side effects

  Scenario: [17] All reports at any depth
    Given the trade graph
    When executing query:
      """
      MATCH p = (e:Employee)-[:REPORTS_TO*]->(b:Employee {employeeID: 1}) RETURN e.firstName AS name, length(p) AS depth ORDER BY depth, name
      """
    Then the result should be, in order:
      | name    | depth |
      | 'Oskar' | 1     |
      | 'Petra' | 1     |
      | 'Ravi'  | 2     |
      | 'Sofia' | 2     |
      | 'Tom'   | 2     |
      | 'Una'   | 2     |
      | 'Vito'  | 3     |
    And no side effects

  Scenario: [18] The chain of command as a text
    Given the trade graph
    When executing query:
      """
      MATCH p = (e:Employee {employeeID: 8})-[:REPORTS_TO*]->(b) WHERE NOT (b)-[:REPORTS_TO]->()
      RETURN reduce(s = '', x IN nodes(p) | s + CASE WHEN s = '' THEN '' ELSE ' > ' END + x.firstName) AS chain
      """
    Then the result should be, in any order:
      | chain                        |
      | 'Vito > Ravi > Oskar > Nina' |
    And no side effects

  Scenario: [19] Teams by the size of all below
    Given the trade graph
    When executing query:
      """
      MATCH (m:Employee)<-[:REPORTS_TO*]-(e) RETURN m.firstName AS manager, count(e) AS below ORDER BY below DESC, manager
      """
    Then the result should be, in order:
      | manager | below |
      | 'Nina'  | 7     |
      | 'Oskar' | 3     |
      | 'Petra' | 2     |
      | 'Ravi'  | 1     |
    And no side effects

  Scenario: [20] Orders that each employee sold, and their customers
    Given the trade graph
    When executing query:
      """
      MATCH (e:Employee)-[:SOLD]->(o:Order)<-[:PURCHASED]-(c) RETURN e.firstName AS name, count(o) AS orders, count(DISTINCT c) AS customers ORDER BY orders DESC, name
      """
    Then the result should be, in order:
      | name    | orders | customers |
      | 'Oskar' | 11     | 7         |
      | 'Ravi'  | 10     | 4         |
      | 'Sofia' | 10     | 7         |
      | 'Tom'   | 10     | 7         |
      | 'Vito'  | 10     | 7         |
      | 'Petra' | 6      | 5         |
      | 'Una'   | 3      | 3         |
    And no side effects

  Scenario: [21] Sales of whole teams
    Given the trade graph
    When executing query:
      """
      MATCH (m:Employee) WHERE (m)<-[:REPORTS_TO]-() RETURN m.firstName AS manager, COUNT { (m)<-[:REPORTS_TO*0..]-()-[:SOLD]->(:Order) } AS orders ORDER BY orders DESC, manager
      """
    Then the result should be, in order:
      | manager | orders |
      | 'Nina'  | 60     |
      | 'Oskar' | 41     |
      | 'Ravi'  | 20     |
      | 'Petra' | 19     |
    And no side effects

  Scenario: [22] Products bought together
    Given the trade graph
    When executing query:
      """
      MATCH (a:Product)<-[:CONTAINS]-(o:Order)-[:CONTAINS]->(b:Product) WHERE a.productID < b.productID
      RETURN a.productName AS a, b.productName AS b, count(o) AS times ORDER BY times DESC, a, b LIMIT 5
      """
    Then the result should be, in order:
      | a            | b              | times |
      | 'Chili Oil'  | 'Blue Wheel'   | 4     |
      | 'Chili Oil'  | 'Durum Pasta'  | 3     |
      | 'Ginger Ale' | 'Dark Fudge'   | 3     |
      | 'Ginger Ale' | 'Mustard Seed' | 3     |
      | 'Ginger Ale' | 'Sugar Figs'   | 3     |
    And no side effects

  Scenario: [23] Others who bought this also bought that
    Given the trade graph
    When executing query:
      """
      MATCH (c:Customer {customerID: 'ALMAX'})-[:PURCHASED]->()-[:CONTAINS]->(p)<-[:CONTAINS]-()<-[:PURCHASED]-(other)
      WHERE other <> c
      MATCH (other)-[:PURCHASED]->()-[:CONTAINS]->(r:Product)
      WHERE NOT EXISTS { (c)-[:PURCHASED]->()-[:CONTAINS]->(r) }
      RETURN r.productName AS product, count(DISTINCT other) AS buyers ORDER BY buyers DESC, product LIMIT 5
      """
    Then the result should be, in order:
      | product       | buyers |
      | 'Chili Oil'   | 6      |
      | 'Ginger Ale'  | 6      |
      | 'Blue Wheel'  | 5      |
      | 'Barley Rice' | 4      |
      | 'Goat Cheese' | 4      |
    And no side effects

  Scenario: [24] Customers by overlap of their products
    Given the trade graph
    When executing query:
      """
      MATCH (a:Customer)-[:PURCHASED]->()-[:CONTAINS]->(p)<-[:CONTAINS]-()<-[:PURCHASED]-(b:Customer) WHERE a.customerID < b.customerID
      RETURN a.customerID AS a, b.customerID AS b, count(DISTINCT p) AS shared ORDER BY shared DESC, a, b LIMIT 5
      """
    Then the result should be, in order:
      | a       | b       | shared |
      | 'ALMAX' | 'GALED' | 12     |
      | 'FOLKO' | 'GALED' | 12     |
      | 'GALED' | 'ISLAT' | 12     |
      | 'DELTA' | 'GALED' | 11     |
      | 'GALED' | 'HUNGO' | 10     |
    And no side effects

  Scenario: [25] The two best products of each category
    Given the trade graph
    When executing query:
      """
      MATCH (c:Category) CALL (c) {
        MATCH (c)<-[:PART_OF]-(p)<-[d:CONTAINS]-() RETURN p.productName AS product, sum(d.quantity) AS sold ORDER BY sold DESC, product LIMIT 2
      }
      RETURN c.categoryName AS category, product, sold ORDER BY category, sold DESC, product
      """
    Then the result should be, in order:
      | category     | product        | sold |
      | 'Beverages'  | 'Ginger Ale'   | 238  |
      | 'Beverages'  | 'Black Coffee' | 170  |
      | 'Condiments' | 'Fig Jam'      | 186  |
      | 'Condiments' | 'Mustard Seed' | 179  |
      | 'Dairy'      | 'Goat Cheese'  | 184  |
      | 'Dairy'      | 'Blue Wheel'   | 133  |
      | 'Grains'     | 'Durum Pasta'  | 207  |
      | 'Grains'     | 'Barley Rice'  | 110  |
      | 'Produce'    | 'Dried Pears'  | 143  |
      | 'Produce'    | 'Sea Beans'    | 107  |
      | 'Sweets'     | 'Sugar Figs'   | 217  |
      | 'Sweets'     | 'Dark Fudge'   | 133  |
    And no side effects

  Scenario: [26] Categories above a price on average
    Given the trade graph
    When executing query:
      """
      MATCH (c:Category)<-[:PART_OF]-(p) WITH c, avg(p.unitPrice) AS price WHERE price > 25 RETURN c.categoryName AS category, round(price, 2) AS price ORDER BY category
      """
    Then the result should be, in order:
      | category     | price |
      | 'Condiments' | 55.11 |
      | 'Dairy'      | 27.81 |
      | 'Grains'     | 32.25 |
      | 'Produce'    | 27.38 |
    And no side effects

  Scenario: [27] Price classes
    Given the trade graph
    When executing query:
      """
      MATCH (p:Product) RETURN CASE WHEN p.unitPrice < 15 THEN 'low' WHEN p.unitPrice < 40 THEN 'middle' ELSE 'high' END AS class, count(*) AS products ORDER BY class
      """
    Then the result should be, in order:
      | class    | products |
      | 'high'   | 10       |
      | 'low'    | 6        |
      | 'middle' | 8        |
    And no side effects

  Scenario: [28] Median and deviation of prices
    Given the trade graph
    When executing query:
      """
      MATCH (p:Product) RETURN percentileCont(p.unitPrice, 0.5) AS median, round(stDev(p.unitPrice), 4) AS deviation, round(avg(p.unitPrice), 4) AS mean
      """
    Then the result should be, in any order:
      | median | deviation | mean    |
      | 27.0   | 17.275    | 31.6208 |
    And no side effects

  Scenario: [29] Freight of countries
    Given the trade graph
    When executing query:
      """
      MATCH (c:Customer)-[:PURCHASED]->(o) RETURN c.country AS country, round(sum(o.freight), 2) AS freight ORDER BY freight DESC
      """
    Then the result should be, in order:
      | country    | freight |
      | 'Portugal' | 763.84  |
      | 'Sweden'   | 584.31  |
      | 'Germany'  | 541.78  |
      | 'UK'       | 361.48  |
      | 'Ireland'  | 240.58  |
      | 'Austria'  | 185.61  |
      | 'France'   | 176.29  |
    And no side effects

  Scenario: [30] Suppliers and customers of one country
    Given the trade graph
    When executing query:
      """
      MATCH (s:Supplier), (c:Customer) WHERE s.country = c.country RETURN s.companyName AS supplier, c.companyName AS customer ORDER BY supplier, customer
      """
    Then the result should be, in order:
      | supplier  | customer        |
      | 'Nordhof' | 'Almax Markets' |
      | 'Nordhof' | 'Delta Deli'    |
    And no side effects

  Scenario: [31] All companies by a union
    Given the trade graph
    When executing query:
      """
      MATCH (s:Supplier) RETURN s.companyName AS company, 'supplier' AS kind UNION MATCH (c:Customer) RETURN c.companyName AS company, 'customer' AS kind
      """
    Then the result should be, in any order:
      | company          | kind       |
      | 'Nordhof'        | 'supplier' |
      | 'Valle Alta'     | 'supplier' |
      | 'Kobe Foods'     | 'supplier' |
      | 'Maple Row'      | 'supplier' |
      | 'Dune Trading'   | 'supplier' |
      | 'Almax Markets'  | 'customer' |
      | 'Bonte Traiteur' | 'customer' |
      | 'Corvo Bros'     | 'customer' |
      | 'Delta Deli'     | 'customer' |
      | 'Ernst Keller'   | 'customer' |
      | 'Folk och Fa'    | 'customer' |
      | 'Galeria Doce'   | 'customer' |
      | 'Hungry Owl'     | 'customer' |
      | 'Island Trade'   | 'customer' |
      | 'Jungle Grocer'  | 'customer' |
    And no side effects

  Scenario: [32] An order as a document
    Given the trade graph
    When executing query:
      """
      MATCH (c:Customer)-[:PURCHASED]->(o:Order {orderID: 10250})
      RETURN {id: o.orderID, customer: c.companyName, items: COLLECT { MATCH (o)-[d:CONTAINS]->(p) RETURN {product: p.productName, quantity: d.quantity} ORDER BY p.productName }} AS doc
      """
    Then the result should be, in order:
      | doc                                                                                                                                                                                                     |
      | {id: 10250, items: [{product: 'Amber Tea', quantity: 9}, {product: 'Barley Rice', quantity: 2}, {product: 'Red Lentils', quantity: 23}, {product: 'Rye Loaf', quantity: 14}], customer: 'Galeria Doce'} |
    And no side effects

  Scenario: [33] Running rank without a window function
    Given the trade graph
    When executing query:
      """
      MATCH (c:Customer)-[:PURCHASED]->(o) WITH c.customerID AS id, count(o) AS orders ORDER BY orders DESC, id
      WITH collect({id: id, orders: orders}) AS ranked UNWIND range(0, size(ranked) - 1) AS i RETURN i + 1 AS rank, ranked[i].id AS id, ranked[i].orders AS orders ORDER BY rank
      """
    Then the result should be, in order:
      | rank | id      | orders |
      | 1    | 'GALED' | 13     |
      | 2    | 'FOLKO' | 10     |
      | 3    | 'ISLAT' | 8      |
      | 4    | 'ALMAX' | 6      |
      | 5    | 'HUNGO' | 6      |
      | 6    | 'BONTE' | 5      |
      | 7    | 'DELTA' | 5      |
      | 8    | 'ERNST' | 4      |
      | 9    | 'CORVO' | 3      |
    And no side effects

  Scenario: [34] Share of all orders in percent
    Given the trade graph
    When executing query:
      """
      MATCH (o:Order) WITH count(o) AS total MATCH (e:Employee)-[:SOLD]->(o) WITH e, total, count(o) AS sold RETURN e.firstName AS name, round(100.0 * sold / total, 1) AS percent ORDER BY percent DESC, name
      """
    Then the result should be, in order:
      | name    | percent |
      | 'Oskar' | 18.3    |
      | 'Ravi'  | 16.7    |
      | 'Sofia' | 16.7    |
      | 'Tom'   | 16.7    |
      | 'Vito'  | 16.7    |
      | 'Petra' | 10.0    |
      | 'Una'   | 5.0     |
    And no side effects

  Scenario: [35] Products that were never ordered
    Given the trade graph
    When executing query:
      """
      MATCH (p:Product) WHERE COUNT { (p)<-[:CONTAINS]-() } = 0 RETURN count(p) AS c
      """
    Then the result should be, in any order:
      | c |
      | 0 |
    And no side effects
