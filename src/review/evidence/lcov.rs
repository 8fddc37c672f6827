//! Coverage records of lcov: lines that begin with a keyword, in records that `end_of_record` closes.

use std::collections::HashMap;

use super::tests::{MAX_READ, add, number};
use crate::model::witness::{Coverage, Reached, Unknown};

/// What one kind of point came to, by file: points that are named, or the totals of records that name none.
#[derive(Default)]
struct Points<'a> {
    /// Whether each point was reached, in any record of the file.
    named: HashMap<Point<'a>, bool>,
    totals: HashMap<&'a str, Reached>,
}

/// The file, and the point within it.
type Point<'a> = (&'a str, &'a str);

/// The record that is being read.
#[derive(Default)]
struct Record<'a> {
    file: Option<&'a str>,
    lines: Totals,
    functions: Totals,
    branches: Totals,
    /// Functions by the number that later versions give them; aliases share one.
    numbered: HashMap<&'a str, &'a str>,
}

/// The totals that a record states, and whether it names points besides.
#[derive(Default, Clone, Copy)]
struct Totals {
    found: Option<u64>,
    hit: Option<u64>,
    has_points: bool,
}

/// The coverage of all records together. Records of one file merge: a point that one of them reached is reached.
pub fn read(bytes: &[u8]) -> Result<Coverage, Unknown> {
    if bytes.len() > MAX_READ {
        return Err(Unknown::OutputTooLarge);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Unknown::Malformed)?;
    let [mut lines, mut functions, mut branches] = [(); 3].map(|()| Points::default());
    let mut record = Record::default();
    let mut records = 0_usize;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line == "end_of_record" {
            let file = record.file.ok_or(Unknown::Malformed)?;
            lines.add_totals(file, record.lines);
            functions.add_totals(file, record.functions);
            branches.add_totals(file, record.branches);
            record = Record::default();
            records += 1;
            continue;
        }
        let (keyword, value) = line.split_once(':').ok_or(Unknown::Malformed)?;
        match (keyword, record.file) {
            ("SF", None) => record.file = Some(value),
            // Names of tests and versions of files say nothing about coverage.
            ("TN" | "VER", _) => {}
            (_, Some(file)) => entry(
                keyword,
                value,
                file,
                &mut record,
                [&mut lines, &mut functions, &mut branches],
            )
            .ok_or(Unknown::Malformed)?,
            (_, None) => return Err(Unknown::Malformed),
        }
    }
    // A file that ends within a record was cut off; one without any says nothing.
    if record.file.is_some() || records == 0 {
        return Err(Unknown::Malformed);
    }
    Ok(Coverage {
        lines: lines.sum()?,
        functions: functions.sum()?,
        branches: branches.sum()?,
    })
}

/// One line within a record; `None` where it is not what its keyword promises.
fn entry<'a>(
    keyword: &str,
    value: &'a str,
    file: &'a str,
    record: &mut Record<'a>,
    [lines, functions, branches]: [&mut Points<'a>; 3],
) -> Option<()> {
    match keyword {
        "DA" => {
            let (line, rest) = value.split_once(',')?;
            number(line)?;
            let count = rest.split_once(',').map_or(rest, |(count, _)| count);
            lines.add(file, line, is_hit(count)?);
            record.lines.has_points = true;
        }
        "FN" => {
            functions.add(file, function_name(value)?, false);
            record.functions.has_points = true;
        }
        "FNDA" => {
            let (count, name) = value.split_once(',')?;
            functions.add(file, name, is_hit(count)?);
            record.functions.has_points = true;
        }
        "FNA" => {
            let (index, rest) = value.split_once(',')?;
            let (count, name) = rest.split_once(',')?;
            let name = *record.numbered.entry(index).or_insert(name);
            functions.add(file, name, is_hit(count)?);
            record.functions.has_points = true;
        }
        "BRDA" => {
            let (place, taken) = value.rsplit_once(',')?;
            branches.add(file, place, taken != "-" && is_hit(taken)?);
            record.branches.has_points = true;
        }
        "LF" => record.lines.found = Some(number(value)?),
        "LH" => record.lines.hit = Some(number(value)?),
        "FNF" => record.functions.found = Some(number(value)?),
        "FNH" => record.functions.hit = Some(number(value)?),
        "BRF" => record.branches.found = Some(number(value)?),
        "BRH" => record.branches.hit = Some(number(value)?),
        // Where functions lie, and conditions: not counted here.
        "FNL" | "MCDC" | "MCF" | "MCH" => {}
        _ => return None,
    }
    Some(())
}

/// `3,push` or, with the last line too, `3,9,push`; the name may hold commas.
fn function_name(value: &str) -> Option<&str> {
    let (line, rest) = value.split_once(',')?;
    number(line)?;
    match rest.split_once(',') {
        Some((end, name)) if number(end).is_some() => Some(name),
        _ => Some(rest),
    }
}

/// Whether a hit count is not zero; its size does not matter, however large.
fn is_hit(count: &str) -> Option<bool> {
    let digits = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| count.bytes().any(|byte| byte != b'0'))
}

impl<'a> Points<'a> {
    fn add(&mut self, file: &'a str, point: &'a str, hit: bool) {
        *self.named.entry((file, point)).or_default() |= hit;
    }

    /// Takes the totals of a record that names no points of this kind.
    fn add_totals(&mut self, file: &'a str, totals: Totals) {
        if totals.has_points || (totals.found.is_none() && totals.hit.is_none()) {
            return;
        }
        let known = self.totals.entry(file).or_default();
        known.found = known.found.max(totals.found.unwrap_or(0));
        known.hit = known.hit.max(totals.hit.unwrap_or(0));
    }

    /// All files together; `None` where no record says anything of this kind.
    fn sum(&self) -> Result<Option<Reached>, Unknown> {
        if self.named.is_empty() && self.totals.is_empty() {
            return Ok(None);
        }
        let mut sum = Reached::default();
        let mut with_points = std::collections::HashSet::new();
        for ((file, _), hit) in &self.named {
            with_points.insert(*file);
            sum.found += 1;
            sum.hit += u64::from(*hit);
        }
        for (file, totals) in &self.totals {
            // The points of another record of the same file are within its totals.
            if with_points.contains(file) {
                continue;
            }
            if totals.hit > totals.found {
                return Err(Unknown::Malformed);
            }
            add(&mut sum.found, totals.found);
            add(&mut sum.hit, totals.hit);
        }
        super::tests::storable(sum).map(Some)
    }
}
