//! Tables of alpha-beta and df-pn: what is there is found, what is not is not, whether the table fits into a cache or not.

#[path = "../../games/benches/cpu_time/mod.rs"]
mod cpu_time;

use cpu_time::CpuTime;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use proofplay_core::{Bounds, Key, mix};
use proofplay_search::internals::{Entry, Numbers, Table};

/// Look-ups of a round.
const COUNT: u64 = 10_000;
/// Bytes of a table that fits into a cache, and of one that does not.
const SIZES: [(&str, usize); 2] = [("small", 1 << 20), ("large", 1 << 28)];

/// The keys of so many positions; those of another `kind` are all different.
fn keys(kind: u64) -> Vec<Key> {
    (0..COUNT).map(|i| mix(Key::from(kind << 32 | i))).collect()
}

/// Measures putting, finding and not finding. What is put is the number of a position; few of them may be pushed out.
fn bench(c: &mut Criterion<CpuTime>, name: &str, put: &dyn Fn(Key, u16), get: &dyn Fn(Key) -> Option<u16>) {
    let (there, others) = (keys(1), keys(2));
    let put_all = || (0..).zip(&there).for_each(|(i, &key)| put(key, i));
    put_all();
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(COUNT));
    group.bench_function("put", |b| b.iter(&put_all));
    group.bench_function("get, there", |b| {
        b.iter(|| {
            let found = (0..).zip(&there).filter(|&(i, &key)| get(key) == Some(i)).count();
            assert!(found as u64 >= COUNT * 99 / 100, "{found} of {COUNT}");
        })
    });
    group.bench_function("get, not there", |b| {
        b.iter(|| assert!(others.iter().all(|&key| get(key).is_none())));
    });
    group.finish();
}

fn all(c: &mut Criterion<CpuTime>) {
    for (size, bytes) in SIZES {
        let table = Table::new(bytes);
        let put = |key, best| table.put(key, Entry { bounds: Bounds::WDL, best });
        let get = |key| table.get(key).map(|entry: Entry| entry.best);
        bench(c, &format!("alphabeta table, {size}"), &put, &get);
        let numbers = Numbers::new(bytes);
        let put = |key, info: u16| numbers.put(key, u64::from(info), 1);
        let get = |key| numbers.get(key).map(|info| info as u16);
        bench(c, &format!("dfpn table, {size}"), &put, &get);
    }
}

criterion_group! {
    name = benches;
    config = cpu_time::criterion();
    targets = all
}
criterion_main!(benches);
