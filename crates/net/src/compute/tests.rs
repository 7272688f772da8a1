//! Processors with shorter vectors: what they compute is almost the same.

use crate::model::Style;
use crate::{Evaluator, Net};
use pulp::Arch;
use std::cell::Cell;

thread_local! {
    /// What is used instead of what this processor can do.
    pub static LESS: Cell<Option<Arch>> = const { Cell::new(None) };
}

/// All that this processor can do, from the least.
fn all() -> Vec<Arch> {
    let mut all = vec![Arch::Scalar, Arch::new()];
    #[cfg(target_arch = "x86_64")]
    all.extend(pulp::x86::V3::try_new().map(Arch::V3));
    all
}

#[test]
fn every_length_of_vectors_gives_the_same() {
    let nets = [
        Net::random(Style::Post { board: [7, 6], moves: 43 }, 3, 2, 33, 1),
        Net::random(Style::Pre { globals: 5 }, 3, 2, 20, 2),
    ];
    for net in nets {
        let outputs: Vec<_> = all()
            .into_iter()
            .map(|arch| {
                LESS.set(Some(arch));
                let mut evaluator = Evaluator::new(&net, [7, 6]).unwrap();
                let planes: Vec<f32> = (0..evaluator.planes()).map(|i| (i % 5 / 4) as f32).collect();
                let output = evaluator.evaluate(&planes, &vec![0.5; evaluator.globals()]).clone();
                LESS.set(None);
                output
            })
            .collect();
        for output in &outputs {
            let off =
                output.policy.iter().zip(&outputs[0].policy).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(off < 2e-4, "{off}");
            assert!((output.value() - outputs[0].value()).abs() < 1e-4);
        }
    }
}
