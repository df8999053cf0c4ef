CREATE INDEX customer_id IF NOT EXISTS FOR (c:Customer) ON (c.customerID);
