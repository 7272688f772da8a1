//! Ratings of many players at once: the model of Bradley and Terry \[BT52\] with Elo's scale, by maximum likelihood.
//!
//! A player with rating r_i gets s_ij = 1 / (1 + 10^((r_j - r_i) / 400)) points a game against one with r_j; a draw is half a win
//! and half a loss. Newton's method finds the ratings with the largest likelihood, of mean 0; the inverse of the
//! information there gives the intervals. As it is usual, every two players that have met also have one drawn game, so
//! that a player who has won everything has a rating as well.

use crate::stats::{Interval, Z95};

/// Points and games of every player against every other.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossTable {
    /// `points[i][j]`: what i got against j.
    pub points: Vec<Vec<f64>>,
    /// `games[i][j]`: how often i met j.
    pub games: Vec<Vec<f64>>,
}

impl CrossTable {
    /// Nobody has met anybody.
    pub fn new(players: usize) -> CrossTable {
        let empty = vec![vec![0.0; players]; players];
        CrossTable { points: empty.clone(), games: empty }
    }

    /// `i` got so many points out of games against `j`.
    pub fn add(&mut self, i: usize, j: usize, points: f64, games: f64) {
        self.points[i][j] += points;
        self.points[j][i] += games - points;
        self.games[i][j] += games;
        self.games[j][i] += games;
    }

    /// The ratings with 95 % intervals, of mean 0. Players that have not met even over others have no common scale: each
    /// group then has a mean of its own.
    pub fn ratings(&self) -> Vec<Interval> {
        /// Elo points per unit of log odds.
        const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
        let n = self.points.len();
        let mut r = vec![0.0; n];
        let mut inverse = Vec::new();
        for _ in 0..100 {
            let (mut gradient, mut information) = (vec![0.0; n], vec![vec![1.0 / n as f64; n]; n]);
            for i in 0..n {
                for j in 0..n {
                    if self.games[i][j] == 0.0 || i == j {
                        continue;
                    }
                    let games = self.games[i][j] + 1.0;
                    let s: f64 = 1.0 / (1.0 + f64::exp(r[j] - r[i]));
                    gradient[i] += self.points[i][j] + 0.5 - games * s;
                    information[i][i] += games * s * (1.0 - s);
                    information[i][j] -= games * s * (1.0 - s);
                }
                // Somebody who has met nobody stays in the middle.
                if self.games[i].iter().all(|&games| games == 0.0) {
                    information[i][i] += 1.0;
                }
            }
            inverse = invert(information);
            let step: Vec<f64> =
                inverse.iter().map(|row| row.iter().zip(&gradient).map(|(a, g)| a * g).sum()).collect();
            let longest = step.iter().fold(0.0f64, |m, s| m.max(s.abs()));
            // A long step may overshoot where the likelihood is flat.
            let shorten = (2.0 / longest.max(1e-300)).min(1.0);
            r.iter_mut().zip(&step).for_each(|(r, step)| *r += step * shorten);
            if longest < 1e-10 {
                break;
            }
        }
        let mean = r.iter().sum::<f64>() / n.max(1) as f64;
        let interval = |i: usize| {
            let (mean, half) =
                ((r[i] - mean) * SCALE, Z95 * (inverse[i][i] - 1.0 / n as f64).max(0.0).sqrt() * SCALE);
            Interval { mean, low: mean - half, high: mean + half }
        };
        (0..n).map(interval).collect()
    }
}

/// The inverse of a symmetric positive definite matrix, by elimination.
fn invert(mut a: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = a.len();
    let mut b: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for i in 0..n {
        let pivot = a[i][i];
        a[i].iter_mut().chain(b[i].iter_mut()).for_each(|x| *x /= pivot);
        let (row_a, row_b) = (a[i].clone(), b[i].clone());
        for k in (0..n).filter(|&k| k != i) {
            let factor = a[k][i];
            a[k].iter_mut().zip(&row_a).for_each(|(x, y)| *x -= factor * y);
            b[k].iter_mut().zip(&row_b).for_each(|(x, y)| *x -= factor * y);
        }
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The likelihood maximised with `scipy.optimize.minimize` (BFGS), the widths from the pseudo-inverse
    /// (`numpy.linalg.pinv`) of the information at the maximum; one drawn game added to each pairing.
    #[test]
    fn ratings_are_scipys() {
        let mut table = CrossTable::new(4);
        for (i, j, points, games) in [
            (0, 1, 14.5, 20.0),
            (0, 2, 16.0, 20.0),
            (1, 2, 11.0, 20.0),
            (0, 3, 20.0, 20.0),
            (2, 3, 13.0, 20.0),
        ] {
            table.add(i, j, points, games);
        }
        let want =
            [(213.32692, 87.82424), (20.07397, 91.88398), (-40.22734, 72.16972), (-193.17355, 109.54977)];
        for (ours, (mean, half)) in table.ratings().iter().zip(want) {
            assert!((ours.mean - mean).abs() < 0.01, "{ours:?} {mean}");
            assert!(((ours.high - ours.low) / 2.0 - half).abs() < 0.01, "{ours:?} {half}");
        }
    }

    #[test]
    fn one_pairing_is_plain_elo() {
        let mut table = CrossTable::new(2);
        table.add(0, 1, 74.5, 99.0);
        let ratings = table.ratings();
        // 75 of 100 with the drawn game.
        assert!((ratings[0].mean - ratings[1].mean - crate::stats::elo(0.75)).abs() < 1e-6);
        assert!((ratings[0].mean + ratings[1].mean).abs() < 1e-9);
        let alone = CrossTable::new(3).ratings();
        assert!(alone.iter().all(|rating| rating.mean == 0.0));
    }
}
