//! Batch normalisations become parts of other layers.

use crate::model::{Affine, Conv, Dense};

/// What a batch normalisation does: `scale * (x - mean) / sqrt(variance + epsilon) + bias`.
pub fn normalisation(mean: &[f32], variance: &[f32], scale: &[f32], bias: &[f32], epsilon: f32) -> Affine {
    let parts = mean.iter().zip(variance).zip(scale.iter().zip(bias));
    let (scale, bias) = parts
        .map(|((&mean, &variance), (&scale, &bias))| {
            let scale = f64::from(scale) / (f64::from(variance) + f64::from(epsilon)).sqrt();
            (scale as f32, (f64::from(bias) - scale * f64::from(mean)) as f32)
        })
        .unzip();
    Affine { scale, bias }
}

/// The convolution and then the factors and biases, as one convolution.
pub fn into_conv(mut conv: Conv, after: &Affine) -> Conv {
    scale_rows(&mut conv.weights, &after.scale);
    for ((bias, scale), add) in conv.bias.iter_mut().zip(&after.scale).zip(&after.bias) {
        *bias = *bias * scale + add;
    }
    conv
}

/// The dense layer and then the factors, as one dense layer.
pub fn into_dense(mut dense: Dense, scale: &[f32]) -> Dense {
    scale_rows(&mut dense.weights, scale);
    for (bias, scale) in dense.bias.iter_mut().zip(scale) {
        *bias *= scale;
    }
    dense
}

fn scale_rows(weights: &mut [f32], scale: &[f32]) {
    if scale.is_empty() {
        return;
    }
    let row = weights.len() / scale.len();
    for (row, scale) in weights.chunks_exact_mut(row.max(1)).zip(scale) {
        row.iter_mut().for_each(|weight| *weight *= scale);
    }
}
