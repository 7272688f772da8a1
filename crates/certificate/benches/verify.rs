//! The walk through a certificate, to the ends of the game and to where a count decides. The number of positions must be
//! the known one.

#[path = "../../games/benches/cpu_time/mod.rs"]
mod cpu_time;

use cpu_time::CpuTime;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use proofplay_certificate::{Certificate, Claim, Ends, Statement, verify, write};
use proofplay_core::minimax::Memo;
use proofplay_core::{Bounds, Game, Line, Position};
use proofplay_games::in_a_row::Any;
use proofplay_games::{connect4::Connect4, domineering, nogo};

const MEMORY: usize = 1 << 26;

fn bench<G: Game>(c: &mut Criterion<CpuTime>, game: &G, ends: Ends, positions: u64) {
    let (mut memo, start) = (Memo::new(), game.start());
    let value = memo.value(&start);
    let choose = |pos: &G::Pos, _, claim: Claim, good: &mut Vec<_>| {
        pos.moves(good);
        good.retain(|&mv| claim.holds(memo.value(&pos.after(mv)), 0));
        Ok::<_, ()>(())
    };
    let mut statement = Statement::new(Line::start(&game.name()), Bounds::exact(value));
    (statement.ends, statement.memory) = (ends, MEMORY);
    let file = write(game, &statement, choose, |_| true).unwrap().bytes;
    let mut group = c.benchmark_group("verify");
    group.throughput(Throughput::Elements(positions));
    group.bench_function(format!("{} {ends}", game.name()), |b| {
        b.iter(|| {
            let checked = verify(game, &Certificate::parse(&file).unwrap(), MEMORY, |_| true).unwrap();
            assert_eq!((checked.bounds, checked.walked.positions), (Bounds::exact(value), positions));
        });
    });
    group.finish();
}

fn all(c: &mut Criterion<CpuTime>) {
    bench(c, &Connect4::new(Any::<u64>::new(4, 4, 4)), Ends::Rules, 3893);
    bench(c, &nogo::NoGo::<u64>::new(nogo::Setup { cols: 4, rows: 3 }), Ends::Rules, 4731);
    let domineering = domineering::Domineering::<u64>::new(domineering::Setup::parse("5x5").unwrap());
    bench(c, &domineering, Ends::Rules, 4592);
    bench(c, &domineering, Ends::Counted, 258);
}

criterion_group! {
    name = benches;
    config = cpu_time::criterion();
    targets = all
}
criterion_main!(benches);
