//! The fast forward pass against the definition, on random nets.

mod reference;

use proofplay_core::Rng;
use proofplay_net::model::{Block, Conv, Style};
use proofplay_net::{Evaluator, Net};

/// Random planes, most of them 0 as in a game, and random globals.
fn inputs(net: &Net, cells: usize, seed: u64) -> (Vec<f32>, Vec<f32>) {
    let mut rng = Rng::new(seed);
    let planes = (0..net.planes() * cells).map(|_| rng.below(3).saturating_sub(1) as f32).collect();
    (planes, (0..net.globals()).map(|_| rng.unit() as f32 - 0.5).collect())
}

fn check(net: &Net, board: [usize; 2], seed: u64) {
    let mut evaluator = Evaluator::new(net, board).unwrap();
    // Twice in a row: nothing of one evaluation may be left in the next one.
    for seed in [seed, seed + 1000] {
        let (planes, globals) = inputs(net, board[0] * board[1], seed);
        let truth = reference::evaluate(net, board, &planes, &globals);
        let fast = evaluator.evaluate(&planes, &globals);
        for (what, fast, truth) in [
            ("policy", &fast.policy, &truth.policy),
            ("value", &fast.value, &truth.value),
            ("scores", &fast.scores, &truth.scores),
        ] {
            assert_eq!(fast.len(), truth.len(), "{what}");
            // A net that always says the same would agree, too.
            assert!(truth.is_empty() || truth.iter().any(|x| x.abs() > 1e-3), "{what} {truth:?}");
            let off = fast.iter().zip(truth).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(off < 2e-4, "{what} of {board:?} is {off} off");
        }
    }
}

/// Boards whose tiles fit and do not fit, of all sides of tiles.
#[test]
fn nets_with_dense_heads() {
    for (seed, board) in
        [[9, 9], [3, 3], [6, 7], [1, 1], [1, 5], [4, 2], [8, 8], [19, 19]].into_iter().enumerate()
    {
        let style = Style::Post { board, moves: board[0] * board[1] + 3 };
        check(&Net::random(style, 5, 2, 40, seed as u64), board, seed as u64);
    }
    for channels in [1, 2, 3, 8, 16, 31, 33, 64] {
        let style = Style::Post { board: [5, 4], moves: 7 };
        check(&Net::random(style, channels + 1, 1, channels, 7), [5, 4], 1);
    }
}

/// One net for all boards. With 70 channels rows have different lengths.
#[test]
fn nets_that_pool() {
    for channels in [3, 24, 70] {
        let net = Net::random(Style::Pre { globals: 6 }, 4, 3, channels, 1);
        for board in [[9, 9], [7, 5], [2, 2], [13, 13], [1, 1], [19, 18]] {
            check(&net, board, 2);
        }
    }
}

/// Convolutions one after the other, with filters of all sizes and channels that change.
#[test]
fn plain_convolutions() {
    let mut net = Net::random(Style::Post { board: [6, 6], moves: 36 }, 4, 0, 12, 3);
    let wide = Net::random(Style::Post { board: [6, 6], moves: 36 }, 12, 0, 40, 4);
    for size in [1, 5, 7, 3] {
        let weights: Vec<f32> =
            (0..size * size * 144).map(|i| ((i * 37 % 101) as f32 - 50.0) / 900.0).collect();
        net.blocks.push(Block::Plain(Conv { size, inputs: 12, outputs: 12, weights, bias: vec![0.1; 12] }));
    }
    net.blocks.push(Block::Plain(wide.stem));
    (net.policy, net.value) = (wide.policy, wide.value);
    check(&net, [6, 6], 5);
}

#[test]
fn nothing_is_allocated() {
    let nets = [
        Net::random(Style::Pre { globals: 6 }, 4, 2, 16, 1),
        Net::random(Style::Post { board: [7, 7], moves: 50 }, 4, 2, 16, 1),
    ];
    for net in nets {
        let mut evaluator = Evaluator::new(&net, [7, 7]).unwrap();
        let (planes, globals) = inputs(&net, 49, 1);
        let counts = allocation_counter::measure(|| {
            evaluator.evaluate(&planes, &globals);
        });
        assert_eq!(counts.count_total, 0);
    }
}

#[test]
fn other_boards_and_broken_nets_are_refused() {
    let net = Net::random(Style::Post { board: [7, 6], moves: 7 }, 3, 1, 8, 1);
    let error = Evaluator::new(&net, [6, 7]).unwrap_err().to_string();
    assert_eq!(error, "the net is for boards of 7x6 cells, not of 6x7");
    let broken = |change: &dyn Fn(&mut Net)| {
        let mut net = net.clone();
        change(&mut net);
        Evaluator::new(&net, [7, 6]).unwrap_err().to_string()
    };
    assert_eq!(
        broken(&|net| net.stem.bias[3] = f32::NAN),
        "the stem: a weight is NaN, all must be finite numbers"
    );
    assert_eq!(broken(&|net| net.value.value.outputs = 2), "value head: value: weights should be 64, not 32");
    assert_eq!(broken(&|net| net.stem.inputs = 0), "the stem: 0 channels, 1 to 2048 are allowed");
    assert_eq!(
        broken(&|net| net.stem.size = 4),
        "the stem: a filter of size 4, 1, 3, 5, 7 and 9 are allowed"
    );
    assert_eq!(broken(&|net| net.board = None), "policy head: a dense layer needs a fixed board");
    let other = Net::random(Style::Post { board: [7, 6], moves: 7 }, 3, 1, 9, 1);
    assert_eq!(
        broken(&|net| net.blocks = other.blocks.clone()),
        "block 0: first convolution: inputs should be 8, not 9"
    );
}
