//! `git review-gate demo`: every step of the story comes out as it should.

use crate::scene::says;
use crate::support::World;

#[test]
fn the_demo_tells_its_story_to_the_end() {
    let world = World::new();
    let ran = world.at(".").gate(["demo"]).run().code(0);
    says(
        &ran,
        &["findings-open", "review-missing", "needs-human", "all pass"],
    );
}
