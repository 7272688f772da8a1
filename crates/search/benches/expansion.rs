//! New nodes: the children of a leaf in a Monte-Carlo tree, and the expansions of best-first searches, whose numbers are known.

#[path = "../../games/benches/cpu_time/mod.rs"]
mod cpu_time;

use cpu_time::CpuTime;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use proofplay_core::{Bounds, Game, Score};
use proofplay_games::domineering::{Domineering, Setup};
use proofplay_search::internals::{Columns, ROOT, Room, Tree};
use proofplay_search::{Resources, Run, SearchSpec};

/// Nodes of a tree, about.
const NODES: usize = 60_000;

fn children(c: &mut Criterion<CpuTime>) {
    let mut group = c.benchmark_group("children");
    for count in [10, 60, 1000] {
        let leaves = NODES / count;
        group.throughput(Throughput::Elements((leaves * count) as u64));
        group.bench_function(BenchmarkId::from_parameter(count), |b| {
            let fresh = || Tree::new(2 * 24 * NODES, Columns::default(), Bounds::WDL);
            b.iter_batched_ref(
                fresh,
                |tree| {
                    let mut room = Room::default();
                    for leaf in ROOT..leaves as u32 {
                        assert!(tree.expand::<false>(&mut room, leaf, count, |i| (i as u32, Bounds::WDL)));
                    }
                    tree.give_back(&mut room);
                    assert_eq!(tree.made(), (1 + leaves * count) as u64);
                },
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

fn best_first(c: &mut Criterion<CpuTime>) {
    let start = Domineering::<u64>::new(Setup::parse("5x5").unwrap()).start();
    let mut group = c.benchmark_group("best first");
    for (name, expansions) in [("pns", 168_645), ("pnt", 15_049), ("pp", 31_485), ("ppt", 7_152)] {
        let spec: SearchSpec = name.parse().unwrap();
        group.throughput(Throughput::Elements(expansions));
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut search = spec.start_bare(&start, Resources::default()).unwrap();
                let report = search.run(proofplay_search::Ask::Value, &mut Run::default()).unwrap();
                assert_eq!((report.bounds.value(), report.expansions), (Some(Score::LOSS), expansions));
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = cpu_time::criterion();
    targets = children, best_first
}
criterion_main!(benches);
