//! Random games per second, game by game. Every batch must give the known sum of scores, so that a broken game cannot
//! look fast.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use proofplay_core::{Game, Position, Rng};
use proofplay_games::connect4::Connect4;
use proofplay_games::domineering::{self, Domineering};
use proofplay_games::in_a_row::Fixed;
use proofplay_games::mnk::Mnk;
use proofplay_games::nogo::{self, NoGo};
use proofplay_games::seki::{self, Seki};
use proofplay_games::y::{self, Y};
use std::time::Duration;

/// Games in a batch.
const GAMES: u64 = 1000;

/// The sum of the scores of random games from the start.
fn playouts<G: Game>(game: &G) -> i32 {
    let (start, mut rng, mut buf) = (game.start(), Rng::new(1), Vec::new());
    (0..GAMES).map(|_| i32::from(start.clone().playout(&mut rng, &mut buf, &mut |_, _| ()).0)).sum()
}

fn bench<G: Game>(c: &mut Criterion, game: G, sum: i32) {
    let mut group = c.benchmark_group("playouts");
    group.throughput(Throughput::Elements(GAMES));
    group.bench_function(game.name(), |b| b.iter(|| assert_eq!(playouts(&game), sum, "{}", game.name())));
    group.finish();
}

fn all(c: &mut Criterion) {
    let domineering = domineering::Setup { cols: 8, rows: 8, first_horizontal: false };
    bench(c, Mnk::new(Fixed::<3, 3, 3>), 302);
    bench(c, Connect4::new(Fixed::<7, 6, 4>), 104);
    bench(c, Domineering::<u64>::new(domineering), -8);
    bench(c, NoGo::<u128>::new(nogo::Setup { cols: 9, rows: 9 }), -6);
    bench(c, Y::<u64>::new(y::Setup { size: 6 }), 236);
    bench(c, Y::<u128>::new(y::Setup { size: 11 }), -42);
    bench(c, Seki::new(seki::Setup { max: 3, min: 4, shared: 2 }), -76);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = all
}
criterion_main!(benches);
