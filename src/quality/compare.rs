//! Sets scores side by side: what is worse, what is materially worse, what is better.

use super::gates;
use crate::model::quality::{Area, AreaSummary, Change, Comparison, GateResult, MINIMUM_SCORE};

/// Compares the scores of a baseline with those of now. A drop blocks when it is larger than `max_score_drop`, or
/// leads below the floor, or when what was measured is not measured any more.
pub fn compare(baseline: &[AreaSummary], current: &[AreaSummary], max_score_drop: u8) -> Comparison {
    let mut comparison = Comparison {
        max_score_drop,
        regressions: Vec::new(),
        material_regressions: Vec::new(),
        improved: Vec::new(),
    };
    for area in Area::ALL {
        let Some(from) = score_of(baseline, *area) else {
            continue;
        };
        let to = score_of(current, *area);
        let change = Change {
            area: *area,
            from,
            to,
        };
        let Some(now) = to else {
            comparison.material_regressions.push(change);
            continue;
        };
        if now > from {
            comparison.improved.push(*area);
        } else if now < from {
            comparison.regressions.push(change);
            if from - now > max_score_drop || now < MINIMUM_SCORE {
                comparison.material_regressions.push(change);
            }
        }
    }
    comparison
}

fn score_of(areas: &[AreaSummary], wanted: Area) -> Option<u8> {
    areas.iter().find(|area| area.area == wanted)?.score
}

/// The gate that a comparison decides; what is better elsewhere never makes up for it.
pub fn gate(comparison: &Comparison) -> GateResult {
    let worse: Vec<String> = comparison
        .material_regressions
        .iter()
        .copied()
        .map(said)
        .collect();
    let detail = if worse.is_empty() {
        "nothing is materially worse than the baseline".to_owned()
    } else {
        worse.join("; ")
    };
    gates::gate("no-material-regressions", worse.is_empty(), detail)
}

/// A change for people.
fn said(change: Change) -> String {
    match change.to {
        Some(to) => format!("{} from {} to {to}", change.area, change.from),
        None => format!("{} from {} to not measured", change.area, change.from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::quality::AreaStatus;

    fn areas(score: Option<u8>) -> Vec<AreaSummary> {
        let mut areas: Vec<_> = Area::ALL
            .iter()
            .map(|area| AreaSummary {
                score: Some(4),
                status: AreaStatus::Passed,
                ..AreaSummary::not_measured(*area, "")
            })
            .collect();
        areas[2].score = score;
        areas
    }

    #[test]
    fn a_drop_is_material_by_size_or_below_the_floor() {
        for (from, to, material) in [
            (Some(4), Some(4), [false; 4]),
            (Some(3), Some(4), [false; 4]),
            (None, Some(1), [false; 4]),
            (None, None, [false; 4]),
            (Some(4), Some(3), [true, false, false, false]),
            (Some(4), Some(2), [true; 4]),
            (Some(4), Some(1), [true; 4]),
            (Some(3), Some(2), [true; 4]),
            (Some(2), Some(1), [true; 4]),
            (Some(1), None, [true; 4]),
        ] {
            for (drop, expected) in (0..).zip(material) {
                let comparison = compare(&areas(from), &areas(to), drop);
                assert_eq!(
                    !comparison.material_regressions.is_empty(),
                    expected,
                    "{from:?} {to:?} {drop}"
                );
                assert_eq!(gate(&comparison).passed, !expected);
            }
        }
    }
}
