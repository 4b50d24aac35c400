//! Rotary positions on the CPU.

/// Rotates each row of `[rows, width]` by its angles, in place: values i and i + width / 2 are the coordinates of a
/// point in a plane. `cosines` and `sines` are `[length, width / 2]` for the rows of one text, and are reused for each
/// text.
pub(crate) fn rotate(x: &mut [f32], cosines: &[f32], sines: &[f32], width: usize) {
    let half = width / 2;
    let angles = cosines.chunks_exact(half).zip(sines.chunks_exact(half));
    for (row, (cosines, sines)) in x.chunks_exact_mut(width).zip(angles.cycle()) {
        let (a, b) = row.split_at_mut(half);
        for (((a, b), cosine), sine) in a.iter_mut().zip(b).zip(cosines).zip(sines) {
            (*a, *b) = (*a * cosine - *b * sine, *b * cosine + *a * sine);
        }
    }
}
