UNWIND [
  {employeeID: 1, firstName: 'Nina', lastName: 'Vance', title: 'Head of Sales'},
  {employeeID: 2, firstName: 'Oskar', lastName: 'Reed', reportsTo: 1, title: 'Sales Manager'},
  {employeeID: 3, firstName: 'Petra', lastName: 'Sand', reportsTo: 1, title: 'Sales Manager'},
  {employeeID: 4, firstName: 'Ravi', lastName: 'Toll', reportsTo: 2, title: 'Sales Rep'},
  {employeeID: 5, firstName: 'Sofia', lastName: 'Urban', reportsTo: 2, title: 'Sales Rep'},
  {employeeID: 6, firstName: 'Tom', lastName: 'Wade', reportsTo: 3, title: 'Sales Rep'},
  {employeeID: 7, firstName: 'Una', lastName: 'York', reportsTo: 3, title: 'Sales Rep'},
  {employeeID: 8, firstName: 'Vito', lastName: 'Zell', reportsTo: 4, title: 'Trainee'}
] AS row
MERGE (e:Employee {employeeID: row.employeeID})
ON CREATE SET e.firstName = row.firstName, e.lastName = row.lastName, e.title = row.title
WITH e, row
WHERE row.reportsTo IS NOT NULL
MERGE (m:Employee {employeeID: row.reportsTo})
MERGE (e)-[:REPORTS_TO]->(m);
