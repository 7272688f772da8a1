//! Checkpoints hold the codes of moves: they stay the same from run to run and from version to version. When one changes on purpose,
//! checkpoints of that game can no longer be read, and their format needs a new number.

use proofplay_core::{Family, FamilyVisitor, Game, GameVisitor, Move, Position, Rng};
use proofplay_games::each_family;

/// The codes of the moves of some random games, folded into a number, for every example.
const CODES: &[(&str, u64)] = &[
    ("tictactoe", 0xb4b9_ad85_d22c_22bb),
    ("mnk:4x4k4", 0x61b2_7ef3_e4e1_25e1),
    ("connect4:7x6", 0xae79_b5ae_5b16_d372),
    ("domineering:6x6", 0xfe4e_6d3d_ee91_b4d0),
    ("nogo:4x4", 0x2bf8_b870_a7b8_1331),
    ("y:5", 0x03c9_9e13_5b65_c52e),
    ("seki:3,4", 0xd5ea_ba4c_023b_85e0),
    ("amazons:6x6", 0xfe7f_b6e6_c2f2_3b6f),
    ("breakthrough:6x6", 0xebb2_2989_bbe1_ff97),
    ("pentalath:5", 0x97ae_055a_6c29_f1c9),
    ("go:9x9", 0x264e_11c3_1787_4821),
    ("loa:8x8", 0xf51f_7f1a_f876_c666),
    ("checkers:8x8", 0xfd45_699a_eafe_3488),
    ("cannon", 0x2868_7deb_54c4_26b1),
    ("chinese-checkers:2", 0x63ae_3586_4db2_6d76),
    ("written:((+ -) = (- =))", 0x167c_63dc_566e_f594),
];

/// The example of every family that is not as written above.
#[derive(Default)]
struct Others(Vec<(String, u64)>);

impl FamilyVisitor for Others {
    fn visit<F: Family>(&mut self) {
        let (name, fold) = F::build(F::EXAMPLE, Fold).unwrap();
        if !CODES.contains(&(&*name, fold)) {
            self.0.push((name, fold));
        }
    }
}

struct Fold;

impl GameVisitor for Fold {
    type Out = (String, u64);

    fn visit<G: Game>(self, game: G) -> (String, u64) {
        let (mut rng, mut moves, mut fold) = (Rng::new(1), Vec::new(), 0u64);
        for _ in 0..3 {
            let mut pos = game.start();
            while pos.outcome().is_none() {
                moves.clear();
                pos.moves(&mut moves);
                for mv in &moves {
                    fold = (fold ^ u64::from(mv.code())).wrapping_mul(0x0100_0000_01b3).rotate_left(7);
                }
                pos.play(moves[rng.below(moves.len() as u32) as usize]);
            }
        }
        (game.name(), fold)
    }
}

#[test]
fn codes_of_moves() {
    let mut others = Others::default();
    each_family(&mut others);
    assert!(others.0.is_empty(), "{:#x?}", others.0);
}
