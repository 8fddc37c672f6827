//! The smaller sections of the policy: who may do what, reviewer, spec, quality, sync.

use std::collections::{BTreeMap, BTreeSet};

use toml::de::DeTable;

use super::check;
use super::fault::{FaultAt, shown};
use super::reader::{At, Result, Table};
use crate::model::policy::spec::SpecPolicy;
use crate::model::policy::{OriginsPolicy, QualityPolicy, ReviewerPolicy, Speakers, SyncPolicy, WaivePolicy};

type Section<'a> = Option<At<&'a DeTable<'a>>>;

/// `[reviewer]`
pub(super) fn reviewer(section: Section<'_>) -> Result<ReviewerPolicy> {
    let default = ReviewerPolicy::default();
    let Some(At { offset, value }) = section else {
        return Ok(default);
    };
    let table = Table::new(value, offset, "[reviewer]", &["command", "timeout", "attempts"])?;
    Ok(ReviewerPolicy {
        command: check::command(table.texts("command")?, table.offset_of("command"), "command")?,
        timeout: table.duration("timeout", default.timeout)?,
        attempts: table.number("attempts", 1..=10, default.attempts)?,
    })
}

/// `[origins]`: `extra`, and a list of emails for each origin.
pub(super) fn origins(section: Section<'_>) -> Result<OriginsPolicy> {
    let Some(At { offset, value }) = section else {
        return Ok(OriginsPolicy::default());
    };
    let name = "[origins]";
    // The names of `extra` are keys themselves, so that list is read before the keys are judged.
    let open = Table::with(value, offset, name, std::iter::empty(), |_| true)?;
    let mut extra: Vec<String> = Vec::new();
    for text in open.texts("extra")?.unwrap_or_default() {
        let offset = text.offset;
        let origin = check::name(text, "extra")?;
        if origin == "extra" || OriginsPolicy::BUILT_IN.contains(&origin.as_str()) || extra.contains(&origin)
        {
            return Err(FaultAt::new(
                offset,
                format!("the origin `{}` is there already", shown(&origin)),
            ));
        }
        extra.push(origin);
    }
    let known = OriginsPolicy::BUILT_IN.into_iter().chain(["extra"]);
    let table = Table::with(value, offset, name, known, |key| {
        extra.iter().any(|one| one == key)
    })?;
    let mut speakers = BTreeMap::new();
    for key in table.keys().filter(|key| key.value != "extra") {
        let texts = table.texts(key.value)?.unwrap_or_default();
        speakers.insert(key.value.to_owned(), check::emails(texts, &shown(key.value))?);
    }
    Ok(OriginsPolicy { extra, speakers })
}

/// `[rule]` and `[authorize]`: `by`.
pub(super) fn speakers(section: Section<'_>, name: &'static str) -> Result<Speakers> {
    let Some(At { offset, value }) = section else {
        return Ok(Speakers::default());
    };
    let table = Table::new(value, offset, name, &["by"])?;
    Ok(Speakers(
        table
            .texts("by")?
            .map(|texts| check::emails(texts, "by"))
            .transpose()?,
    ))
}

/// `[waive]`
pub(super) fn waive(section: Section<'_>) -> Result<WaivePolicy> {
    let Some(At { offset, value }) = section else {
        return Ok(WaivePolicy::default());
    };
    let table = Table::new(value, offset, "[waive]", &["major", "blocker"])?;
    let list = |key| check::emails(table.texts(key)?.unwrap_or_default(), key);
    Ok(WaivePolicy {
        major: list("major")?,
        blocker: list("blocker")?,
    })
}

/// `[spec]`
pub(super) fn spec(section: Section<'_>) -> Result<SpecPolicy> {
    let default = SpecPolicy::default();
    let Some(At { offset, value }) = section else {
        return Ok(default);
    };
    let table = Table::new(
        value,
        offset,
        "[spec]",
        &[
            "dir",
            "max_rounds",
            "max_dispatches",
            "max_seconds",
            "require",
            "allow_stopped",
            "block_unread",
            "block_low_confidence",
            "block_minor",
            "unread_on_any_stop",
        ],
    )?;
    Ok(SpecPolicy {
        dir: table
            .text("dir")?
            .map_or(Ok(default.dir), |dir| check::path(dir, "dir"))?,
        max_rounds: table.number("max_rounds", 1..=1000, default.max_rounds)?,
        max_dispatches: table.number("max_dispatches", 1..=100_000, default.max_dispatches)?,
        max_seconds: table.number("max_seconds", 1..=604_800, default.max_seconds)?,
        require: table.word("require", default.require)?,
        allow_stopped: table
            .words("allow_stopped")?
            .map_or(default.allow_stopped, BTreeSet::from_iter),
        block_unread: table.flag("block_unread", default.block_unread)?,
        block_low_confidence: table.flag("block_low_confidence", default.block_low_confidence)?,
        block_minor: table.flag("block_minor", default.block_minor)?,
        unread_on_any_stop: table.flag("unread_on_any_stop", default.unread_on_any_stop)?,
    })
}

/// `[quality]`
pub(super) fn quality(section: Section<'_>) -> Result<QualityPolicy> {
    let default = QualityPolicy::default();
    let Some(At { offset, value }) = section else {
        return Ok(default);
    };
    let table = Table::new(
        value,
        offset,
        "[quality]",
        &["max_score_drop", "require_baseline"],
    )?;
    Ok(QualityPolicy {
        max_score_drop: table.number("max_score_drop", 0..=100, default.max_score_drop)?,
        require_baseline: table.flag("require_baseline", default.require_baseline)?,
    })
}

/// `[sync]`
pub(super) fn sync(section: Section<'_>) -> Result<SyncPolicy> {
    let default = SyncPolicy::default();
    let Some(At { offset, value }) = section else {
        return Ok(default);
    };
    let table = Table::new(
        value,
        offset,
        "[sync]",
        &["remote", "on_push", "timeout", "push_timeout", "notes_prefix"],
    )?;
    Ok(SyncPolicy {
        remote: table
            .text("remote")?
            .map(|text| check::name(text, "remote"))
            .transpose()?,
        on_push: table.word("on_push", default.on_push)?,
        timeout: table.duration("timeout", default.timeout)?,
        push_timeout: table.duration("push_timeout", default.push_timeout)?,
        notes_prefix: table
            .text("notes_prefix")?
            .map_or(Ok(default.notes_prefix), check::notes_prefix)?,
    })
}
