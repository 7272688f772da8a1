//! Makes a table of endgames, writes it, opens it again and verifies it; says what each took. `proofplay table` does the same, but
//! this is built in a minute.
//!
//!     cargo run --release -p proofplay-table --example table -- GAME PARAMETERS SET FILE [MEMORY-IN-MIB [THREADS]]

use proofplay_core::{Family, Game, GameVisitor};
use proofplay_games::{checkers, chinese_checkers};
use proofplay_search::Limits;
use proofplay_search::retrograde::Parts;
use proofplay_table::{Head, Set, Table, TableFacts, Writer, verify};
use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

struct Make {
    set: String,
    file: PathBuf,
    memory: usize,
    threads: usize,
}

impl GameVisitor for Make {
    type Out = ();

    fn visit<G: Game>(self, game: G) {
        let began = Instant::now();
        let numbering = game.numbering(&self.set).expect("a set of the game");
        let mut parts = Parts::new(numbering, self.threads, self.memory);
        let ended = parts.run(Limits::default(), &Arc::default(), &mut |_, _| ());
        println!("{} {}: {ended:?}, {:?}, {:.1?}", game.name(), self.set, parts.progress(), began.elapsed());
        if ended.is_err() {
            return;
        }
        let began = Instant::now();
        let head = Head { game: game.id(), set: Set::Named(self.set) };
        let mut writer =
            Writer::new(BufWriter::new(File::create(&self.file).expect("a file")), &head).expect("room");
        parts.done().iter().for_each(|part| writer.part(part).expect("room"));
        let bytes = writer.end().expect("room");
        println!("written: {bytes} bytes, {:.1?}", began.elapsed());
        let start = game.start();
        drop(parts);
        let began = Instant::now();
        let table = Table::open(&self.file, self.memory).expect("a table");
        println!("{:?}, {:.1?}", verify(&table, &game, self.threads, &|_| true), began.elapsed());
        let facts = TableFacts::new(table, &game).expect("a table of the game");
        println!("start: {:?}", facts.certain(&start));
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [name, parameters, set, file, numbers @ ..] = &words[..] else { panic!("GAME PARAMETERS SET FILE") };
    let number =
        |at: usize, usual| numbers.get(at).map_or(usual, |text: &String| text.parse().expect("a number"));
    let make =
        Make { set: set.clone(), file: file.into(), memory: number(0, 1024) << 20, threads: number(1, 1) };
    match name.as_str() {
        "checkers" => checkers::Setup::build(parameters, make),
        "chinese-checkers" => chinese_checkers::Setup::build(parameters, make),
        _ => panic!("checkers or chinese-checkers"),
    }
    .expect("parameters of the game");
}
