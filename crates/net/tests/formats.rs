//! Networks as files: what is written reads back, what is damaged is refused.

use flate2::Compression;
use flate2::write::GzEncoder;
use proofplay_core::Rng;
use proofplay_net::formats::{katago, leela, own};
use proofplay_net::model::{Block, PolicyHead, Style};
use proofplay_net::{About, Evaluator, Net, NetFile};
use std::io::Write;

fn leela_net(blocks: usize, channels: usize) -> Net {
    Net::random(Style::Post { board: [9, 9], moves: 82 }, leela::PLANES, blocks, channels, 1)
}

/// A net that KataGo's format has a place for.
fn katago_net() -> Net {
    let mut net = Net::random(Style::Pre { globals: 19 }, 22, 2, 8, 2);
    let mut unbiased: Vec<&mut Vec<f32>> = vec![&mut net.stem.bias];
    unbiased.extend(net.globals.as_mut().map(|globals| &mut globals.bias));
    for block in &mut net.blocks {
        let Block::Pre { pooling, second, .. } = block else { unreachable!() };
        unbiased.push(&mut second.bias);
        unbiased.extend(pooling.as_mut().map(|pooling| &mut pooling.to_bias.bias));
    }
    let PolicyHead::Pooled { pooling, cells, pass, .. } = &mut net.policy else { unreachable!() };
    unbiased.extend([&mut pooling.to_bias.bias, &mut cells.bias, &mut pass.bias]);
    unbiased.into_iter().for_each(|bias| bias.fill(0.0));
    net
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Both say the same, almost: batch normalisations are rounded.
fn check_same(net: &Net, read: &Net, board: [usize; 2]) {
    let outputs = [net, read].map(|net| {
        let mut evaluator = Evaluator::new(net, board).unwrap();
        let planes: Vec<f32> = (0..evaluator.planes()).map(|i| (i % 7 / 6) as f32).collect();
        evaluator.evaluate(&planes, &vec![0.5; evaluator.globals()]).clone()
    });
    let [a, b] = &outputs;
    assert!(
        a.policy.len() > 2 && a.policy.iter().zip(&b.policy).all(|(a, b)| (a - b).abs() < 1e-4),
        "{outputs:?}"
    );
    assert!((a.value() - b.value()).abs() < 1e-4 && a.value() != 0.0);
}

fn message(bytes: &[u8]) -> String {
    NetFile::read(bytes).unwrap_err().to_string()
}

#[test]
fn what_is_written_reads_back() {
    let about = About { game: "go:9x9".into(), encoder: "board".into(), training: "none, \"random\"".into() };
    let plain = {
        let mut net = leela_net(0, 8);
        net.blocks = vec![Block::Plain(leela_net(1, 8).stem)];
        net.stem = Net::random(Style::Post { board: [9, 9], moves: 82 }, 4, 0, 18, 3).stem;
        net
    };
    for net in [leela_net(2, 8), katago_net(), plain] {
        let file = NetFile { net, about: about.clone() };
        let bytes = own::write(&file);
        assert_eq!(NetFile::read(&bytes).unwrap(), file);
        assert_eq!(NetFile::read(&packed(&bytes)).unwrap(), file);
    }
    let net = leela_net(2, 8);
    let file = NetFile::read(leela::write(&net).unwrap().as_bytes()).unwrap();
    check_same(&net, &file.net, [9, 9]);
    assert_eq!((&file.about.encoder[..], file.net.board), ("leela-zero", Some([9, 9])));
    let net = katago_net();
    let file = NetFile::read(&packed(&katago::write(&net, "sample").unwrap())).unwrap();
    check_same(&net, &file.net, [7, 9]);
    assert_eq!((&file.about.encoder[..], &file.about.training[..]), ("katago", "sample"));
}

#[test]
fn foreign_shapes_are_not_written() {
    assert!(leela::write(&katago_net()).is_err());
    assert!(katago::write(&leela_net(1, 8), "x").is_err());
    let mut net = katago_net();
    net.stem.bias[0] = 1.0;
    let error = katago::write(&net, "x").unwrap_err().to_string();
    assert_eq!(error, "a layer has a bias that KataGo's format has no place for");
}

#[test]
fn bad_files_are_refused_in_words() {
    let text = leela::write(&leela_net(1, 2)).unwrap();
    let edit = |line: usize, to: &dyn Fn(&str) -> String| {
        let lines =
            text.lines().enumerate().map(|(n, text)| if n == line { to(text) } else { text.to_owned() });
        message(lines.collect::<Vec<_>>().join("\n").as_bytes())
    };
    assert_eq!(edit(0, &|_| "2".into()), "version 2 of Leela Zero's format, only 1 is read");
    assert_eq!(edit(1, &|line| line.replacen("0.", "NaN ", 1)), "line 2: a weight is not a number");
    assert_eq!(edit(1, &|_| "1e9999".into()), "line 2: a weight is not a number");
    assert_eq!(edit(2, &|_| "1".into()), "line 3: 1 numbers, not 2");
    assert_eq!(edit(1, &|_| String::new()), "line 2: 0 weights are not 162 for each of 1 to 2048 channels");
    assert_eq!(edit(4, &|_| "-1 1".into()), "the stem: a weight is NaN, all must be finite numbers");
    let short = text.lines().take(12).collect::<Vec<_>>().join("\n");
    assert_eq!(message(short.as_bytes()), "12 lines, not 19 and 8 for each block: is the file complete?");

    let kata = katago::write(&katago_net(), "x").unwrap();
    let replaced = |from: &str, to: &str| {
        let at = kata.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        message(&[&kata[..at], to.as_bytes(), &kata[at + from.len()..]].concat())
    };
    assert_eq!(replaced("x\n8\n", "x\n14\n"), "version 14 of KataGo's format, only 8 is read");
    assert_eq!(
        replaced("ordinary_block", "nested_block"),
        "block: a block of the kind `nested_block`, only `ordinary_block` and `gpool_block` are read"
    );
    assert_eq!(replaced("conv\n5\n5\n22\n", "conv\n5\n5\n-3\n"), "conv is `-3`, not a number up to 2048");
    assert_eq!(
        replaced("conv\n5\n5\n22\n", "conv\n2000\n2000\n2000\n"),
        "conv: 64000000000 weights, at most 134217728 are allowed"
    );
    assert_eq!(message(&[&kata[..], b"x"].concat()), "bytes follow after the end of the network");
    assert!(message(&kata[..kata.len() / 2]).starts_with("the file ends within"));

    let ours = own::write(&NetFile { net: leela_net(1, 2), about: About::default() });
    let replaced = |from: &str, to: &str| {
        let at = ours.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        message(&[&ours[..at], to.as_bytes(), &ours[at + from.len()..]].concat())
    };
    assert_eq!(replaced("F32", "F16"), "tensor `stem.weight`: its type is not F32");
    assert_eq!(
        replaced("[0,", "[4,"),
        "tensor `stem.weight`: its bytes do not fit to its shape or to the file"
    );
    assert_eq!(replaced("stem.bias", "stem.bia5"), "there is no tensor `stem.bias`");
    assert_eq!(
        replaced("-net 1", "-net 2"),
        "`format` is `proofplay-net 2` in its metadata, not `proofplay-net 1`"
    );
    assert_eq!(
        message(&[&ours[..], b"x"].concat()),
        "the tensors leave gaps, overlap, or do not fill the file"
    );
    let mut infinite = ours.clone();
    let end = infinite.len();
    infinite[end - 4..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert_eq!(message(&infinite), "value head: value: a weight is inf, all must be finite numbers");

    assert_eq!(message(b""), "the file is empty");
    assert!(message(b"\x80\x03c_codecs\nencode").starts_with("not a network in a known format"));
    assert!(message(&[&packed(&ours)[..], b"more"].concat()).starts_with("bytes follow"));
    assert!(message(&packed(&ours)[..1000]).starts_with("it cannot be unpacked"));
    let error = NetFile::open("no/such/file".as_ref()).unwrap_err().to_string();
    assert!(error.starts_with("no/such/file: "), "{error}");
}

/// A few bytes that unpack to many.
#[test]
fn bombs_are_not_unpacked() {
    let bomb = packed(&vec![b'1'; 1 << 24]);
    assert!(bomb.len() < 1 << 18);
    let error = NetFile::read_within(&bomb, 1 << 20).unwrap_err().to_string();
    assert_eq!(error, "more than 1048576 bytes after it was unpacked");
    assert!(NetFile::read_within(&[b'1'; 11], 10).is_err());
}

/// Bytes changed, left out or doubled: never a panic, and what is accepted can be evaluated.
#[test]
fn damaged_files() {
    let files = [
        leela::write(&leela_net(1, 2)).unwrap().into_bytes(),
        katago::write(&katago_net(), "x").unwrap(),
        own::write(&NetFile { net: leela_net(1, 2), about: About::default() }),
    ];
    let (mut rng, mut refused) = (Rng::new(1), 0);
    for round in 0..600 {
        let mut bytes = files[round % files.len()].clone();
        for _ in 0..=rng.below(3) {
            // Most of it is weights; the beginning matters more.
            let end = if rng.below(2) == 0 { bytes.len().min(3000) } else { bytes.len() };
            let at = rng.below(end as u32) as usize;
            match rng.below(4) {
                0 => bytes[at] = rng.below(256) as u8,
                1 => bytes.truncate(at + 1),
                2 => drop(bytes.drain(at..end.min(at + 9))),
                _ => bytes.extend_from_within(at..end.min(at + 9)),
            }
        }
        match NetFile::read(&bytes) {
            Err(_) => refused += 1,
            Ok(file) => {
                let board = file.net.board.unwrap_or([9, 9]);
                let mut evaluator = Evaluator::new(&file.net, board).unwrap();
                evaluator.evaluate(&vec![0.0; evaluator.planes()], &vec![0.0; evaluator.globals()]);
            }
        }
    }
    assert!((300..600).contains(&refused), "{refused}");
}
