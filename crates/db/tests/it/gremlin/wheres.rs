//! `where` in a pattern of `match`, and its `by` applied to collections.

use super::modern::Graph;

#[test]
fn a_pattern_goes_on_behind_its_last_tag() {
    let graph = Graph::modern();
    let both = "__.as('a').constant(2).as('x'), __.as('a').constant(2).as('y').where('x',eq('y'))";
    let turned =
        "__.as('a').constant(2).as('y').where('x',eq('y')), __.as('a').constant(2).as('x')";
    let other = "__.as('a').constant(2).as('x'), __.as('a').constant(3).as('y').where('x',eq('y'))";
    let ask =
        |patterns: &str| graph.sorted(&format!("g.inject(1).match({patterns}).select('x','y')"));
    assert_eq!(ask(both), ["{x:2, y:2}"]);
    assert_eq!(ask(turned), ["{x:2, y:2}"]);
    assert!(ask(other).is_empty());
    graph.expect(&[
        (
            "g.V().match(__.as('a').out('created').as('b'), __.as('b').in('created').as('c').where('a', neq('c')))\
             .select('a', 'c').by('name')",
            &[
                "{a:marko, c:josh}",
                "{a:marko, c:peter}",
                "{a:josh, c:marko}",
                "{a:josh, c:peter}",
                "{a:peter, c:marko}",
                "{a:peter, c:josh}",
            ],
        ),
        (
            "g.V().match(__.as('a').out('created').as('b').has('name', 'ripple')).select('a', 'b').by('name')",
            &["{a:josh, b:ripple}"],
        ),
        (
            "g.V().match(__.as('a').out('created').as('b').out()).select('a')",
            &[],
        ),
        (
            "g.V().match(__.as('a').out('knows').as('b')).select('a', 'b').by('name')",
            &["{a:marko, b:vadas}", "{a:marko, b:josh}"],
        ),
    ]);
}

#[test]
fn the_by_of_a_where_looks_at_all_that_was_collected() {
    let graph = Graph::modern();
    graph.expect(&[
        (
            "g.V(1).values('age').aggregate('x').V().where(gt('x')).by('age').by(unfold()).values('name')",
            &["josh", "peter"],
        ),
        ("g.V(1).aggregate('x').V(1,2,3).where(neq('x')).by().by(unfold())", &["v[2]", "v[3]"]),
        ("g.V(1).aggregate('x').V(1,2,3).where(eq('x')).by().by(unfold())", &["v[1]"]),
        (
            "g.V(1,2).values('age').aggregate('x').V().where(lt('x')).by('age').by(unfold().max()).values('name').dedup()",
            &["vadas"],
        ),
        (
            "g.V(1).out().aggregate('x').V().where(within('x')).values('name')",
            &["lop", "vadas", "josh"].repeat(3),
        ),
        (
            "g.V(1).aggregate('x').V().where(within('x')).by('name').by(unfold().values('name').fold()).values('name')",
            &["marko"],
        ),
    ]);
    graph.expect_errors(&[
        ("g.V(1).aggregate('x').V(1,2,3).where(neq('x')).by('name')", "name is asked of a list"),
        ("g.V(1).aggregate('x').V(1,2,3).where(within('x')).by('name')", "name is asked of a list"),
    ]);
}
