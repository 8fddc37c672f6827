//! `quality block`: the report of a run that failed early, or is still going.

use super::evaluate::{Finished, Keeping, finish};
use super::place::Place;
use crate::model::quality::Document;

/// What is known of the run.
#[derive(Debug, Clone)]
pub struct Request {
    /// The run.
    pub run_id: String,
    /// Why nothing was measured.
    pub reason: String,
    /// The campaign that it is part of.
    pub campaign_id: Option<String>,
    /// The judged commit; HEAD where it is not named.
    pub commit: Option<String>,
    /// Where the report goes.
    pub keeping: Keeping,
}

/// Writes the blocked report.
pub fn run(request: &Request) -> Finished {
    let mut why = vec![request.reason.clone()];
    for (option, value) in [("--run-id", &request.run_id), ("--reason", &request.reason)] {
        if value.is_empty() {
            why.push(format!("{option} is empty"));
        }
    }
    let place = Place::find(request.commit.as_deref()).unwrap_or_else(|error| {
        why.push(format!("--commit: {error}"));
        Place {
            repo: None,
            commit: None,
        }
    });
    why.retain(|reason| !reason.is_empty());
    let campaign = request.campaign_id.as_ref().map(|id| {
        let members = [("kind", "real-campaign"), ("campaignId", id)];
        members
            .map(|(key, value)| (key.to_owned(), value.into()))
            .into_iter()
            .collect()
    });
    let document = Document {
        run_id: Some(request.run_id.clone()).filter(|id| !id.is_empty()),
        evidence: campaign,
        commit: place.commit,
        ..Document::blocked(why.join("; "))
    };
    finish(&place, document, &request.keeping)
}
