//! Our Connect Four position behind the traits of other crates. All of them get our fast position; how they play random games is
//! their own affair where the crate decides it, and ours where it lets us.

use internal_iterator::{Internal, IteratorExt};
use proofplay_core::{Player, Position, Rng, Score};
use proofplay_games::in_a_row::{Board as Stones, Fixed};
use std::fmt;
use std::sync::Mutex;

pub type Pos = Stones<Fixed<7, 6, 4>, true>;

fn moves(pos: &Pos) -> Vec<u8> {
    let mut list = Vec::with_capacity(7);
    if pos.outcome().is_none() {
        pos.moves(&mut list);
    }
    list
}

// ------------------------------------------------------------------------------------------------------- board-game

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ForBoardGame(pub Pos);

impl fmt::Display for ForBoardGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.show())
    }
}

board_game::impl_unit_symmetry_board!(ForBoardGame);

impl board_game::board::Alternating for ForBoardGame {}

impl board_game::board::Board for ForBoardGame {
    type Move = u8;

    fn next_player(&self) -> board_game::board::Player {
        match self.0.turn() {
            Player::First => board_game::board::Player::A,
            Player::Second => board_game::board::Player::B,
        }
    }

    fn is_available_move(&self, mv: u8) -> Result<bool, board_game::board::BoardDone> {
        self.check_done()?;
        Ok(moves(&self.0).contains(&mv))
    }

    /// Our own fast choice, so that the crate's tree is what is measured.
    fn random_available_move(&self, rng: &mut impl rand::Rng) -> Result<u8, board_game::board::BoardDone> {
        Ok(self.0.random_move(&mut Rng::new(rng.next_u64()), &mut Vec::new()))
    }

    fn play(&mut self, mv: u8) -> Result<(), board_game::board::PlayError> {
        self.0.play(mv);
        Ok(())
    }

    fn outcome(&self) -> Option<board_game::board::Outcome> {
        use board_game::board::{Outcome, Player as Theirs};
        self.0.outcome().map(|score| match score.winner() {
            None => Outcome::Draw,
            Some(Player::First) => Outcome::WonBy(Theirs::A),
            Some(Player::Second) => Outcome::WonBy(Theirs::B),
        })
    }

    fn can_lose_after_move() -> bool {
        false
    }
}

impl<'a> board_game::board::BoardMoves<'a, ForBoardGame> for ForBoardGame {
    type AllMovesIterator = Internal<std::ops::Range<u8>>;
    type AvailableMovesIterator = Internal<std::vec::IntoIter<u8>>;

    fn all_possible_moves() -> Self::AllMovesIterator {
        (0..49).into_internal()
    }

    fn available_moves(&'a self) -> Result<Self::AvailableMovesIterator, board_game::board::BoardDone> {
        Ok(moves(&self.0).into_iter().into_internal())
    }
}

// ---------------------------------------------------------------------------------------------------------- minimax

pub struct ForMinimax;

impl minimax::Game for ForMinimax {
    type S = Pos;
    type M = u8;

    fn generate_moves(pos: &Pos, list: &mut Vec<u8>) -> Option<minimax::Winner> {
        let winner = Self::get_winner(pos);
        if winner.is_none() {
            pos.moves(list);
        }
        winner
    }

    fn apply(pos: &mut Pos, mv: u8) -> Option<Pos> {
        Some(pos.after(mv))
    }

    fn get_winner(pos: &Pos) -> Option<minimax::Winner> {
        pos.outcome().map(|score| match score {
            Score::DRAW => minimax::Winner::Draw,
            _ => minimax::Winner::PlayerJustMoved,
        })
    }
}

// ------------------------------------------------------------------------------------------------------------- mcts

#[derive(Clone)]
pub struct ForMcts(pub Pos);

impl mcts::GameState for ForMcts {
    type Move = u8;
    type Player = Player;
    type MoveList = Vec<u8>;

    fn current_player(&self) -> Player {
        self.0.turn()
    }

    fn available_moves(&self) -> Vec<u8> {
        moves(&self.0)
    }

    fn make_move(&mut self, mv: &u8) {
        self.0.play(*mv);
    }
}

/// Evaluates by one of our playouts.
pub struct Playouts(pub Mutex<Rng>);

impl mcts::Evaluator<Uct> for Playouts {
    type StateEvaluation = i64;

    fn evaluate_new_state(
        &self,
        pos: &ForMcts,
        list: &Vec<u8>,
        _: Option<mcts::SearchHandle<Uct>>,
    ) -> (Vec<()>, i64) {
        let mut end = pos.0;
        let score = end.playout(&mut self.0.lock().expect("one thread"), &mut Vec::new(), &mut |_, _| ());
        (vec![(); list.len()], i64::from(score.0))
    }

    fn evaluate_existing_state(&self, pos: &ForMcts, _: &i64, _: mcts::SearchHandle<Uct>) -> i64 {
        self.evaluate_new_state(pos, &Vec::new(), None).1
    }

    fn interpret_evaluation_for_player(&self, score: &i64, player: &Player) -> i64 {
        if *player == Player::First { *score } else { -score }
    }
}

#[derive(Default)]
pub struct Uct;

impl mcts::MCTS for Uct {
    type State = ForMcts;
    type Eval = Playouts;
    type NodeData = ();
    type ExtraThreadData = ();
    type TreePolicy = mcts::tree_policy::UCTPolicy;
    type TranspositionTable = ();
}
