//! What another program says of positions, and how far we are from it.

use proofplay_core::{Family, Game, GameVisitor, Move, Player, Position};
use proofplay_games::go::{PASS, Setup};
use proofplay_net::{Evaluator, NetFile, encoders};
use std::collections::HashSet;
use std::error::Error;
use std::fmt;

/// How far two programs may be from each other, besides what is rounded.
pub const TOLERANCE: f32 = 1e-3;

/// What a comparison has found.
#[derive(Debug, Default)]
pub struct Found {
    /// How many positions were compared.
    pub positions: usize,
    /// The largest difference of values, beyond what is rounded.
    pub value: f32,
    /// The largest difference of probabilities, beyond what is rounded.
    pub policy: f32,
    /// Where that was.
    pub worst: String,
}

impl Found {
    /// Whether both programs say the same.
    pub fn agrees(&self) -> bool {
        self.positions > 0 && self.value <= TOLERANCE && self.policy <= TOLERANCE
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Found { positions, value, policy, worst } = self;
        write!(
            f,
            "{positions} positions: values differ by up to {value:.6}, probabilities by up to {policy:.6} ({worst})"
        )
    }
}

/// A line of answers.
struct Line<'a> {
    file: &'a NetFile,
    moves: &'a str,
    /// White's view.
    value: f32,
    /// The unit in which probabilities are given.
    unit: f32,
    policy: Vec<Option<f32>>,
}

/// Compares a network with answers, one a line.
pub fn compare(file: &NetFile, answers: &str) -> Result<Found, Box<dyn Error>> {
    let mut found = Found::default();
    for line in answers.lines() {
        let [game, moves, value, unit, policy] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("a line should have five parts: {line}").into());
        };
        let numbers = policy.split(' ').map(|word| word.parse().ok()).collect();
        let parameters = game.strip_prefix("go:").ok_or("the game should be go:…")?;
        let line = Line { file, moves, value: value.parse()?, unit: unit.parse()?, policy: numbers };
        let [value, policy] = Setup::build(parameters, line)??;
        found.positions += 1;
        if value.max(policy) > found.value.max(found.policy) {
            found.worst = format!("{game} {moves}");
        }
        (found.value, found.policy) = (found.value.max(value), found.policy.max(policy));
    }
    Ok(found)
}

impl GameVisitor for Line<'_> {
    type Out = Result<[f32; 2], Box<dyn Error>>;

    /// The differences of values and probabilities.
    fn visit<G: Game>(self, game: G) -> Self::Out {
        let mut pos = game.start();
        for name in self.moves.split_ascii_whitespace() {
            pos.play(game.parse_move(&pos, name)?);
        }
        let encoder = encoders::encoder(&self.file.about.encoder, &game)?;
        let [columns, rows] = encoder.board();
        let mut evaluator = Evaluator::new(&self.file.net, [columns, rows])?;
        let (mut planes, mut globals) = (vec![0.0; evaluator.planes()], vec![0.0; evaluator.globals()]);
        encoder.encode(&pos, &mut planes, &mut globals);
        let output = evaluator.evaluate(&planes, &globals);
        let ours = if pos.turn() == Player::Second { output.value() } else { -output.value() };
        if self.policy.len() != columns * rows + 1 {
            return Err("there should be a probability for each cell and one for the pass".into());
        }
        // Places count from the top, the cells of moves from the bottom.
        let cell = |place: usize| ((rows - 1 - place / columns) * columns + place % columns) as u32;
        let chance = |place: usize| {
            let mv = Move::from_code(if place < columns * rows { cell(place) } else { PASS.into() });
            f64::from(encoder.index(&pos, mv).logit(&output.policy)).exp()
        };
        // Some programs count all moves, others the legal ones, which share all of the probability.
        let named = || self.policy.iter().enumerate().filter_map(|(place, theirs)| Some((place, (*theirs)?)));
        let sum: f64 = named().map(|(place, _)| chance(place)).sum();
        let mut legal = Vec::new();
        pos.moves(&mut legal);
        let count = named().count();
        if count != legal.len() && count != self.policy.len() {
            return Err(format!("{count} moves are legal there, {} here", legal.len()).into());
        }
        let legal: HashSet<u32> = legal.iter().map(|mv| mv.code()).collect();
        let is_legal = |place: usize| place == columns * rows || legal.contains(&cell(place));
        let rounded = |difference: f32, unit: f32| (difference.abs() - unit / 2.0).max(0.0);
        let difference = |(place, theirs)| rounded((chance(place) / sum) as f32 - theirs, self.unit);
        let worst = named().filter(|&(place, _)| is_legal(place)).map(difference).fold(0.0, f32::max);
        Ok([rounded(ours - self.value, self.unit.min(1e-5)), worst])
    }
}
