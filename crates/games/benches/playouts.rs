//! Random games per second, game by game. Every batch must give the known sum of scores, so that a
//! broken game cannot look fast.

mod cpu_time;

use cpu_time::CpuTime;
use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use proofplay_core::{Family, FamilyVisitor, Game, GameVisitor, Position, Rng};

/// Games in a batch, and the sum of their scores. A batch is so large that no processor learns its games by heart: with 1000
/// games tictactoe seems a third faster.
const SUMS: &[(&str, u64, i64)] = &[
    ("tictactoe", 20_000, 6_084),
    ("mnk:9x9k5", 20_000, 953),
    ("connect4:7x6", 20_000, 2_260),
    ("domineering:8x8", 20_000, 492),
    ("nogo:9x9", 20_000, -64),
    ("y:6", 20_000, 4_096),
    ("y:11", 20_000, -6),
    ("seki:3,4", 20_000, -975),
    ("amazons:10x10", 500, -20),
    ("breakthrough:8x8", 5_000, 138),
    ("pentalath:5", 2_000, 82),
    ("go:9x9", 20_000, 42_818),
    ("loa:8x8", 500, -16),
    ("checkers:8x8", 2_000, -68),
    ("cannon", 300, 2),
    ("chinese-checkers:3", 100, 22),
];

/// The sum of the scores of random games from the start.
fn playouts<G: Game>(game: &G, games: u64) -> i64 {
    let (start, mut rng, mut buf) = (game.start(), Rng::new(1), Vec::new());
    let Some(policy) = game.hints().usual_policy() else {
        return (0..games)
            .map(|_| i64::from(start.clone().playout(&mut rng, &mut buf, &mut |_, _| ()).0))
            .sum();
    };
    let hints = game.hints();
    let mut score = |_| hints.playout(policy, &mut start.clone(), &mut rng, &mut buf, None).0;
    (0..games).map(|i| i64::from(score(i))).sum()
}

/// Measures every family on the example, and on the boards that people play.
struct All<'a>(&'a mut Criterion<CpuTime>);

impl FamilyVisitor for All<'_> {
    fn visit<F: Family>(&mut self) {
        // Nobody plays trees that are given as text.
        if F::NAME != "written" {
            let example = if F::STANDARD.is_empty() { &[F::EXAMPLE][..] } else { &[] };
            for board in example.iter().chain(F::STANDARD) {
                F::build(board, One(self.0)).expect("a game");
            }
        }
    }
}

struct One<'a>(&'a mut Criterion<CpuTime>);

impl GameVisitor for One<'_> {
    type Out = ();

    fn visit<G: Game>(self, game: G) {
        let name = game.name();
        let known = SUMS.iter().find(|known| known.0 == name);
        let &(_, games, sum) = known.unwrap_or_else(|| panic!("{name}: add its sum of scores to SUMS"));
        let mut group = self.0.benchmark_group("playouts");
        group.sampling_mode(SamplingMode::Flat);
        group.throughput(Throughput::Elements(games));
        group.bench_function(&name, |b| b.iter(|| assert_eq!(playouts(&game, games), sum, "{name}")));
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
