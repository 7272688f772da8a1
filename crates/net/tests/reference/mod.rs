//! The forward pass by definition: slow, plain, and on nothing but loops over numbers.

use proofplay_net::model::{Affine, Block, Conv, Dense, PolicyHead, Pooling};
use proofplay_net::{Net, Output};

/// Numbers by channel, row, column.
type Planes = Vec<Vec<Vec<f64>>>;

fn relu(mut planes: Planes) -> Planes {
    planes.iter_mut().flatten().flatten().for_each(|x| *x = x.max(0.0));
    planes
}

fn conv(conv: &Conv, from: &Planes) -> Planes {
    let (rows, columns, reach) = (from[0].len(), from[0][0].len(), conv.size / 2);
    let mut to = vec![vec![vec![0.0; columns]; rows]; conv.outputs];
    for (output, plane) in to.iter_mut().enumerate() {
        for (y, row) in plane.iter_mut().enumerate() {
            for (x, sum) in row.iter_mut().enumerate() {
                *sum = f64::from(conv.bias[output]);
                for (input, from) in from.iter().enumerate() {
                    for dy in 0..conv.size {
                        for dx in 0..conv.size {
                            let (Some(y), Some(x)) =
                                ((y + dy).checked_sub(reach), (x + dx).checked_sub(reach))
                            else {
                                continue;
                            };
                            let weight = conv.weights
                                [((output * conv.inputs + input) * conv.size + dy) * conv.size + dx];
                            let there = from.get(y).and_then(|row| row.get(x));
                            *sum += f64::from(weight) * there.unwrap_or(&0.0);
                        }
                    }
                }
            }
        }
    }
    to
}

fn dense(dense: &Dense, from: &[f64]) -> Vec<f64> {
    assert_eq!(from.len(), dense.inputs);
    let output = |(row, bias): (&[f32], &f32)| {
        f64::from(*bias) + row.iter().zip(from).map(|(&w, x)| f64::from(w) * x).sum::<f64>()
    };
    dense.weights.chunks(dense.inputs).zip(&dense.bias).map(output).collect()
}

fn affine(affine: &Affine, mut planes: Planes) -> Planes {
    for (channel, plane) in planes.iter_mut().enumerate() {
        let (scale, bias) = (affine.scale[channel], affine.bias[channel]);
        plane.iter_mut().flatten().for_each(|x| *x = *x * f64::from(scale) + f64::from(bias));
    }
    planes
}

fn add(mut planes: Planes, other: &Planes) -> Planes {
    for (a, b) in planes.iter_mut().flatten().flatten().zip(other.iter().flatten().flatten()) {
        *a += b;
    }
    planes
}

fn add_bias(mut planes: Planes, bias: &[f64]) -> Planes {
    for (plane, bias) in planes.iter_mut().zip(bias) {
        plane.iter_mut().flatten().for_each(|x| *x += bias);
    }
    planes
}

fn flat(planes: &Planes) -> Vec<f64> {
    planes.iter().flatten().flatten().copied().collect()
}

fn mean(plane: &[Vec<f64>]) -> f64 {
    plane.iter().flatten().sum::<f64>() / (plane.len() * plane[0].len()) as f64
}

/// How far the side of the board is from 14, in tenths.
fn side(planes: &Planes) -> f64 {
    (((planes[0].len() * planes[0][0].len()) as f64).sqrt() - 14.0) / 10.0
}

fn pooled(pooling: &Pooling, planes: &Planes) -> Vec<f64> {
    let planes = relu(conv(&pooling.conv, planes));
    let means: Vec<f64> = planes.iter().map(|plane| mean(plane)).collect();
    let scaled = means.iter().map(|mean| mean * side(&planes));
    let maxima = planes.iter().map(|plane| plane.iter().flatten().copied().fold(f64::MIN, f64::max));
    means.iter().copied().chain(scaled).chain(maxima).collect()
}

/// What the net says.
pub fn evaluate(net: &Net, board: [usize; 2], planes: &[f32], globals: &[f32]) -> Output {
    let cells = board[0] * board[1];
    let plane =
        |plane: &[f32]| plane.chunks(board[0]).map(|row| row.iter().map(|&x| x.into()).collect()).collect();
    let planes: Planes = planes.chunks(cells).map(plane).collect();
    let globals: Vec<f64> = globals.iter().map(|&x| x.into()).collect();
    let mut x = conv(&net.stem, &planes);
    if let Some(of_globals) = &net.globals {
        x = add_bias(x, &dense(of_globals, &globals));
    }
    if net.stem_relu {
        x = relu(x);
    }
    for block in &net.blocks {
        x = match block {
            Block::Plain(only) => relu(conv(only, &x)),
            Block::Post { first, second } => relu(add(conv(second, &relu(conv(first, &x))), &x)),
            Block::Pre { before, first, pooling, second } => {
                let y = relu(affine(before, x.clone()));
                let mut middle = conv(first, &y);
                if let Some(pooling) = pooling {
                    middle = add_bias(middle, &dense(&pooling.to_bias, &pooled(pooling, &y)));
                }
                add(x, &conv(second, &relu(middle)))
            }
        };
    }
    if let Some(tip) = &net.tip {
        x = relu(affine(tip, x));
    }
    let policy = match &net.policy {
        PolicyHead::Dense { conv: first, dense: last } => dense(last, &flat(&relu(conv(first, &x)))),
        PolicyHead::Pooled { conv: first, pooling, cells, pass } => {
            let pooled = pooled(pooling, &x);
            let first = relu(add_bias(conv(first, &x), &dense(&pooling.to_bias, &pooled)));
            let mut policy = flat(&conv(cells, &first));
            policy.extend(dense(pass, &pooled));
            policy
        }
    };
    let value = relu(conv(&net.value.conv, &x));
    let value = if net.value.pooled {
        let means: Vec<f64> = value.iter().map(|plane| mean(plane)).collect();
        let by = |factor: f64| means.iter().map(move |mean| mean * factor);
        let side = side(&value);
        by(1.0).chain(by(side)).chain(by(side * side - 0.1)).collect()
    } else {
        flat(&value)
    };
    let hidden: Vec<f64> = dense(&net.value.hidden, &value).into_iter().map(|x| x.max(0.0)).collect();
    let narrow = |numbers: Vec<f64>| numbers.into_iter().map(|x| x as f32).collect();
    Output {
        policy: narrow(policy),
        value: narrow(dense(&net.value.value, &hidden)),
        scores: narrow(net.value.scores.as_ref().map_or(vec![], |scores| dense(scores, &hidden))),
    }
}
