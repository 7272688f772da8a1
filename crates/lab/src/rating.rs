//! Ratings of many players at once: the model of Bradley and Terry \[BT52\] with Elo's scale, by
//! maximum likelihood.
//!
//! A player with rating r_i gets s_ij = 1 / (1 + 10^((r_j - r_i) / 400)) points a game against one
//! with r_j. Newton's method finds the ratings with the largest likelihood, of mean 0. Every player
//! adds half a drawn game, in equal parts against everybody it has met, so that a player who has
//! won everything has a rating as well.
//!
//! The likelihood treats games as independent wins and losses. They come in pairs and with draws,
//! so their variance differs by a factor, which is estimated from all games together, with the two
//! pairs that [`Tally::score`] adds. The inverse of the information, times this factor, gives the
//! variances of the ratings (quasi-likelihood, \[Wed74\]), and Student's t the intervals.

use crate::stats::{Interval, Tally, t95};

/// Points and games of every player against every other.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossTable {
    /// `points[i][j]`: what i got against j.
    pub points: Vec<Vec<f64>>,
    /// `games[i][j]`: how often i met j.
    pub games: Vec<Vec<f64>>,
    /// What came of each match, in the view of the first of two players.
    matches: Vec<(usize, usize, Tally)>,
}

impl CrossTable {
    /// No games yet.
    pub fn new(players: usize) -> CrossTable {
        let empty = vec![vec![0.0; players]; players];
        CrossTable { points: empty.clone(), games: empty, matches: Vec::new() }
    }

    /// What came of games of `i` against `j`.
    pub fn add(&mut self, i: usize, j: usize, tally: Tally) {
        let (points, games) = (tally.points(), tally.games() as f64);
        if games == 0.0 {
            return;
        }
        self.points[i][j] += points;
        self.points[j][i] += games - points;
        self.games[i][j] += games;
        self.games[j][i] += games;
        self.matches.push((i, j, tally));
    }

    /// The ratings with 95 % intervals, of mean 0. Players that are not connected by games have no
    /// common scale: each group then has its own mean. A player without games has no rating.
    pub fn ratings(&self) -> Vec<Interval> {
        /// Elo points per unit of log odds.
        const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
        let opponents: Vec<f64> = (self.games.iter())
            .map(|games| games.iter().filter(|&&games| games > 0.0).count() as f64)
            .collect();
        let there: Vec<usize> = (0..opponents.len()).filter(|&i| opponents[i] > 0.0).collect();
        let (r, variances) = self.most_likely(&there, &opponents);
        let (spread, degrees) = self.spread(&there, &r);
        let t = t95(degrees);
        let mut all =
            vec![Interval { mean: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY }; opponents.len()];
        for ((&i, r), variance) in there.iter().zip(&r).zip(variances) {
            let (mean, half) = (r * SCALE, t * (spread * variance).sqrt() * SCALE);
            all[i] = Interval { mean, low: mean - half, high: mean + half };
        }
        all
    }

    /// The most likely ratings of those who are `there`, in log odds, and their variances if games
    /// were independent wins and losses.
    fn most_likely(&self, there: &[usize], opponents: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let n = there.len();
        let mut r = vec![0.0; n];
        let mut factor = Vec::new();
        for _ in 0..100 {
            // The mean of the ratings is free: it is fixed at 0.
            let (mut gradient, mut information) = (vec![0.0; n], vec![vec![1.0 / n as f64; n]; n]);
            for (i, &one) in there.iter().enumerate() {
                for (j, &other) in there.iter().enumerate().take(i) {
                    let games = self.games[one][other];
                    if games == 0.0 {
                        continue;
                    }
                    let drawn = (1.0 / opponents[one] + 1.0 / opponents[other]) / 2.0;
                    let s = chance(r[i] - r[j]);
                    let excess = self.points[one][other] + drawn / 2.0 - (games + drawn) * s;
                    gradient[i] += excess;
                    gradient[j] -= excess;
                    let weight = (games + drawn) * s * (1.0 - s);
                    information[i][i] += weight;
                    information[j][j] += weight;
                    information[i][j] -= weight;
                }
            }
            factor = root(information);
            let step = solve(&factor, gradient);
            let longest = step.iter().fold(0.0f64, |m, s| m.max(s.abs()));
            // A long step may overshoot where the likelihood is flat.
            let shorten = (2.0 / longest.max(1e-300)).min(1.0);
            r.iter_mut().zip(&step).for_each(|(r, step)| *r += step * shorten);
            if longest < 1e-9 {
                break;
            }
        }
        let mean = r.iter().sum::<f64>() / n.max(1) as f64;
        r.iter_mut().for_each(|r| *r -= mean);
        let variance = |i| (inverse_at(&factor, i) - 1.0 / n as f64).max(0.0);
        (r, (0..n).map(variance).collect())
    }

    /// How much games vary, as a multiple of independent wins and losses, and the degrees of
    /// freedom.
    fn spread(&self, there: &[usize], r: &[f64]) -> (f64, u64) {
        let mut place = vec![0; self.games.len()];
        there.iter().enumerate().for_each(|(at, &i)| place[i] = at);
        // Two pairs are added: four games between equals, a quarter each.
        let (mut observed, mut expected, mut all) = (0.0, 1.0, Tally::default());
        for (i, j, tally) in &self.matches {
            let s = chance(r[place[*i]] - r[place[*j]]);
            observed += tally.squares(s);
            expected += tally.games() as f64 * s * (1.0 - s);
            all += *tally;
        }
        observed += 2.0 * all.margin();
        let n = all.observations() + 2;
        let free = (n + 1).saturating_sub(there.len() as u64).max(1);
        (observed / expected * n as f64 / free as f64, free - 1)
    }
}

/// The points a game of a player whose rating is larger by `lead`, in log odds.
fn chance(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

/// The root of a symmetric positive definite matrix, after Cholesky: L with L Lᵀ = A. Only the
/// lower half counts.
fn root(mut a: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for i in 0..a.len() {
        let (above, row) = a.split_at_mut(i);
        let row = &mut row[0];
        for (j, other) in above.iter().enumerate() {
            row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
        }
        row[i] = (row[i] - dot(&row[..i], &row[..i])).sqrt();
    }
    a
}

/// x with L Lᵀ x = b.
fn solve(l: &[Vec<f64>], b: Vec<f64>) -> Vec<f64> {
    let mut x = forward(l, b, 0);
    for i in (0..x.len()).rev() {
        x[i] /= l[i][i];
        let (xi, below) = (x[i], &mut x[..i]);
        below.iter_mut().zip(&l[i]).for_each(|(x, l)| *x -= l * xi);
    }
    x
}

/// x with L x = b, where b is 0 before `from`.
fn forward(l: &[Vec<f64>], mut b: Vec<f64>, from: usize) -> Vec<f64> {
    for i in from..b.len() {
        b[i] = (b[i] - dot(&l[i][from..i], &b[from..i])) / l[i][i];
    }
    b
}

/// The i-th number on the diagonal of the inverse of L Lᵀ.
fn inverse_at(l: &[Vec<f64>], i: usize) -> f64 {
    let mut unit = vec![0.0; l.len()];
    unit[i] = 1.0;
    let x = forward(l, unit, i);
    dot(&x[i..], &x[i..])
}

/// Four sums side by side do not wait for each other.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (fours, others) = (a.chunks_exact(4).zip(b.chunks_exact(4)), a.len() / 4 * 4);
    let mut sums = [0.0; 4];
    for (a, b) in fours {
        (0..4).for_each(|i| sums[i] += a[i] * b[i]);
    }
    sums.iter().sum::<f64>() + a[others..].iter().zip(&b[others..]).map(|(a, b)| a * b).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::simulate::Odds;
    use proofplay_core::Rng;

    /// Games with these pairs, none of which was drawn twice, and these games alone.
    fn tally(pairs: [u64; 5], lone: [u64; 3]) -> Tally {
        let [a, b, c, d, e] = pairs;
        let (wins, draws, losses) = (c + d + 2 * e + lone[2], b + d + lone[1], 2 * a + b + c + lone[0]);
        Tally { wins, draws, losses, pairs, lone }
    }

    /// The same formulas in Python: the likelihood climbed in small steps, the information by
    /// differences of its slope, the point of Student's t by adding up its density.
    #[test]
    fn ratings_are_the_most_likely_ones() {
        let mut table = CrossTable::new(5);
        table.add(0, 1, tally([1, 0, 4, 2, 3], [0, 0, 0]));
        table.add(0, 2, tally([0, 1, 3, 0, 6], [0, 0, 0]));
        table.add(1, 2, tally([2, 1, 4, 1, 2], [0, 1, 0]));
        table.add(4, 0, tally([10, 0, 0, 0, 0], [0, 0, 0]));
        table.add(2, 4, tally([1, 0, 5, 1, 3], [0, 0, 1]));
        let ratings = table.ratings();
        let want = [(193.6884, 86.2198), (25.6135, 91.62902), (-26.22875, 71.97753), (-193.07315, 110.01074)];
        for (i, (mean, half)) in [0, 1, 2, 4].into_iter().zip(want) {
            let ours = ratings[i];
            assert!((ours.mean - mean).abs() < 1e-4, "{ours:?} {mean}");
            assert!(((ours.high - ours.low) / 2.0 - half).abs() < 1e-4, "{ours:?} {half}");
        }
        // The fourth has no games.
        assert_eq!((ratings[3].mean, ratings[3].low), (0.0, f64::NEG_INFINITY));
    }

    #[test]
    fn one_pairing_is_plain_elo() {
        let mut table = CrossTable::new(2);
        table.add(0, 1, tally([3, 4, 15, 2, 25], [0, 1, 0]));
        let ratings = table.ratings();
        // 70.5 of 99 games; with the drawn one 71 of 100.
        assert_eq!((table.points[0][1], table.games[1][0]), (70.5, 99.0));
        assert!((ratings[0].mean - ratings[1].mean - crate::stats::elo(0.71)).abs() < 1e-6);
        assert!((ratings[0].mean + ratings[1].mean).abs() < 1e-9);
        // Almost the interval that a match of the two has.
        let (ours, elo) = (ratings[0], tally([3, 4, 15, 2, 25], [0, 1, 0]).elo());
        assert!(
            (2.0 * ours.low - elo.low).abs() < 10.0 && (2.0 * ours.high - elo.high).abs() < 15.0,
            "{elo:?}"
        );
        let alone = CrossTable::new(3).ratings();
        assert!(alone.iter().all(|rating| rating.mean == 0.0));
    }

    /// How often a true rating is within its interval, also where many players met once.
    #[test]
    fn intervals_cover_what_they_say() {
        for (players, pairs) in [(2, 4), (2, 30), (4, 2), (16, 1)] {
            for (apart, draws) in [(0.0, 0.9), (100.0, 0.5), (300.0, 0.0)] {
                for alike in [0.0, 0.8, -0.8] {
                    check(players, pairs, apart, draws, alike);
                }
            }
        }
    }

    /// The best player is `apart` Elo points better than the worst.
    fn check(players: usize, pairs: u32, apart: f64, draws: f64, alike: f64) {
        let truth = |i: usize| apart * (i as f64 / (players - 1) as f64 - 0.5);
        let (mut rng, mut within, mut all) = (Rng::from_parts(&[players as u64, pairs.into()]), 0, 0);
        while all < 2000 {
            let mut table = CrossTable::new(players);
            for (i, j) in (0..players).flat_map(|i| (0..i).map(move |j| (i, j))) {
                let score = crate::stats::expected(truth(i) - truth(j));
                table.add(i, j, Odds::scoring(score, draws, alike).unwrap().tally(pairs, &mut rng));
            }
            let ratings = table.ratings();
            within += ratings.iter().enumerate().filter(|(i, rating)| rating.contains(truth(*i))).count();
            all += players;
        }
        let share = within as f64 / all as f64;
        assert!(share >= 0.93, "{players} players, {pairs} pairs, {apart} {draws} {alike}: {share}");
    }
}
