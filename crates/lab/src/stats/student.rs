//! Student's t distribution for whole degrees of freedom.

use super::{Z95, normal};

/// More degrees of freedom than this are nearly as good as infinitely many.
const MANY: u64 = 1000;

/// The chance that Student's t is at most `t`: the finite sums of Abramowitz & Stegun \[AS64\]
/// 26.7.3 and 26.7.4; above 1000 degrees of freedom their normal approximation 26.7.8, off by less
/// than 2e-7. Nothing is known with 0 degrees: 1/2.
pub fn student(t: f64, degrees: u64) -> f64 {
    let v = degrees as f64;
    if degrees == 0 {
        return 0.5;
    }
    if degrees > MANY {
        return normal(t * (1.0 - 0.25 / v) / (1.0 + t * t / (2.0 * v)).sqrt());
    }
    let angle = (t / v.sqrt()).atan();
    let (sin, cos) = angle.sin_cos();
    // Odd degrees: cos + 2/3 cos^3 + 2/3 4/5 cos^5 + …; even ones: 1 + 1/2 cos^2 + 1/2 3/4 cos^4 + …
    let odd = degrees % 2;
    let (mut sum, mut term) = (0.0, if odd == 1 { cos } else { 1.0 });
    for i in 0..degrees / 2 {
        let power = 2 * i + odd;
        sum += term;
        term *= cos * cos * (power + 1) as f64 / (power + 2) as f64;
    }
    let within = if odd == 1 { (angle + sin * sum) / std::f64::consts::FRAC_PI_2 } else { sin * sum };
    0.5 + within / 2.0
}

/// Two-sided 95 % point: where [`student`] is 0.975.
pub fn t95(degrees: u64) -> f64 {
    if degrees == 0 {
        return f64::INFINITY;
    }
    // Secants, in an angle in which the chance is nearly straight.
    let root = (degrees as f64).sqrt();
    let miss = |angle: f64| student(root * angle.tan(), degrees) - 0.975;
    let (mut before, mut angle) = ((Z95 / root).atan(), (1.1 * Z95 / root).atan());
    let (mut missed, mut now) = (miss(before), miss(angle));
    for _ in 0..100 {
        if now == missed {
            break;
        }
        let next = angle - now * (angle - before) / (now - missed);
        (before, missed, angle, now) = (angle, now, next, miss(next));
    }
    root * angle.tan()
}

#[cfg(test)]
mod tests {
    use super::super::tests::close;
    use super::*;

    /// `scipy.stats.t.ppf(0.975, d)`.
    #[test]
    fn points_are_scipys() {
        let want = [
            (1, 12.706204736174694),
            (2, 4.302652729749462),
            (3, 3.1824463052837078),
            (4, 2.7764451051977934),
            (5, 2.5705818356363146),
            (9, 2.262157162798205),
            (29, 2.045229642132703),
            (99, 1.9842169515864174),
        ];
        for (degrees, t) in want {
            close(t95(degrees), t, 1e-12);
        }
        close(t95(1000), 1.9623390808264074, 1e-12);
        close(t95(1001), 1.9623366, 1e-6);
        close(t95(u64::MAX), Z95, 3e-6);
        assert_eq!(t95(0), f64::INFINITY);
        // Falling without a gap where the approximation begins.
        assert!((1..3000).all(|degrees| t95(degrees + 1) < t95(degrees) + 3e-6));
    }

    #[test]
    fn chances_are_those_of_simple_cases() {
        for t in [-20.0f64, -3.0, -0.7, 0.0, 0.1, 2.0, 50.0] {
            close(student(t, 1), 0.5 + t.atan() / std::f64::consts::PI, 1e-15);
            close(student(t, 2), 0.5 + t / (2.0 * (2.0 + t * t).sqrt()), 1e-15);
            let angle = (t / 3f64.sqrt()).atan();
            close(student(t, 3), 0.5 + (angle + angle.sin() * angle.cos()) / std::f64::consts::PI, 1e-15);
            close(student(t, 1000), student(t, 1001), 2e-6);
            assert_eq!(student(t, 0), 0.5);
            for degrees in [1, 4, 7, 500, 5000] {
                close(student(t, degrees) + student(-t, degrees), 1.0, 2e-9);
            }
        }
        close(student(2.0, 10), 0.9633059826146299, 1e-12);
    }
}
