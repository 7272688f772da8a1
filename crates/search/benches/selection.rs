//! Choosing a child: the whole formula, its fast path, and the leaders and the shortlist that look at few of many children.
//! All choose the same children, but for what a shortlist leaves to later, so that none can look fast by choosing badly.

#[path = "../../games/benches/cpu_time/mod.rs"]
mod cpu_time;

use cpu_time::CpuTime;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use proofplay_core::{Bounds, Player};
use proofplay_search::internals::{
    Columns, Fields, Leaders, Node, Parent, Plain, ROOT, Room, Shortlist, Tree, Units,
};
use proofplay_search::mcts::{Config, Intervals, Proof};

/// Choices of a round, after as many visits of each child as make exploration even.
const CHOICES: u32 = 1000;
const EACH: u32 = 4;
const PROOF: Proof =
    Proof::Bounds(Intervals { cut: true, gamma: 0.0, delta: 0.0, fade: 0.0, relative: false });

/// A root whose children have some visits each. Nearly all are won as often as lost.
fn tree(count: usize) -> Tree {
    let tree = Tree::new(1 << 20, Columns::default(), Bounds::WDL);
    assert!(tree.expand::<false>(&mut Room::default(), ROOT, count, |i| (i as u32, Bounds::WDL)));
    let (_, children) = tree.children(ROOT);
    children.iter().for_each(|child| (0..EACH).for_each(|visit| reward(child, visit)));
    tree
}

/// A visit of a child: won and lost by turns, a few children more often.
fn reward(child: &Node, visit: u32) {
    let wins = !visit.is_multiple_of(if child.code().is_multiple_of(7) { 3 } else { 2 });
    child.add::<false>(1, Units::of(if wins { 1.0 } else { -1.0 }));
}

/// Chooses and visits again and again: how often each child was visited.
fn visits(tree: &Tree, mut pick: impl FnMut(&[Node], Parent) -> Option<usize>) -> Vec<u32> {
    let (_, children) = tree.children(ROOT);
    let before = EACH * children.len() as u32;
    for visits in before..before + CHOICES {
        let parent = Parent { mover: Player::First, visits, bounds: Bounds::WDL, range: Bounds::WDL };
        let child = &children[pick(children, parent).unwrap()];
        reward(child, child.visits());
    }
    children.iter().map(Fields::visits).collect()
}

fn all(c: &mut Criterion<CpuTime>) {
    let selection = Config::default().selection;
    let plain = Plain::new(selection, PROOF).unwrap();
    let mut group = c.benchmark_group("selection");
    group.throughput(Throughput::Elements(CHOICES.into()));
    for count in [10, 60, 1000] {
        let expected = visits(&tree(count), |children, parent| plain.pick(children, parent));
        let mut bench = |name: &str, check: &dyn Fn(&Tree)| {
            group.bench_function(BenchmarkId::new(name, count), |b| {
                b.iter_batched_ref(|| tree(count), |tree| check(tree), BatchSize::LargeInput);
            });
        };
        bench("whole", &|tree| {
            let pick = |children: &[Node], parent| selection.pick(tree, 1, children, parent, PROOF);
            assert_eq!(visits(tree, pick), expected);
        });
        bench("plain", &|tree| {
            assert_eq!(visits(tree, |children, parent| plain.pick(children, parent)), expected);
        });
        if Leaders::are_for(count, EACH * count as u32) {
            bench("leaders", &|tree| {
                let mut leaders = Leaders::default();
                let pick = |children: &[Node], parent| leaders.pick(&plain, ROOT, children, parent);
                assert_eq!(visits(tree, pick), expected);
            });
        }
        if Shortlist::is_for(count) {
            bench("shortlist", &|tree| {
                let mut list = Shortlist::default();
                let found = visits(tree, |children, parent| list.pick(&plain, children, parent));
                let apart = found.iter().zip(&expected).map(|(a, b)| a.abs_diff(*b)).max();
                assert!(apart <= Some(4), "{apart:?} visits more or less than by the formula");
            });
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = cpu_time::criterion();
    targets = all
}
criterion_main!(benches);
