//! Checkpoints: one that was written is loaded, and what the search then knows is true; one that
//! was changed is refused. With a checksum that fits, what it says may be believed, but its shape
//! may do no harm.

use super::{game_of, value};
use flate2::Crc;
use proofplay_core::{Line, Score};
use proofplay_registry::reach;
use proofplay_search::checkpoint::{Checkpoint, Head, Spent};
use proofplay_search::{Ask, Limits, Report, Resources, Run, SearchSpec};
use std::fs;
use std::path::{Path, PathBuf};
use std::str::from_utf8;
use std::sync::Arc;
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3600);
const CHECKSUM: usize = 4;

/// A file of this thread, gone afterwards.
struct Place(PathBuf);

impl Place {
    fn new() -> Place {
        let name = format!("proofplay-fuzz-{}-{:?}", std::process::id(), std::thread::current().id());
        Place(std::env::temp_dir().join(name))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Runs a search for some nodes with a checkpoint.
fn run(head: &Head, nodes: u64, checkpoint: Checkpoint) -> Option<Report<String>> {
    let spec: SearchSpec = head.algorithm.parse().ok()?;
    if spec.to_string().contains("threads=") {
        return None;
    }
    let pos = reach(&head.line).ok().filter(|pos| pos.text() == head.position)?;
    let resources = Resources { memory: 1 << 20, threads: 1, seed: head.seed };
    let mut run = Run::new(Limits { nodes: Some(nodes), simulations: Some(nodes), ..Limits::default() });
    run.checkpoint = Some(Arc::new(checkpoint));
    pos.search(&spec, resources, if head.all_moves { Ask::AllMoves } else { Ask::Value }, &mut run).ok()
}

/// Continues from a file as `proofplay solve --resume` does; `None` if it is refused.
fn resume(place: &Path, nodes: u64) -> Option<(Head, Report<String>)> {
    let checkpoint = Checkpoint::resume(place, place, HOUR, &Arc::default()).ok()?;
    let head = checkpoint.head().clone();
    let report = run(&head, nodes, checkpoint)?;
    Some((head, report))
}

fn is_true(head: &Head, report: &Report<String>, value: Option<Score>) {
    assert!(value.is_none_or(|value| report.bounds.contains(value)), "{head:?}: {:?}", report.bounds);
}

/// A file with a checksum that fits.
fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut sum = Crc::new();
    sum.update(&bytes);
    bytes.extend(sum.sum().to_le_bytes());
    bytes
}

/// Four lines with a game, moves, a search and the number of nodes after which it is saved; then
/// changes of the file. The first byte says what becomes of the file (1: its checksum is made to
/// fit, 2: it is cut off at the last change), and three bytes each are a place in it and what to
/// write there.
pub fn checkpoint(data: &[u8]) {
    let mut parts = data.splitn(5, |&byte| byte == b'\n');
    let mut text = || from_utf8(parts.next()?).ok();
    let (Some(name), Some(moves), Some(algorithm), Some(nodes)) = (text(), text(), text(), text()) else {
        return;
    };
    let line = Line::start(name).then(moves);
    let (Ok(pos), Ok(nodes)) = (reach(&line), nodes.parse::<u64>()) else { return };
    let nodes = nodes.min(2000);
    let (place, position) = (Place::new(), pos.text());
    let (algorithm, spent) = (algorithm.to_owned(), Spent::default());
    let head =
        Head { line, position, algorithm, all_moves: false, seed: 1, memory: 1 << 20, threads: 1, spent };
    let Ok(begun) = Checkpoint::new(&place.0, HOUR, head.clone()) else { return };
    let Some(report) = run(&head, nodes, begun) else { return };
    let truth = value(&*pos, 20_000);
    is_true(&head, &report, truth);
    let Ok(file) = fs::read(&place.0) else { return };
    let (read, report) = resume(&place.0, nodes).expect("it was written a moment ago");
    assert_eq!((&read.line, &read.position, &read.algorithm), (&head.line, &head.position, &head.algorithm));
    is_true(&head, &report, truth);

    let Some((&how, changes)) = parts.next().and_then(|rest| rest.split_first()) else { return };
    let mut changed = file.clone();
    for change in changes.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % changed.len();
        changed[at] = change[2];
        if how & 2 != 0 {
            changed.truncate(at + 1);
        }
    }
    if how & 1 != 0 {
        changed.truncate(changed.len().saturating_sub(CHECKSUM));
        fs::write(&place.0, with_checksum(changed)).unwrap();
        resume(&place.0, 300);
    } else if changed != file {
        fs::write(&place.0, changed).unwrap();
        assert!(resume(&place.0, 0).is_none(), "the checksum is wrong");
    }
}

/// What follows the first two lines of a file, up to the checksum.
pub fn checkpoint_file(data: &[u8]) {
    let place = Place::new();
    fs::write(&place.0, data).unwrap();
    assert!(resume(&place.0, 0).is_none());
    // The first two lines name the versions of the format and of the program.
    let pos = game_of("tictactoe").start();
    let head = Head {
        line: Line::start(&pos.game_id()),
        position: pos.text(),
        algorithm: "alphabeta".to_owned(),
        all_moves: false,
        seed: 1,
        memory: 1 << 20,
        threads: 1,
        spent: Spent::default(),
    };
    let begun = Checkpoint::new(&place.0, HOUR, head.clone()).unwrap();
    run(&head, 10, begun).unwrap();
    let genuine = fs::read(&place.0).unwrap();
    let versions: Vec<&[u8]> = genuine.split_inclusive(|&byte| byte == b'\n').take(2).collect();
    let whole = with_checksum([&versions.concat(), data].concat());
    fs::write(&place.0, whole).unwrap();
    resume(&place.0, 300);
}
