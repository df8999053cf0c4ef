//! Tests of geometries that an index of their cells answers: the same rows as without, of fewer candidates.

use std::sync::Arc;

use millrace_engine::{Prepared, execute};
use millrace_model::geometry::{Geometry, geojson};
use millrace_model::{Column, KeyId, LabelId, Value};
use millrace_plan::functions::GeometryTest;
use millrace_plan::{Comparison, Definition, Expr, Function, OwnerName, Plan, op};
use millrace_store::{Labels, NameKind, Store};

use crate::fixture::{begin, builder, commit, empty, reading, run, write};

/// Places and squares at every tenth degree around the antimeridian, a text, and a vertex without any.
fn all_geometries() -> Arc<dyn Store> {
    let store = empty();
    let transaction = begin(&store);
    transaction.intern(&[(NameKind::Label, "P"), (NameKind::Key, "at")]).expect("names");
    let corners = (0..400).map(|number| {
        let (column, row) = (number % 20, number / 20);
        let longitude = 179.0 + f64::from(column) / 10.0;
        (if 180.0 < longitude { longitude - 360.0 } else { longitude }, f64::from(row) / 10.0 - 1.0)
    });
    let values = corners.enumerate().map(|(number, (west, south))| {
        let (east, north) = (west + 0.05, south + 0.05);
        let ring = vec![[west, south], [east, south], [east, north], [west, north], [west, south]];
        Value::from(match number % 3 {
            0 => Geometry::Point([west, south]),
            1 => Geometry::Polygon(vec![ring]),
            _ => Geometry::MultiPolygon(vec![vec![ring.clone()], vec![ring]]),
        })
    });
    let values: Vec<Value> = values.chain([Value::from("here")]).collect();
    let label = Labels::from([LabelId(0)]);
    let column = Column::from_values(values.iter().cloned());
    let at = [(KeyId(0), &column)];
    transaction.create_vertices(&label, values.len(), &at).expect("places");
    transaction.create_vertices(&label, 1, &[]).expect("one without");
    commit(transaction);
    store
}

fn plan_of(test: GeometryTest, asked: &str, metres: Option<f64>) -> Plan {
    let asked = geojson::parse_argument(asked).expect(asked);
    filtered(|at| {
        let arguments = [at, Expr::Literal(Value::from(asked))].into_iter();
        let arguments = arguments.chain(metres.map(|metres| Expr::Literal(Value::F64(metres))));
        Expr::Call { function: Function::GeometryTest(test), arguments: arguments.collect() }
    })
}

fn filtered(predicate: impl FnOnce(Expr) -> Expr) -> Plan {
    let mut plan = builder();
    let v = plan.scan(Some("P"), "v");
    plan.filter(predicate(Expr::property(v, "at")));
    plan.finish(vec![v])
}

fn read_by(store: &Arc<dyn Store>, plan: &Plan) -> u64 {
    let mut prepared = Prepared::new(plan).expect("a good plan");
    let (_, explanation) = prepared.profile(&reading(store), &[]).expect("runs");
    explanation.operators[0].rows
}

#[test]
fn an_index_of_cells_finds_the_geometries_that_a_scan_finds() {
    let plain = all_geometries();
    let indexed = all_geometries();
    let mut plan = builder();
    let owner = OwnerName::Label("P".into());
    let definition =
        Definition::CreateMadeIndex { owner, keys: vec!["at".into()], method: "geo".into() };
    plan.push(op::Define { definition });
    write(&indexed, &plan.finish(vec![]));
    let area = "[[[179.92,-0.02],[-179.93,-0.02],[-179.93,0.17],[179.92,0.17],[179.92,-0.02]]]";
    let inner = "[[[179.51,0.01],[179.52,0.01],[179.52,0.02],[179.51,0.01]]]";
    for (plan, found, most_read) in [
        (plan_of(GeometryTest::Near, "[180,0]", Some(9_000.0)), 2..6, 40),
        (plan_of(GeometryTest::Within, area, None), 2..9, 40),
        (plan_of(GeometryTest::Contains, "[179.52,0.02]", None), 1..2, 20),
        (plan_of(GeometryTest::Contains, inner, None), 1..2, 20),
        (plan_of(GeometryTest::Intersects, area, None), 4..16, 40),
    ] {
        let rows = run(&plain, &plan);
        assert_eq!(run(&indexed, &plan), rows, "{plan}");
        assert!(found.contains(&rows.len()), "{} rows\n{plan}", rows.len());
        let read = read_by(&indexed, &plan);
        assert!(read <= most_read && (rows.len() as u64) <= read, "{read} of {rows:?}\n{plan}");
        assert_eq!(read_by(&plain, &plan), 402);
    }
    let point = Value::from(Geometry::Point([179.0, -1.0]));
    let equal = filtered(|at| Expr::compare(Comparison::Equal, at, Expr::Literal(point)));
    assert_eq!(run(&indexed, &equal), run(&plain, &equal));
    assert_eq!(run(&indexed, &equal).len(), 1);
    for wrong in [
        plan_of(GeometryTest::Near, "[0,0]", Some(0.0)),
        plan_of(GeometryTest::Within, "[0,0]", None),
    ] {
        for store in [&plain, &indexed] {
            execute(&wrong, &reading(store), &[]).expect_err("a wrong question");
        }
    }
}
