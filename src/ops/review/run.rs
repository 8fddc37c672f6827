//! `review run`: assemble the packet, ask an external reviewer, and record what it answers.

use super::answer::{self, Answer};
use super::at::ReviewAt;
use super::delivered::{self, Files};
use super::packet;
use super::record;
use super::show;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::canonical;
use crate::model::event::Attempt;
use crate::model::final_review::FinalReviewOutput;
use crate::model::outcome::review::Shown;
use crate::model::text::sanitise;
use crate::ops::child::{Call, Ended, Next};
use crate::ops::desk::Desk;
use crate::review::packet::Packet;
use crate::review::reply::{self, Incomplete, Reason};
use crate::review::{gates, word_list};

/// What is run.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The review; the open one of the branch when absent.
    pub review: Option<String>,
    /// The command line; that of the base's policy when absent.
    pub reviewer: Option<String>,
    /// How many empty replies end the run; as the base's policy says when absent.
    pub attempts: Option<u32>,
}

/// The heading under which a reviewer reads what was wrong with its last reply.
const AGAIN: &str = "## Your last reply was not usable";

/// Packet, reviewer and record in one go.
pub fn run(request: &Request) -> Result<Shown> {
    let repo = Repo::open()?;
    let desk = Desk::open_to_write(&repo)?;
    let mut warnings = desk.put_back.clone();
    let (at, choice) = ReviewAt::open(desk, request.review.as_deref(), None)?;
    at.refuse_unfit()?;
    let policy = &at.policy.policy.reviewer;
    let argv = match &request.reviewer {
        Some(line) => word_list::split(line)?,
        None => policy.command.clone(),
    };
    if argv.is_empty() {
        return Err(Error::new("usage", "there is no reviewer to run")
            .because("neither --reviewer nor the policy at the base names one")
            .hint("git review-gate review run --reviewer \"program argument\"")
            .hint("git review-gate explain policy"));
    }
    let packet = packet::assemble(&at, &choice)?;
    packet::store(&at, &packet)?;
    let body = packet.body(&at.review.id);
    let review = at.review.id.as_str().to_owned();
    let mut dialogue = Dialogue {
        at: &at,
        packet: &packet,
        argv,
        empties: request.attempts.unwrap_or(policy.attempts).max(1),
        attempts: Vec::new(),
    };
    let (raw, reply) = dialogue.usable()?;
    let (raw, reply) = dialogue.not_contradictory(raw, reply, &mut warnings)?;
    let attempts = dialogue.attempts;

    // The ledger may have moved on meanwhile; what is written comes after all that is there now.
    let desk = Desk::open_to_write(&repo)?;
    let now = desk.review(Some(&review))?.ok_or_else(super::at::no_review)?;
    let at = ReviewAt::of_packet(desk, now, &body.manifest)?;
    at.refuse_unfit()?;
    let deliveries = delivered::deliveries(&Files::new(&repo), &at.context(), &body)?;
    let judged = answer::judge(&at, &body, &deliveries, &reply)?;
    let recorded = answer::keep(
        &at,
        &body,
        &Answer {
            raw,
            judged,
            origin: record::REVIEWER.to_owned(),
            attempts,
        },
    )?;
    let mut shown = show::show(&show::Request {
        review: Some(review),
        rev: None,
    })?;
    shown.wrote = Some(recorded);
    shown.warnings.splice(0..0, warnings);
    Ok(shown)
}

/// What is said between us and the reviewer.
struct Dialogue<'a> {
    at: &'a ReviewAt<'a>,
    packet: &'a Packet,
    argv: Vec<String>,
    /// How many empty replies are taken, the one that ends the run included.
    empties: u32,
    /// The replies that were not usable.
    attempts: Vec<Attempt>,
}

impl Dialogue<'_> {
    /// A reply that is usable: an empty one is asked for again, any other unusable one once more.
    fn usable(&mut self) -> Result<(String, FinalReviewOutput)> {
        let mut prompt = self.packet.prompt.clone();
        let mut asked_again = false;
        loop {
            let raw = self.ask(&prompt)?;
            let incomplete = match reply::parse(&raw, self.at.review.id.as_str()) {
                Ok(reply) => {
                    let raw = String::from_utf8(raw).expect("a reply that was read is UTF-8");
                    return Ok((raw, reply));
                }
                Err(incomplete) => incomplete,
            };
            self.attempts.push(Attempt {
                raw: canonical::digest_of(&[&raw]),
                reason: incomplete.reason.to_string(),
            });
            if incomplete.reason == Reason::Empty {
                self.empties -= 1;
                if self.empties == 0 {
                    return Err(self.gave_up(incomplete));
                }
            } else if asked_again {
                return Err(self.gave_up(incomplete));
            } else {
                asked_again = true;
                prompt = self.again(&incomplete);
            }
        }
    }

    /// The reply, or a corrected one where it contradicts itself: inconclusive, and yet sure. A correction that is not
    /// usable, contradicts itself too, or raises a verdict is not taken.
    fn not_contradictory(
        &mut self,
        raw: String,
        reply: FinalReviewOutput,
        warnings: &mut Vec<String>,
    ) -> Result<(String, FinalReviewOutput)> {
        if !gates::contradicts_itself(&reply) {
            return Ok((raw, reply));
        }
        let prompt = format!(
            "{}\n{AGAIN}\ncontradiction: a verdict is inconclusive with high confidence; inconclusive never has high \
             confidence\nCorrect the confidence, or lower the verdict. Raise nothing.\n",
            self.packet.prompt
        );
        let second = match self.ask(&prompt) {
            Ok(second) => second,
            Err(error) if error.kind == "reviewer-failed" => {
                warnings.push(format!("{error}; its first reply is recorded"));
                return Ok((raw, reply));
            }
            Err(error) => return Err(error),
        };
        let digest = |raw: &[u8]| canonical::digest_of(&[raw]);
        let corrected = reply::parse(&second, self.at.review.id.as_str());
        let refused = match &corrected {
            Err(incomplete) => Some(incomplete.reason.to_string()),
            Ok(second) if gates::contradicts_itself(second) => Some("contradiction".to_owned()),
            Ok(second) if gates::raises(&reply, second) => Some("raised".to_owned()),
            Ok(_) => None,
        };
        match (refused, corrected) {
            (None, Ok(corrected)) => {
                self.attempts.push(Attempt {
                    raw: digest(raw.as_bytes()),
                    reason: "contradiction".to_owned(),
                });
                let second = String::from_utf8(second).expect("a reply that was read is UTF-8");
                Ok((second, corrected))
            }
            (reason, _) => {
                self.attempts.push(Attempt {
                    raw: digest(&second),
                    reason: reason.unwrap_or_default(),
                });
                Ok((raw, reply))
            }
        }
    }

    /// The packet, and below it what was wrong with the last reply.
    fn again(&self, incomplete: &Incomplete) -> String {
        let mut prompt = format!("{}\n{AGAIN}\n{}\n", self.packet.prompt, incomplete.reason);
        for detail in incomplete.details() {
            prompt.push_str(&detail);
            prompt.push('\n');
        }
        prompt.push_str(&format!("{}\n", incomplete.ask()));
        prompt
    }

    fn gave_up(&self, incomplete: Incomplete) -> Error {
        let count = self.attempts.len();
        Error::from(incomplete).because(format!(
            "{count} {} usable",
            if count == 1 {
                "reply was not"
            } else {
                "replies were not"
            }
        ))
    }

    /// Runs the reviewer once. One that cannot be started, takes too long or fails is not asked again.
    fn ask(&self, prompt: &str) -> Result<Vec<u8>> {
        let failed = |why: String| {
            Error::new("reviewer-failed", format!("the reviewer {} failed", self.shown()))
                .because(why)
                .hint("git review-gate review run --reviewer \"program argument\"")
        };
        let timeout = self.at.policy.policy.reviewer.timeout;
        let mut reply = Vec::new();
        let ended = Call::new(&self.argv)
            .without_git()
            .env("REVIEW_GATE_PACKET", self.packet.id.to_hex())
            .env("REVIEW_GATE_REVIEW", self.at.review.id.as_str())
            .stdin(prompt)
            .timeout(timeout)
            .run(|_, bytes| {
                reply.extend_from_slice(bytes);
                // What is longer is refused anyway, by its length.
                if reply.len() > reply::MAX_BYTES {
                    Next::Stop
                } else {
                    Next::GoOn
                }
            });
        match ended {
            Err(error) if error.kind == "start-failed" => Err(failed(error.to_string())),
            Err(error) => Err(error),
            Ok(Ended::Code(0) | Ended::Stopped) => Ok(reply),
            Ok(Ended::Code(code)) => Err(failed(format!("it ended with exit code {code}"))),
            Ok(Ended::Signal(signal)) => Err(failed(format!("it was ended by signal {signal}"))),
            Ok(Ended::Timeout) => Err(failed(format!("it took longer than {} s", timeout.as_secs()))),
            Ok(Ended::Interrupted(_)) => Err(Error::new("interrupted", "interrupted")),
        }
    }

    fn shown(&self) -> String {
        self.argv
            .first()
            .map(|program| sanitise(program))
            .unwrap_or_default()
    }
}
