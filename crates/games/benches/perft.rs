//! Move sequences per second of the path counter, game by game. Every count must be the one that the second implementation
//! has found (`tests/perft`), so that a broken game cannot look fast.

mod cpu_time;

use cpu_time::CpuTime;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use proofplay_core::{Family, FamilyVisitor, Game, GameVisitor, perft};
use std::path::Path;

/// Measures every family on the board with the largest count that is known from the start.
struct All<'a>(&'a mut Criterion<CpuTime>);

impl FamilyVisitor for All<'_> {
    fn visit<F: Family>(&mut self) {
        // A tree that is given as text has no known counts.
        if F::NAME == "written" {
            return;
        }
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft").join(format!("{}.txt", F::NAME));
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let known = text.lines().filter_map(|line| {
            let [name, "", depth, count] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
                return None;
            };
            let parameters = name.split_once(':').map_or("", |(_, parameters)| parameters);
            Some((count.parse().ok()?, depth.parse().ok()?, parameters))
        });
        let (count, depth, parameters) = known.max().expect("a count from the start");
        F::build(parameters, One { criterion: self.0, depth, count }).expect("a game");
    }
}

struct One<'a> {
    criterion: &'a mut Criterion<CpuTime>,
    depth: u32,
    count: u64,
}

impl GameVisitor for One<'_> {
    type Out = ();

    fn visit<G: Game>(self, game: G) {
        let One { criterion, depth, count } = self;
        let mut group = criterion.benchmark_group("perft");
        group.throughput(Throughput::Elements(count));
        group.bench_function(format!("{} {depth}", game.name()), |b| {
            b.iter(|| assert_eq!(perft(&game.start(), depth), count, "{}", game.name()))
        });
        group.finish();
    }
}

fn all(c: &mut Criterion<CpuTime>) {
    proofplay_games::each_family(&mut All(c));
}

criterion_group! {
    name = benches;
    config = cpu_time::criterion();
    targets = all
}
criterion_main!(benches);
