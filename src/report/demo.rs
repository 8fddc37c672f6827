//! The transcript of the demo, for people.

use crate::model::transcript::Transcript;

/// Every step as typed, what it printed indented below, and one last line.
pub fn human(transcript: &Transcript) -> String {
    let mut text = String::new();
    for step in &transcript.steps {
        if let Some(title) = step.title {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(title);
            text.push('\n');
        }
        text.push_str("  ");
        text.push_str(&step.command);
        text.push('\n');
        for line in step.output.lines() {
            text.push_str("      ");
            text.push_str(line);
            text.push('\n');
        }
        if let Some(code) = step.code.filter(|code| *code != 0) {
            text.push_str(&format!("      [exit code {code}]\n"));
        }
        if let Some(fault) = &step.fault {
            text.push_str(&format!("  FAILED: {fault}\n"));
        }
    }
    let steps = transcript.steps.len();
    if transcript.is_as_expected() {
        text.push_str(&format!("\nAll {steps} steps came out as they should.\n"));
    } else {
        text.push_str(&format!(
            "\nStep {steps} did not come out as it should; the demo ends here.\n"
        ));
    }
    if let Some(kept) = &transcript.kept {
        text.push_str(&format!("The repositories are in {kept}.\n"));
    }
    text
}
