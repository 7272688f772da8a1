//! Random games per second, game by game. Every batch must give the known sum of scores, so that a
//! broken game cannot look fast.

mod cpu_time;

use cpu_time::CpuTime;
use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use proofplay_core::{Game, Position, Rng};
use proofplay_games::connect4::Connect4;
use proofplay_games::domineering::{self, Domineering};
use proofplay_games::go::{self, Go};
use proofplay_games::in_a_row::Fixed;
use proofplay_games::mnk::Mnk;
use proofplay_games::nogo::{self, NoGo};
use proofplay_games::seki::{self, Seki};
use proofplay_games::y::{self, Y};

/// Games in a batch: enough that branch predictors cannot learn them. With 1000, tictactoe seems a
/// third faster.
const GAMES: u64 = 20_000;

/// The sum of the scores of random games from the start.
fn playouts<G: Game>(game: &G) -> i32 {
    let (start, mut rng, mut buf) = (game.start(), Rng::new(1), Vec::new());
    let Some(policy) = game.hints().usual_policy() else {
        return (0..GAMES)
            .map(|_| i32::from(start.clone().playout(&mut rng, &mut buf, &mut |_, _| ()).0))
            .sum();
    };
    let hints = game.hints();
    let mut score = |_| hints.playout(policy, &mut start.clone(), &mut rng, &mut buf, None).0;
    (0..GAMES).map(|i| i32::from(score(i))).sum()
}

fn bench<G: Game>(c: &mut Criterion<CpuTime>, game: G, sum: i32) {
    let mut group = c.benchmark_group("playouts");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(GAMES));
    group.bench_function(game.name(), |b| b.iter(|| assert_eq!(playouts(&game), sum, "{}", game.name())));
    group.finish();
}

fn all(c: &mut Criterion<CpuTime>) {
    let domineering = domineering::Setup { cols: 8, rows: 8, first_horizontal: false };
    bench(c, Mnk::new(Fixed::<3, 3, 3>), 6_084);
    bench(c, Connect4::new(Fixed::<7, 6, 4>), 2_260);
    bench(c, Domineering::<u64>::new(domineering), 492);
    bench(c, NoGo::<u128>::new(nogo::Setup { cols: 9, rows: 9 }), -64);
    bench(c, Y::<u64>::new(y::Setup { size: 6 }), 4_096);
    bench(c, Y::<u128>::new(y::Setup { size: 11 }), -6);
    bench(c, Go::<u128>::new(go::Setup::STANDARD), 42_818);
    bench(c, Seki::new(seki::Setup { max: 3, min: 4, shared: 2 }), -975);
}

criterion_group! {
    name = benches;
    config = cpu_time::criterion();
    targets = all
}
criterion_main!(benches);
