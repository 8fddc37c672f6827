//! How a measurement becomes a score from 1 to 4. All bounds are inclusive; there is no score 0.

/// A score, or none where something was not measured.
pub type Score = Option<u8>;

/// A share of a whole: all of it 4, nine tenths 3, three quarters 2. Nothing of nothing is no measurement.
pub fn ratio(part: u64, whole: u64) -> Score {
    let (part, whole) = (u128::from(part), u128::from(whole));
    match whole {
        0 => None,
        _ if part == whole => Some(4),
        _ if part * 10 >= whole * 9 => Some(3),
        _ if part * 4 >= whole * 3 => Some(2),
        _ => Some(1),
    }
}

/// What must not happen at all.
pub const fn zero(count: u64) -> Score {
    Some(if count == 0 { 4 } else { 1 })
}

/// What must hold.
pub const fn holds(flag: bool) -> Score {
    Some(if flag { 4 } else { 1 })
}

/// What was spent in vain: nothing 4, a tenth of all 3, a quarter 2.
pub fn overhead(spent: u64, all: u64) -> Score {
    let (spent, all) = (u128::from(spent), u128::from(all));
    Some(match (spent, all) {
        (0, _) => 4,
        (_, 0) => 1,
        _ if spent * 10 <= all => 3,
        _ if spent * 4 <= all => 2,
        _ => 1,
    })
}

/// A time, or a number of calls, against that of a baseline; a baseline of 0 cannot be compared with.
pub fn time(current: Option<f64>, baseline: f64) -> Score {
    let current = current?;
    (baseline > 0.0).then(|| against(current, baseline, 1.25, 1.5))
}

/// Tokens for each unit of work against those of a baseline; a baseline of 0 is usable.
pub fn tokens(current: Option<f64>, baseline: Option<f64>) -> Score {
    Some(against(current?, baseline?, 1.1, 1.25))
}

fn against(current: f64, baseline: f64, near: f64, far: f64) -> u8 {
    if current <= baseline {
        4
    } else if current <= near * baseline {
        3
    } else if current <= far * baseline {
        2
    } else {
        1
    }
}

/// The least of all parts; none where one of them was not measured.
pub fn least_of_all(parts: impl IntoIterator<Item = Score>) -> Score {
    let mut least = Some(4);
    for part in parts {
        least = Some(least?.min(part?));
    }
    least
}

/// The least of the measured parts; none where there is none.
pub fn least_of_any(parts: impl IntoIterator<Item = Score>) -> Score {
    parts.into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_inclusive() {
        for (part, whole, score) in [
            (0, 0, None),
            (0, 4, Some(1)),
            (74, 100, Some(1)),
            (75, 100, Some(2)),
            (89, 100, Some(2)),
            (90, 100, Some(3)),
            (99, 100, Some(3)),
            (100, 100, Some(4)),
            (9_007_199_254_740_990, 9_007_199_254_740_991, Some(3)),
        ] {
            assert_eq!(ratio(part, whole), score, "{part}/{whole}");
        }
        for (spent, all, score) in [
            (0, 0, 4),
            (1, 0, 1),
            (1, 10, 3),
            (2, 10, 2),
            (25, 100, 2),
            (26, 100, 1),
        ] {
            assert_eq!(overhead(spent, all), Some(score), "{spent}/{all}");
        }
        for (current, baseline, score) in [
            (Some(1.0), 0.0, None),
            (None, 1.0, None),
            (Some(100.0), 100.0, Some(4)),
            (Some(125.0), 100.0, Some(3)),
            (Some(150.0), 100.0, Some(2)),
            (Some(150.1), 100.0, Some(1)),
        ] {
            assert_eq!(time(current, baseline), score, "{current:?}/{baseline}");
        }
        for (current, score) in [(45.0, 4), (49.5, 3), (49.51, 2), (56.25, 2), (56.26, 1)] {
            assert_eq!(tokens(Some(current), Some(45.0)), Some(score), "{current}");
        }
        assert_eq!(tokens(Some(0.0), Some(0.0)), Some(4));
        assert_eq!(tokens(Some(0.1), Some(0.0)), Some(1));
        assert_eq!(tokens(Some(0.1), None), None);
    }

    #[test]
    fn what_was_not_measured_is_no_four() {
        assert_eq!(least_of_all([Some(4), None]), None);
        assert_eq!(least_of_all([Some(4), Some(2)]), Some(2));
        assert_eq!(least_of_any([Some(3), None]), Some(3));
        assert_eq!(least_of_any([None, None]), None);
    }
}
