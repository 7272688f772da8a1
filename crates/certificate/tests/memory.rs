//! Verifying takes no memory for the unpacked data, however large.

use allocation_counter::measure;
use flate2::{Compression, write::ZlibEncoder};
use proofplay_certificate::{Certificate, Claim, Ends, Evidence, Shape, verify};
use proofplay_core::{Game, Line, Score};
use proofplay_games::written::Written;
use std::io::Write;

/// Zeros as a zlib stream, a thousandth of their size.
fn bomb(zeros: usize) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let block = vec![0; 1 << 20];
    (0..zeros / block.len()).for_each(|_| encoder.write_all(&block).unwrap());
    encoder.finish().unwrap()
}

#[test]
fn unpacked_data_take_no_memory() {
    const ZEROS: usize = 64 << 20;
    let data = bomb(ZEROS);
    assert!(data.len() < ZEROS / 500);
    let game = Written::parse_tree("((+ -) = (- =))").unwrap();
    let certificate = Certificate {
        line: Line::start(&game.name()),
        position: "0".to_owned(),
        shape: Shape::Graph,
        within: None,
        ends: Ends::Rules,
        halves: [
            (Claim::at_least(Score::DRAW), Evidence::Strategy { positions: 2, data: &data }),
            (Claim::at_most(Score::WIN), Evidence::Rules),
        ],
        intact: true,
    };
    let file = certificate.to_bytes().unwrap();
    let mut refused = String::new();
    let used = measure(|| {
        let certificate = Certificate::parse(&file).unwrap();
        refused = verify(&game, &certificate, 1 << 16, |_| true).unwrap_err().to_string();
    });
    assert_eq!(refused, "certificate refused: at least 0, ply 2, after `0 1`: the game ends with score -1");
    assert!(used.bytes_max < 1 << 18, "{} bytes", used.bytes_max);
}
