//! The numbers of a node from those of its children: proof numbers and product propagation.

#[path = "../../games/benches/cpu_time/mod.rs"]
mod cpu_time;

use cpu_time::CpuTime;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use proofplay_search::internals::{Info, NodeKind, PnDn, Pp, Status};
use std::hint::black_box;

fn bench<I: Info>(c: &mut Criterion<CpuTime>, name: &str) {
    let mut group = c.benchmark_group(format!("combine {name}"));
    for count in [10, 60, 1000] {
        let open: Vec<I> = (1..=count).map(|moves| I::mobility(NodeKind::And, moves)).collect();
        let mut proven = open.clone();
        proven[count / 2] = I::solved(true);
        group.throughput(Throughput::Elements(4 * count as u64));
        group.bench_function(BenchmarkId::from_parameter(count), |b| {
            b.iter(|| {
                let status = |kind, children: &[I]| I::combine(kind, children.iter().copied()).status();
                let [open, proven] = [black_box(&open[..]), black_box(&proven[..])];
                // A proven child decides for whoever moves and wants the goal; for the other one open children are left.
                assert_eq!(status(NodeKind::Or, open), Status::Open);
                assert_eq!(status(NodeKind::And, open), Status::Open);
                assert_eq!(status(NodeKind::Or, proven), Status::Proven);
                assert_eq!(status(NodeKind::And, proven), Status::Open);
            });
        });
    }
    group.finish();
}

fn all(c: &mut Criterion<CpuTime>) {
    bench::<PnDn>(c, "pn");
    bench::<Pp>(c, "pp");
}

criterion_group! {
    name = benches;
    config = cpu_time::criterion();
    targets = all
}
criterion_main!(benches);
