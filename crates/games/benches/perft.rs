//! Move sequences per second of the path counter, game by game. Every count must be the known one
//! (`tests/perft`), so that a broken game cannot look fast.

mod cpu_time;

use cpu_time::CpuTime;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use proofplay_core::{Game, perft};
use proofplay_games::connect4::Connect4;
use proofplay_games::domineering::{self, Domineering};
use proofplay_games::in_a_row::Fixed;
use proofplay_games::mnk::Mnk;
use proofplay_games::nogo::{self, NoGo};
use proofplay_games::seki::{self, Seki};
use proofplay_games::y::{self, Y};

fn bench<G: Game>(c: &mut Criterion<CpuTime>, game: G, depth: u32, count: u64) {
    let mut group = c.benchmark_group("perft");
    group.throughput(Throughput::Elements(count));
    group.bench_function(format!("{} {depth}", game.name()), |b| {
        b.iter(|| assert_eq!(perft(&game.start(), depth), count, "{}", game.name()))
    });
    group.finish();
}

fn all(c: &mut Criterion<CpuTime>) {
    bench(c, Mnk::new(Fixed::<3, 3, 3>), 8, 200_448);
    bench(c, Connect4::new(Fixed::<7, 6, 4>), 7, 823_536);
    let setup = domineering::Setup { cols: 8, rows: 8, first_horizontal: false };
    bench(c, Domineering::<u64>::new(setup), 3, 146_580);
    // 81 * 80 * 79, except for the eight that capture a stone in a corner.
    bench(c, NoGo::<u128>::new(nogo::Setup { cols: 9, rows: 9 }), 3, 511_912);
    bench(c, Y::<u64>::new(y::Setup { size: 6 }), 4, 143_640);
    bench(c, Y::<u128>::new(y::Setup { size: 11 }), 3, 274_560);
    bench(c, Seki::new(seki::Setup { max: 3, min: 4, shared: 2 }), 5, 33_864);
}

criterion_group! {
    name = benches;
    config = cpu_time::criterion();
    targets = all
}
criterion_main!(benches);
