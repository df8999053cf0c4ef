//! Which jobs may run together.
//!
//! A job uses an element (a relationship is made at it), observes it, or changes it. Jobs commute if they only use, or only
//! observe, what both have. Everything else keeps its order, and so does what names an element that another job makes:
//! it runs one stage behind it. What concerns the whole graph has a stage to itself.

use std::collections::HashMap;

use super::super::operation::{Element, Form, Kind, OfLabels, OfProperties, Operation, Subject};
use super::Checked;
use crate::neo4j_http::results::ElementKind;

/// What is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Accessed {
    Element(Subject),
    /// Which nodes have relationships: the ends of a relationship with a number are not known.
    Topology,
    /// The properties of all relationships, for the same reason.
    RelationshipData,
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Use,
    Observe,
    Change,
}

impl Mode {
    const ALL: [Mode; 3] = [Mode::Use, Mode::Observe, Mode::Change];

    fn commutes(self, other: Mode) -> bool {
        self == other && self != Mode::Change
    }
}

/// Jobs that run together, by their indexes.
pub(super) enum Group {
    /// One statement over all their rows.
    Alike(&'static Form, Vec<usize>),
    /// A job that concerns the whole graph, or nothing of it.
    Alone(usize),
}

/// The groups, stage by stage, and within a stage in the order of their first jobs.
pub(super) fn groups(jobs: &[Checked]) -> Vec<Group> {
    let stages = stages(jobs);
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by_key(|index| stages[*index]);
    let mut groups: Vec<(usize, Group)> = Vec::new();
    for index in order {
        let stage = stages[index];
        let Some(form) = jobs[index].operation.form() else {
            groups.push((stage, Group::Alone(index)));
            continue;
        };
        let of_stage = groups.iter_mut().rev().take_while(|(own, _)| *own == stage);
        let alike = of_stage.filter_map(|(_, group)| match group {
            Group::Alike(own, indexes) if std::ptr::eq(*own, form) => Some(indexes),
            Group::Alike(..) | Group::Alone(_) => None,
        });
        match alike.last() {
            Some(indexes) => indexes.push(index),
            None => groups.push((stage, Group::Alike(form, vec![index]))),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The stage of each job.
fn stages(jobs: &[Checked]) -> Vec<usize> {
    /// The first stage behind those that accessed it, by mode.
    type Behind = [usize; 3];
    let mut behind: HashMap<Accessed, Behind> = HashMap::new();
    let mut stages: Vec<usize> = Vec::with_capacity(jobs.len());
    // The first stage behind the last barrier, and behind all jobs.
    let (mut barrier, mut all) = (0, 0);
    for job in jobs {
        if is_barrier(&job.operation) {
            stages.push(all);
            (barrier, all) = (all + 1, all + 1);
            continue;
        }
        let accesses = accesses(&job.operation);
        let needed = job.needs(jobs).into_iter().map(|index| stages[index] + 1);
        let mut stage = needed.fold(barrier, usize::max);
        for (accessed, mode) in &accesses {
            let Some(own) = behind.get(accessed) else { continue };
            for other in Mode::ALL.into_iter().filter(|other| !mode.commutes(*other)) {
                stage = stage.max(own[other as usize]);
            }
        }
        for (accessed, mode) in accesses {
            let own = &mut behind.entry(accessed).or_default()[mode as usize];
            *own = (*own).max(stage + 1);
        }
        all = all.max(stage + 1);
        stages.push(stage);
    }
    stages
}

fn is_barrier(operation: &Operation) -> bool {
    matches!(&operation.0, Kind::Whole(whole) if whole.asked.is_some())
}

fn accesses(operation: &Operation) -> Vec<(Accessed, Mode)> {
    let node = |element: Element| Accessed::Element(Subject { kind: ElementKind::Node, element });
    let of_data = |subject: &Subject| {
        (subject.kind == ElementKind::Relationship)
            .then_some((Accessed::RelationshipData, Mode::Use))
    };
    match &operation.0 {
        Kind::CreateNode { .. } | Kind::Whole(_) => Vec::new(),
        Kind::CreateRelationship { start, end, .. } => {
            vec![(node(*start), Mode::Use), (node(*end), Mode::Use)]
        }
        Kind::Get(subject) => vec![(Accessed::Element(*subject), Mode::Observe)],
        Kind::Delete(subject) => {
            let mode = match subject.kind {
                ElementKind::Node => Mode::Observe,
                ElementKind::Relationship => Mode::Use,
            };
            vec![(Accessed::Element(*subject), Mode::Change), (Accessed::Topology, mode)]
        }
        Kind::Relationships(adjacent) => vec![
            (node(adjacent.node), Mode::Observe),
            (Accessed::Topology, Mode::Observe),
            (Accessed::RelationshipData, Mode::Observe),
        ],
        Kind::Degree(adjacent) => {
            vec![(node(adjacent.node), Mode::Observe), (Accessed::Topology, Mode::Observe)]
        }
        Kind::Properties(subject, OfProperties::GetAll | OfProperties::Get(_)) => {
            vec![(Accessed::Element(*subject), Mode::Observe)]
        }
        Kind::Properties(subject, _) => {
            let own = (Accessed::Element(*subject), Mode::Change);
            [own].into_iter().chain(of_data(subject)).collect()
        }
        Kind::Labels(element, OfLabels::Get) => vec![(node(*element), Mode::Observe)],
        Kind::Labels(element, _) => vec![(node(*element), Mode::Change)],
    }
}
