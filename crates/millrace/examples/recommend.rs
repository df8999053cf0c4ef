//! Items of people that like the same items as ann, the most liked first.

use millrace::Value;

pub(super) fn main() -> millrace::Result<()> {
    let database = millrace::in_memory()?;
    let graph = database.graph("likes")?;
    graph.write(|writer| {
        let people = writer.vertices("person", &[("name", ["ann", "ben", "cid"].into())])?;
        let items = writer.vertices("item", &[("name", ["tea", "jam", "pie"].into())])?;
        let (who, what) = ([0, 1, 1, 2, 2, 2], [0, 0, 1, 0, 1, 2]);
        writer.edges("likes", &people.at(&who), &items.at(&what), &[])
    })?;
    let text = "g.V().has('person', 'name', 'ann').as('me').out('likes').aggregate('mine')\
                .in('likes').where(neq('me')).out('likes').where(without('mine'))\
                .groupCount().by('name').order(local).by(values, desc).unfold()";
    let best = graph.gremlin(text).rows()?.next().expect("jam is liked by two")?;
    let Value::MapEntry(entry) = best.value() else { panic!("an entry: {best:?}") };
    assert_eq!((entry.0.as_str(), &entry.1), (Some("jam"), &Value::I64(2)));
    println!("{:?}", best.value());
    Ok(())
}
