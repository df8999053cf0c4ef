// Asks a server of Dgraph's gRPC everything that dgo can, and ends with 1 at the first answer that is not as it has to be.
//
//	main HOST:PORT [USER PASSWORD]
//
// It drops all data. The cases have the names that they have in the other languages.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/dgraph-io/dgo/v250"
	"github.com/dgraph-io/dgo/v250/protos/api"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

const byName = "query q($n: string) { q(func: eq(name, $n)) { uid name age } }"

var ctx = context.Background()

func must(err error) {
	if err != nil {
		log.Panic(err)
	}
}

func check(found, wanted any) {
	if !reflect.DeepEqual(found, wanted) {
		log.Panicf("found %v, and not %v", found, wanted)
	}
}

// The rows of the block q.
func rows(response *api.Response, err error) []map[string]any {
	must(err)
	var found struct{ Q []map[string]any }
	must(json.Unmarshal(response.Json, &found))
	return found.Q
}

func asked(txn *dgo.Txn, text string) []map[string]any {
	return rows(txn.Query(ctx, text))
}

func uidOf(client *dgo.Dgraph, name string) string {
	found := rows(client.NewReadOnlyTxn().QueryWithVars(ctx, byName, map[string]string{"$n": name}))
	return found[0]["uid"].(string)
}

func object(value map[string]any) []byte {
	text, err := json.Marshal(value)
	must(err)
	return text
}

func schemaAndQueries(client *dgo.Dgraph) {
	must(client.DropAll(ctx))
	must(client.SetSchema(ctx, "name: string @index(exact) .\nage: int ."))
	must(client.Alter(ctx, &api.Operation{Schema: "nick: [string] ."}))
	ann := object(map[string]any{"uid": "_:ann", "name": "Ann", "age": 7, "nick": []string{"A"}})
	done, err := client.NewTxn().Mutate(ctx, &api.Mutation{SetJson: ann, CommitNow: true})
	must(err)
	found := rows(client.NewReadOnlyTxn().QueryWithVars(ctx, byName, map[string]string{"$n": "Ann"}))
	check(found, []map[string]any{{"uid": done.Uids["ann"], "name": "Ann", "age": 7.0}})
	best := client.NewReadOnlyTxn().BestEffort()
	check(len(rows(best.QueryWithVars(ctx, byName, map[string]string{"$n": "Nobody"}))), 0)
	rdf, err := client.NewReadOnlyTxn().QueryRDF(ctx, "{ q(func: eq(name, \"Ann\")) { nick } }")
	must(err)
	check(string(rdf.Rdf), fmt.Sprintf("<%s> <nick> \"A\" .\n", done.Uids["ann"]))
}

func aTransactionSeesWhatItWrote(client *dgo.Dgraph) {
	txn := client.NewTxn()
	done, err := txn.Mutate(ctx, &api.Mutation{SetNquads: []byte("_:b <name> \"Bo\" .\n_:b <age> \"9\" .")})
	must(err)
	text := fmt.Sprintf("{ q(func: uid(%s)) { name } }", done.Uids["b"])
	bo := []map[string]any{{"name": "Bo"}}
	check(asked(txn, text), bo)
	check(len(asked(client.NewReadOnlyTxn(), text)), 0)
	must(txn.Commit(ctx))
	check(asked(client.NewReadOnlyTxn(), text), bo)
	check(txn.Commit(ctx), dgo.ErrFinished)
	lost := client.NewTxn()
	quad := &api.NQuad{Subject: "_:c", Predicate: "name", ObjectValue: &api.Value{Val: &api.Value_StrVal{StrVal: "Cy"}}}
	_, err = lost.Mutate(ctx, &api.Mutation{Set: []*api.NQuad{quad}})
	must(err)
	must(lost.Discard(ctx))
	check(len(asked(client.NewReadOnlyTxn(), "{ q(func: eq(name, \"Cy\")) { uid } }")), 0)
	edges := &api.Mutation{CommitNow: true}
	dgo.DeleteEdges(edges, done.Uids["b"], "age")
	_, err = client.NewTxn().Mutate(ctx, edges)
	must(err)
	check(asked(client.NewReadOnlyTxn(), strings.Replace(text, "name", "name age", 1)), bo)
}

func theSecondToCommitIsAborted(client *dgo.Dgraph) {
	uid := uidOf(client, "Ann")
	txns := []*dgo.Txn{client.NewTxn(), client.NewTxn()}
	for age, txn := range txns {
		_, err := txn.Mutate(ctx, &api.Mutation{SetJson: object(map[string]any{"uid": uid, "age": age})})
		must(err)
	}
	must(txns[0].Commit(ctx))
	check(txns[1].Commit(ctx), dgo.ErrAborted)
}

func twoThatMakeANodeBothCommit(client *dgo.Dgraph) {
	first, _, err := client.AllocateUIDs(ctx, 2)
	must(err)
	uid := fmt.Sprintf("%#x", first)
	named, aged := client.NewTxn(), client.NewTxn()
	_, err = named.Mutate(ctx, &api.Mutation{SetJson: object(map[string]any{"uid": uid, "name": "Ed"})})
	must(err)
	_, err = aged.Mutate(ctx, &api.Mutation{SetJson: object(map[string]any{"uid": uid, "age": 5})})
	must(err)
	must(named.Commit(ctx))
	must(aged.Commit(ctx))
	text := fmt.Sprintf("{ q(func: uid(%s)) { name age } }", uid)
	check(asked(client.NewReadOnlyTxn(), text), []map[string]any{{"name": "Ed", "age": 5.0}})
}

func clientsThatTryAgainLoseNoUpdate(client *dgo.Dgraph) {
	uid := uidOf(client, "Ann")
	text := fmt.Sprintf("{ q(func: uid(%s)) { age } }", uid)
	set := func(txn *dgo.Txn, age float64, commits bool) error {
		value := object(map[string]any{"uid": uid, "age": age})
		_, err := txn.Mutate(ctx, &api.Mutation{SetJson: value, CommitNow: commits})
		return err
	}
	must(set(client.NewTxn(), 0, true))
	raise := func() error {
		txn := client.NewTxn()
		defer func() { _ = txn.Discard(ctx) }()
		if err := set(txn, asked(txn, text)[0]["age"].(float64)+1, false); err != nil {
			return err
		}
		return txn.Commit(ctx)
	}
	var threads sync.WaitGroup
	for range 4 {
		threads.Add(1)
		go func() {
			defer threads.Done()
			for raised := 0; raised < 5; {
				switch err := raise(); {
				case err == nil:
					raised++
				case !errors.Is(err, dgo.ErrAborted):
					log.Panic(err)
				}
			}
		}()
	}
	threads.Wait()
	check(asked(client.NewReadOnlyTxn(), text), []map[string]any{{"age": 20.0}})
}

func anUpsertMakesANodeOnce(client *dgo.Dgraph) {
	for range 2 {
		mutation := &api.Mutation{Cond: "@if(eq(len(v), 0))", SetNquads: []byte("_:d <name> \"Di\" .")}
		request := &api.Request{Query: "{ v as var(func: eq(name, \"Di\")) }", CommitNow: true, Mutations: []*api.Mutation{mutation}}
		_, err := client.NewTxn().Do(ctx, request)
		must(err)
	}
	text := "upsert { query { v as var(func: eq(name, \"Di\")) } mutation { set { uid(v) <age> \"3\" . } } }"
	_, err := client.RunDQL(ctx, text)
	must(err)
	found := rows(client.RunDQLWithVars(ctx, byName, map[string]string{"$n": "Di"}, dgo.WithReadOnly()))
	check(len(found), 1)
	check(found[0]["age"], 3.0)
}

func anIndexIsMadeInTheBackground(client *dgo.Dgraph) {
	must(client.Alter(ctx, &api.Operation{Schema: "nick: [string] @index(exact) .", RunInBackground: true}))
	until := time.Now().Add(time.Minute)
	for {
		found, err := client.NewReadOnlyTxn().Query(ctx, "{ q(func: eq(nick, \"A\")) { name } }")
		if err == nil {
			check(rows(found, nil), []map[string]any{{"name": "Ann"}})
			return
		}
		check(strings.Contains(err.Error(), "is not indexed") && time.Now().Before(until), true)
	}
}

func errorsAreThoseThatAreNotTriedAgain(client *dgo.Dgraph) {
	_, err := client.NewReadOnlyTxn().Query(ctx, "{ q(func: ")
	check(status.Code(err), codes.Unknown)
	check(strings.Contains(status.Convert(err).Message(), "line 1 column "), true)
	check(client.DropType(ctx, "Nothing") == nil, true)
	must(client.DropPredicate(ctx, "nick"))
	must(client.DropData(ctx))
	check(len(asked(client.NewReadOnlyTxn(), "{ q(func: has(name)) { uid } }")), 0)
}

func logins(address, user, password string) *dgo.Dgraph {
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	must(err)
	defer func() { _ = connection.Close() }()
	stranger := dgo.NewDgraphClient(api.NewDgraphClient(connection))
	_, err = stranger.NewReadOnlyTxn().Query(ctx, "{ q(func: uid(1)) { uid } }")
	check(status.Code(err), codes.Unauthenticated)
	client, err := dgo.Open(fmt.Sprintf("dgraph://%s:%s@%s?sslmode=disable", user, password, address))
	must(err)
	// The test's tokens are good for a second: this client renews its own.
	for range 3 {
		time.Sleep(600 * time.Millisecond)
		asked(client.NewReadOnlyTxn(), "{ q(func: uid(1)) { uid } }")
	}
	_, err = dgo.Open(fmt.Sprintf("dgraph://%s:wrong@%s", user, address))
	check(err != nil && strings.Contains(err.Error(), "invalid username or password"), true)
	return client
}

func main() {
	log.SetFlags(0)
	address := os.Args[1]
	var client *dgo.Dgraph
	if 3 < len(os.Args) {
		client = logins(address, os.Args[2], os.Args[3])
	} else {
		opened, err := dgo.Open("dgraph://" + address)
		must(err)
		client = opened
	}
	defer client.Close()
	schemaAndQueries(client)
	aTransactionSeesWhatItWrote(client)
	theSecondToCommitIsAborted(client)
	twoThatMakeANodeBothCommit(client)
	clientsThatTryAgainLoseNoUpdate(client)
	anUpsertMakesANodeOnce(client)
	anIndexIsMadeInTheBackground(client)
	errorsAreThoseThatAreNotTriedAgain(client)
	fmt.Println("dgo v250.0.0")
}
