//! Writes a small net with random weights in one of the formats:
//!
//!     cargo run --release -p proofplay-net --example sample -- katago 9 1 8 1 sample.bin.gz
//!
//! Format (`own`, `leela`, `katago`), side of the board, residual blocks, channels, seed, file. Nets of
//! KataGo are for all boards.

use flate2::{Compression, write::GzEncoder};
use proofplay_net::formats::{katago, leela, own};
use proofplay_net::model::{Block, Dense, PolicyHead, Style};
use proofplay_net::{About, Net, NetFile};
use std::error::Error;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [format, side, blocks, channels, seed, file] = &words[..] else {
        return Err("expected: own, leela or katago; side, blocks, channels, seed, file".into());
    };
    let [side, blocks, channels] = [side.parse()?, blocks.parse()?, channels.parse()?];
    let seed = seed.parse()?;
    let post = Style::Post { board: [side, side], moves: side * side + 1 };
    let bytes = match &format[..] {
        "own" => {
            let net = Net::random(post, 4, blocks, channels, seed);
            let (game, training) = (format!("go:{side}x{side}"), "none, random weights".to_owned());
            own::write(&NetFile { net, about: About { game, encoder: "board".to_owned(), training } })
        }
        "leela" => {
            let mut net = Net::random(post, leela::PLANES, blocks, channels, seed);
            thin_out(&mut net);
            packed(leela::write(&net)?.as_bytes())?
        }
        "katago" => {
            let mut net = Net::random(Style::Pre { globals: 19 }, 22, blocks, channels, seed);
            remove_biases(&mut net);
            packed(&katago::write(&net, "random")?)?
        }
        _ => return Err(format!("`{format}` is not own, leela or katago").into()),
    };
    Ok(std::fs::write(file, bytes)?)
}

fn packed(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    packed.finish()
}

/// Most weights of the dense layers of a large board become 0, so that the file is small, and the others
/// larger, so that some moves are likelier than others.
fn thin_out(net: &mut Net) {
    let thin = |dense: &mut Dense| {
        for (number, weight) in dense.weights.iter_mut().enumerate() {
            *weight = if number % 89 == 0 { (*weight * 1000.0).round() / 25.0 } else { 0.0 };
        }
        dense.bias.iter_mut().for_each(|bias| *bias = (*bias * 100.0).round() / 100.0);
    };
    if let PolicyHead::Dense { dense, .. } = &mut net.policy {
        thin(dense);
    }
    thin(&mut net.value.hidden);
}

/// Of layers that have none in KataGo's format.
fn remove_biases(net: &mut Net) {
    net.stem.bias.fill(0.0);
    net.globals.iter_mut().for_each(|globals| globals.bias.fill(0.0));
    for block in &mut net.blocks {
        if let Block::Pre { pooling, second, .. } = block {
            second.bias.fill(0.0);
            pooling.iter_mut().for_each(|pooling| pooling.to_bias.bias.fill(0.0));
        }
    }
    if let PolicyHead::Pooled { pooling, cells, pass, .. } = &mut net.policy {
        for bias in [&mut pooling.to_bias.bias, &mut cells.bias, &mut pass.bias] {
            bias.fill(0.0);
        }
    }
}
