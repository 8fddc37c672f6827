//! `[baseline]` and `[evidence]`: what is compared, and what a reviewer gets to read.

use std::collections::BTreeMap;
use std::time::Duration;

use toml::de::DeTable;

use super::check;
use super::fault::{FaultAt, shown};
use super::reader::{At, Result, Table, choose};
use crate::model::baseline::SurfaceMode;
use crate::model::fact::FactKind;
use crate::model::policy::{
    BaselinePolicy, DeliveryRule, DriftKinds, EvidencePolicy, EvidenceSource, Probe, ReadFrom,
};

/// The languages that a baseline knows.
const LANGUAGES: [&str; 14] = [
    "rust",
    "typescript",
    "python",
    "go",
    "java",
    "kotlin",
    "csharp",
    "ruby",
    "php",
    "cpp",
    "swift",
    "scala",
    "elixir",
    "bash",
];

/// Sources that read a file whose place may be changed.
const MOVABLE_SOURCES: [&str; 7] = [
    "test-report",
    "test-cases",
    "security-findings",
    "performance-findings",
    "code-review",
    "tech-doc",
    "bug-analysis",
];

/// Sources that are computed, or named by the goal: no policy moves them.
const FIXED_SOURCES: [&str; 4] = [
    "scope-contract",
    "pre-post-diff",
    "witnessed-runs",
    "open-findings",
];

/// Sources in all, the built-in ones included.
const MAX_SOURCES: usize = 32;

type Section<'a> = Option<At<&'a DeTable<'a>>>;

/// `[baseline]`
pub(super) fn baseline(section: Section<'_>) -> Result<BaselinePolicy> {
    let default = BaselinePolicy::default();
    let Some(At { offset, value }) = section else {
        return Ok(default);
    };
    let table = Table::new(
        value,
        offset,
        "[baseline]",
        &[
            "surface",
            "drift",
            "include",
            "exclude",
            "golden",
            "not_golden",
            "helpers",
            "test_files",
            "probe",
        ],
    )?;
    let surface = match table.text("surface")? {
        Some(text) => choose(
            &text,
            "surface",
            [
                ("reachable", SurfaceMode::Reachable),
                ("declared", SurfaceMode::Declared),
            ]
            .into_iter(),
        )?,
        None => default.surface,
    };
    Ok(BaselinePolicy {
        surface,
        drift: table
            .texts("drift")?
            .map_or(Ok(default.drift), |texts| drift(&texts))?,
        include: check::globs(table.texts("include")?, "include")?,
        exclude: check::globs(table.texts("exclude")?, "exclude")?,
        golden: check::globs(table.texts("golden")?, "golden")?,
        not_golden: check::globs(table.texts("not_golden")?, "not_golden")?,
        helpers: helpers(table.texts("helpers")?.unwrap_or_default())?,
        test_files: test_files(table.table("test_files")?)?,
        probes: probes(&table)?,
    })
}

/// The kinds that are drift; `default` stands for the default set.
fn drift(texts: &[At<String>]) -> Result<DriftKinds> {
    let mut drift = DriftKinds {
        default: false,
        ..DriftKinds::default()
    };
    for text in texts {
        let choices = FactKind::ALL.iter().map(|kind| (kind.word(), Some(*kind)));
        match choose(text, "drift", std::iter::once(("default", None)).chain(choices))? {
            Some(kind) => {
                drift.kinds.insert(kind);
            }
            None => drift.default = true,
        }
    }
    Ok(drift)
}

/// Names of functions: something that can stand before a `(`.
fn helpers(texts: Vec<At<String>>) -> Result<Vec<String>> {
    texts
        .into_iter()
        .map(|text| {
            if text.value.is_empty()
                || text
                    .value
                    .contains(|c: char| c.is_whitespace() || "()[]{}\"'`;,".contains(c))
            {
                Err(FaultAt::new(
                    text.offset,
                    format!(
                        "`helpers` holds names of functions, not \"{}\"",
                        shown(&text.value)
                    ),
                ))
            } else {
                Ok(text.value)
            }
        })
        .collect()
}

fn test_files(section: Section<'_>) -> Result<BTreeMap<String, Vec<String>>> {
    let Some(At { offset, value }) = section else {
        return Ok(BTreeMap::new());
    };
    let table = Table::new(value, offset, "test_files", &LANGUAGES)?;
    table
        .keys()
        .map(|language| {
            let globs = check::globs(table.texts(language.value)?, language.value)?;
            Ok((language.value.to_owned(), globs))
        })
        .collect()
}

fn probes(baseline: &Table<'_>) -> Result<Vec<Probe>> {
    let mut probes: Vec<Probe> = Vec::new();
    for At { offset, value } in baseline.tables("probe", 32)? {
        let table = Table::new(
            value,
            offset,
            "[[baseline.probe]]",
            &["name", "command", "timeout_s", "normalize"],
        )?;
        let name = check::name(table.required("name", table.text("name")?)?, "name")?;
        if probes.iter().any(|probe| probe.name == name) {
            return Err(FaultAt::new(
                table.offset_of("name"),
                format!("the probe `{name}` is there already"),
            ));
        }
        let command = table.required("command", table.texts("command")?)?;
        let at = table.offset_of("command");
        let command = check::command(Some(command), at, "command")?;
        if command.is_empty() {
            return Err(FaultAt::new(at, "`command` names no program"));
        }
        let seconds = table.number("timeout_s", 1..=3600, 60)?;
        let normalize = table.texts("normalize")?.unwrap_or_default();
        for text in &normalize {
            if let Err(error) = regex::bytes::Regex::new(&text.value) {
                let why = error.to_string();
                let why = why.lines().last().unwrap_or_default();
                return Err(FaultAt::new(
                    text.offset,
                    format!(
                        "`normalize` holds no regular expression: {}",
                        why.trim_start_matches("error: ")
                    ),
                ));
            }
        }
        probes.push(Probe {
            name,
            command,
            timeout: Duration::from_secs(seconds.into()),
            normalize: normalize.into_iter().map(|text| text.value).collect(),
        });
    }
    Ok(probes)
}

/// `[evidence]`
pub(super) fn evidence(section: Section<'_>) -> Result<EvidencePolicy> {
    let default = EvidencePolicy::default();
    let Some(At { offset, value }) = section else {
        return Ok(default);
    };
    let table = Table::new(
        value,
        offset,
        "[evidence]",
        &[
            "total_bytes",
            "per_file_bytes",
            "coverage",
            "proof",
            "replay",
            "source",
        ],
    )?;
    let total_bytes = table.number("total_bytes", 4096..=1_048_576, default.total_bytes)?;
    if total_bytes % 4 != 0 {
        return Err(FaultAt::new(
            table.offset_of("total_bytes"),
            "`total_bytes` is a multiple of 4",
        ));
    }
    let quarter = total_bytes / 4;
    if table.number("per_file_bytes", 0..=u32::MAX, quarter)? != quarter {
        return Err(FaultAt::new(
            table.offset_of("per_file_bytes"),
            format!("`per_file_bytes` is always a quarter of `total_bytes`, here {quarter}; leave it out"),
        ));
    }
    Ok(EvidencePolicy {
        total_bytes,
        coverage: table.word("coverage", default.coverage)?,
        proof: table.word("proof", default.proof)?,
        replay: table.word("replay", default.replay)?,
        sources: sources(&table)?,
    })
}

fn sources(evidence: &Table<'_>) -> Result<Vec<EvidenceSource>> {
    let own_max = MAX_SOURCES - MOVABLE_SOURCES.len() - FIXED_SOURCES.len();
    let mut sources: Vec<EvidenceSource> = Vec::new();
    for At { offset, value } in evidence.tables("source", MAX_SOURCES)? {
        let table = Table::new(
            value,
            offset,
            "[[evidence.source]]",
            &["key", "path", "supports", "rule", "marker", "from"],
        )?;
        let key = source_key(table.required("key", table.text("key")?)?)?;
        if sources.iter().any(|source| source.key() == key) {
            return Err(FaultAt::new(
                table.offset_of("key"),
                format!("the source `{key}` is there already"),
            ));
        }
        sources.push(source(&table, key)?);
        let own = sources
            .iter()
            .filter(|source| matches!(source, EvidenceSource::Own { .. }))
            .count();
        if own > own_max {
            return Err(FaultAt::new(
                offset,
                format!("there are at most {MAX_SOURCES} sources, the built-in ones included"),
            ));
        }
    }
    Ok(sources)
}

fn source(table: &Table<'_>, key: String) -> Result<EvidenceSource> {
    if FIXED_SOURCES.contains(&key.as_str()) {
        return Err(FaultAt::new(
            table.offset_of("key"),
            format!(
                "the source `{key}` is not read from a file of the policy's choice, so nothing about it can be changed"
            ),
        ));
    }
    let path = table
        .text("path")?
        .map(|path| check::template_path(path, "path"))
        .transpose()?;
    let from = table.word("from", ReadFrom::Tree)?;
    if MOVABLE_SOURCES.contains(&key.as_str()) {
        if let Some(wrong) = table
            .keys()
            .find(|entry| ["supports", "rule", "marker"].contains(&entry.value))
        {
            return Err(FaultAt::new(
                wrong.offset,
                format!(
                    "the source `{key}` is built in: only its `path` and `from` can be changed, not `{}`",
                    wrong.value
                ),
            ));
        }
        return Ok(EvidenceSource::BuiltIn { key, path, from });
    }
    let supports = table.required("supports", table.words("supports")?)?;
    if supports.is_empty() {
        return Err(FaultAt::new(
            table.offset_of("supports"),
            "`supports` names at least one dimension",
        ));
    }
    Ok(EvidenceSource::Own {
        key,
        path: table.required("path", path)?,
        supports,
        rule: rule(table)?,
        from,
    })
}

fn rule(table: &Table<'_>) -> Result<DeliveryRule> {
    let conclusion = match table.text("rule")? {
        Some(text) => choose(
            &text,
            "rule",
            [("whole", false), ("conclusion", true)].into_iter(),
        )?,
        None => false,
    };
    let marker = table.text("marker")?;
    match (conclusion, marker) {
        (false, None) => Ok(DeliveryRule::Whole),
        (false, Some(marker)) => Err(FaultAt::new(
            marker.offset,
            "`marker` goes with `rule = \"conclusion\"` only",
        )),
        (true, marker) => {
            let marker = table.required("marker", marker)?;
            if (1..=64).contains(&marker.value.chars().count()) {
                Ok(DeliveryRule::Conclusion { marker: marker.value })
            } else {
                Err(FaultAt::new(marker.offset, "`marker` has 1 to 64 characters"))
            }
        }
    }
}

/// `[a-z][a-z0-9-]{0,31}`
fn source_key(text: At<String>) -> Result<String> {
    let mut bytes = text.value.bytes();
    let fine = bytes.next().is_some_and(|byte| byte.is_ascii_lowercase())
        && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && text.value.len() <= 32;
    if fine {
        Ok(text.value)
    } else {
        Err(FaultAt::new(
            text.offset,
            format!(
                "a source's `key` has at most 32 small letters, digits and `-`, the first a letter, not \"{}\"",
                shown(&text.value)
            ),
        ))
    }
}
