//! A network as a file.

use proofplay_net::formats::own;
use proofplay_net::{Evaluator, NetFile};

/// The most bytes of a file, also after it was unpacked.
const MOST_BYTES: usize = 1 << 22;

/// A network that is read is written in our format so that it reads back, and can be evaluated, unless it
/// takes long.
pub fn network(data: &[u8]) {
    let Ok(file) = NetFile::read_within(data, MOST_BYTES) else { return };
    let written = own::write(&file);
    assert_eq!(NetFile::read(&written).as_ref(), Ok(&file));
    let board = file.net.board.unwrap_or([3, 2]);
    if written.len() > 1 << 18 || board[0] * board[1] > 100 {
        return;
    }
    let Ok(mut evaluator) = Evaluator::new(&file.net, board) else { return };
    let (planes, globals) = (vec![1.0; evaluator.planes()], vec![0.5; evaluator.globals()]);
    let moves = file.net.moves(board[0] * board[1]);
    assert_eq!(evaluator.evaluate(&planes, &globals).policy.len(), moves);
}
