// Everything that Neo4j's driver for Go asks of a server: it ends with 1 at the first answer that is wrong.
//
// Usage: main HOST:PORT [USER PASSWORD]. The cases are those of the other languages, by the same names.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"
)

const (
	many   = "UNWIND range(1, 4096) AS value RETURN value"
	count  = "MATCH (n) RETURN count(n) AS value"
	person = "CREATE (n:person {name: $name}) RETURN n AS value"
)

var ctx = context.Background()

type values = map[string]any

func expect(found, expected any, what string) {
	if !reflect.DeepEqual(found, expected) {
		panic(fmt.Sprintf("%s: found %#v, expected %#v", what, found, expected))
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// The error of a call that has to fail.
func refused(what, code string, err error) {
	var answer *neo4j.Neo4jError
	if !errors.As(err, &answer) {
		panic(fmt.Sprintf("%s: found %v", what, err))
	}
	expect(answer.Code, code, what)
}

type check struct {
	driver neo4j.DriverWithContext
}

func (own check) within(config neo4j.SessionConfig, work func(neo4j.SessionWithContext)) {
	session := own.driver.NewSession(ctx, config)
	defer session.Close(ctx)
	work(session)
}

func (own check) run(text string, parameters values) ([]*neo4j.Record, neo4j.ResultSummary) {
	session := own.driver.NewSession(ctx, neo4j.SessionConfig{})
	defer session.Close(ctx)
	result := must(session.Run(ctx, text, parameters))
	records := must(result.Collect(ctx))
	return records, must(result.Consume(ctx))
}

func (own check) value(text string, parameters values) any {
	records, _ := own.run(text, parameters)
	expect(len(records), 1, "one record")
	return records[0].Values[0]
}

func (own check) all() {
	info := must(own.driver.GetServerInfo(ctx))
	expect(info.Agent()[:6], "Neo4j/", "the agent")
	own.run("MATCH (n) DETACH DELETE n", nil)
	cases := []func(){
		own.types, own.results, own.plans, own.transactions, own.conflicts, own.bookmarks, own.elements,
		own.abandoned, own.failures,
	}
	for _, one := range cases {
		one()
		own.run("MATCH (n) DETACH DELETE n", nil)
	}
}

func (own check) types() {
	hour := time.FixedZone("Offset", 3600)
	berlin := must(time.LoadLocation("Europe/Berlin"))
	all := []any{
		nil, true, int64(-1), int64(1) << 62, 1.5, "text ü 世", []any{int64(1), []any{"a", nil}},
		values{"k": []any{int64(1)}, "l": values{"m": 2.5}}, []byte("bytes"),
		dbtype.Duration{Months: 1, Days: 2, Seconds: 3, Nanos: 4},
		dbtype.Point2D{X: 1.5, Y: 2.5, SpatialRefId: 4326},
		dbtype.Point3D{X: 1.5, Y: 2.5, Z: 3.5, SpatialRefId: 9157},
	}
	for _, value := range all {
		expect(own.value("RETURN $x AS value", values{"x": value}), value, "a value there and back")
	}
	noon := time.Date(2024, 2, 29, 12, 30, 1, 7, hour)
	same := func(value any, there func(any) time.Time, what string) {
		back := there(own.value("RETURN $x AS value", values{"x": value}))
		expect(back.Format(time.RFC3339Nano), there(value).Format(time.RFC3339Nano), what)
	}
	same(noon, func(value any) time.Time { return value.(time.Time) }, "a date with time and offset")
	zoned := own.value("RETURN $x AS value", values{"x": noon.In(berlin)}).(time.Time)
	expect([]any{zoned.Equal(noon), zoned.Location().String()}, []any{true, "Europe/Berlin"}, "a zone by its name")
	same(dbtype.Date(noon), func(value any) time.Time { return value.(dbtype.Date).Time().Truncate(24 * time.Hour).UTC() }, "a date")
	clock := func(hours time.Time) string { return hours.Format("15:04:05.999999999Z07:00") }
	timed := own.value("RETURN $x AS value", values{"x": dbtype.Time(noon)}).(dbtype.Time)
	expect(clock(timed.Time()), clock(noon), "a time")
	local := own.value("RETURN $x AS value", values{"x": dbtype.LocalTime(noon)}).(dbtype.LocalTime)
	expect(local.Time().Format("15:04:05.999999999"), noon.Format("15:04:05.999999999"), "a local time")
	plain := own.value("RETURN $x AS value", values{"x": dbtype.LocalDateTime(noon)}).(dbtype.LocalDateTime)
	expect(plain.Time().Format("2006-01-02T15:04:05.999999999"), noon.Format("2006-01-02T15:04:05.999999999"), "a local date")
}

func (own check) results() {
	own.within(neo4j.SessionConfig{FetchSize: 100}, func(session neo4j.SessionWithContext) {
		first := must(session.Run(ctx, many, nil))
		for i := 0; i < 10; i++ {
			expect(first.Next(ctx), true, "a record")
		}
		second := must(session.Run(ctx, many, nil))
		expect(len(must(second.Collect(ctx))), 4096, "all records")
		summary := must(second.Consume(ctx))
		expect(summary.StatementType(), neo4j.StatementTypeReadOnly, "the type of a read")
		expect(summary.Database().Name(), "neo4j", "the name of the database")
	})
	_, summary := own.run(person, values{"name": "eve"})
	counters := summary.Counters()
	expect([]int{counters.NodesCreated(), counters.PropertiesSet(), counters.LabelsAdded()}, []int{1, 1, 1}, "counters")
	expect(summary.StatementType(), neo4j.StatementTypeReadWrite, "the type of a write")
}

func (own check) plans() {
	own.run(person, values{"name": "ann"})
	text := "MATCH (n:person) RETURN n.name AS name"
	records, summary := own.run("EXPLAIN "+text, nil)
	plan := summary.Plan()
	expect(len(records), 0, "records of EXPLAIN")
	expect([]any{plan.Operator(), plan.Identifiers()}, []any{"ProduceResults", []string{"name"}}, "the root")
	expect(len(plan.Children()), 1, "its children")
	records, summary = own.run("PROFILE "+text, nil)
	profile := summary.Profile()
	expect(records[0].Values, []any{"ann"}, "records of PROFILE")
	expect(profile.Records(), int64(1), "rows of its root")
	expect(len(profile.Children()), 1, "its children")
}

func (own check) transactions() {
	own.within(neo4j.SessionConfig{}, func(session neo4j.SessionWithContext) {
		made := must(session.ExecuteWrite(ctx, func(transaction neo4j.ManagedTransaction) (any, error) {
			must(must(transaction.Run(ctx, person, values{"name": "ann"})).Consume(ctx))
			first := must(transaction.Run(ctx, many, nil))
			second := must(must(transaction.Run(ctx, count, nil)).Single(ctx))
			expect(second.Values[0], int64(1), "a read between the records of another")
			expect(len(must(first.Collect(ctx))), 4096, "the other")
			return "made", nil
		}))
		expect(made, "made", "the value of a transaction")
		transaction := must(session.BeginTransaction(ctx,
			neo4j.WithTxMetadata(values{"app": "check"}), neo4j.WithTxTimeout(10*time.Second)))
		must(must(transaction.Run(ctx, person, values{"name": "bob"})).Consume(ctx))
		expect(transaction.Rollback(ctx), nil, "a rollback")
		read := must(session.ExecuteRead(ctx, func(transaction neo4j.ManagedTransaction) (any, error) {
			return must(must(transaction.Run(ctx, count, nil)).Single(ctx)).Values[0], nil
		}))
		expect(read, int64(1), "after the rollback")
		_, err := session.ExecuteRead(ctx, func(transaction neo4j.ManagedTransaction) (any, error) {
			result, err := transaction.Run(ctx, person, values{"name": "eve"})
			if err != nil {
				return nil, err
			}
			return result.Consume(ctx)
		})
		refused("a write in a read", "Neo.ClientError.Statement.AccessMode", err)
	})
	result := must(neo4j.ExecuteQuery(ctx, own.driver, count, nil, neo4j.EagerResultTransformer))
	expect([]any{result.Records[0].Values[0], result.Keys}, []any{int64(1), []string{"value"}}, "a query of the driver")
}

func (own check) conflicts() {
	own.run(person, values{"name": "ann"})
	attempts := 0
	own.within(neo4j.SessionConfig{}, func(session neo4j.SessionWithContext) {
		must(session.ExecuteWrite(ctx, func(transaction neo4j.ManagedTransaction) (any, error) {
			attempts++
			result, err := transaction.Run(ctx, "MATCH (n) SET n.n = $n", values{"n": attempts})
			if err != nil {
				return nil, err
			}
			if _, err := result.Consume(ctx); err != nil {
				return nil, err
			}
			if attempts == 1 {
				own.run("MATCH (n) SET n.n = 100", nil)
			}
			return nil, nil
		}))
	})
	expect(attempts, 2, "a conflict is tried again by the driver")
	expect(own.value("MATCH (n) RETURN n.n AS value", nil), int64(2), "what the second attempt wrote")
}

func (own check) bookmarks() {
	var bookmarks neo4j.Bookmarks
	own.within(neo4j.SessionConfig{}, func(session neo4j.SessionWithContext) {
		must(must(session.Run(ctx, person, values{"name": "bob"})).Consume(ctx))
		bookmarks = session.LastBookmarks()
	})
	expect(len(bookmarks), 1, "a bookmark")
	own.within(neo4j.SessionConfig{Bookmarks: bookmarks}, func(session neo4j.SessionWithContext) {
		expect(must(must(session.Run(ctx, count, nil)).Single(ctx)).Values[0], int64(1), "a causal chain")
	})
	foreign := neo4j.BookmarksFromRawValues("FB:kcwQ")
	own.within(neo4j.SessionConfig{Bookmarks: foreign}, func(session neo4j.SessionWithContext) {
		_, err := session.Run(ctx, "RETURN 1", nil)
		refused("a foreign bookmark", "Neo.ClientError.Transaction.InvalidBookmark", err)
	})
}

func (own check) elements() {
	own.run("CREATE (:person {name: 'ann'})-[:knows {since: 1999}]->(:person {name: 'bob'})", nil)
	node := own.value("MATCH (n {name: 'ann'}) RETURN n AS value", nil).(dbtype.Node)
	expect([]any{node.Labels, node.Props}, []any{[]string{"person"}, values{"name": "ann"}}, "a node")
	edge := own.value("MATCH ()-[k]->() RETURN k AS value", nil).(dbtype.Relationship)
	expect([]any{edge.Type, edge.Props}, []any{"knows", values{"since": int64(1999)}}, "a relationship")
	expect(edge.StartElementId, node.ElementId, "its start")
	path := own.value("MATCH p = ({name: 'ann'})-->() RETURN p AS value", nil).(dbtype.Path)
	expect([]any{len(path.Nodes), path.Nodes[1].Props["name"]}, []any{2, "bob"}, "a path")
}

// Transactions and results that are left in their middle: the driver sends RESET.
func (own check) abandoned() {
	session := own.driver.NewSession(ctx, neo4j.SessionConfig{FetchSize: 10})
	transaction := must(session.BeginTransaction(ctx))
	must(must(transaction.Run(ctx, person, values{"name": "eve"})).Consume(ctx))
	result := must(transaction.Run(ctx, "UNWIND range(1, 100000) AS value RETURN value", nil))
	expect(result.Next(ctx), true, "a record")
	expect(session.Close(ctx), nil, "the end of the session")
	expect(own.value(count, nil), int64(0), "after a transaction was left")
}

func (own check) failures() {
	own.within(neo4j.SessionConfig{}, func(session neo4j.SessionWithContext) {
		for text, code := range map[string]string{
			"RETURN (":     "Neo.ClientError.Statement.SyntaxError",
			"RETURN $x":    "Neo.ClientError.Statement.ParameterMissing",
			"RETURN 1 / 0": "Neo.ClientError.Statement.ArithmeticError",
		} {
			result, err := session.Run(ctx, text, nil)
			if err == nil {
				_, err = result.Consume(ctx)
			}
			refused(text, code, err)
		}
		expect(must(must(session.Run(ctx, "RETURN 1", nil)).Single(ctx)).Values[0], int64(1), "after a failure")
	})
	own.within(neo4j.SessionConfig{DatabaseName: "nowhere"}, func(session neo4j.SessionWithContext) {
		_, err := session.Run(ctx, "RETURN 1", nil)
		refused("a database that is not there", "Neo.ClientError.Database.DatabaseNotFound", err)
	})
}

func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "github.com/neo4j/neo4j-go-driver/v5" {
			return module.Version
		}
	}
	return "unknown"
}

func main() {
	address, user := os.Args[1], os.Args[2:]
	login := neo4j.NoAuth()
	if len(user) == 2 {
		login = neo4j.BasicAuth(user[0], user[1], "")
	}
	for _, scheme := range []string{"bolt://", "neo4j://"} {
		driver := must(neo4j.NewDriverWithContext(scheme+address, login))
		expect(driver.VerifyConnectivity(ctx), nil, "a connection")
		check{driver}.all()
		expect(driver.Close(ctx), nil, "the end of the driver")
		if len(user) == 2 {
			wrong := must(neo4j.NewDriverWithContext(scheme+address, neo4j.BasicAuth(user[0], "wrong", "")))
			refused("a wrong password", "Neo.ClientError.Security.Unauthorized", wrong.VerifyConnectivity(ctx))
			expect(wrong.Close(ctx), nil, "the end of the driver")
		}
	}
	fmt.Println("neo4j-go-driver", version())
}
