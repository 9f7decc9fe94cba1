//! The text of one section of a module, as a model writes it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::SinglePart;
use crate::authored::brief::Brief;
use crate::authored::desk::Assignment;
use crate::authored::items::{excerpt_faults, given_of};
use crate::authored::outline::HEADING;
use crate::authored::prompt;
use crate::authored::section::{BLOCKS, Block, BlockKind};
use crate::authored::sources::Shown;
use crate::authored::wording::{self, line};

const SECTION_INSTRUCTIONS: &str = "\
Your part of the work is the text of one section of an interactive lesson, explained for learners.

- `heading`: what the section is about, in a few words.
- `blocks`: the text. Each has a `kind`: `paragraph`, `heading` (below the section's own, which is not repeated) and `code` \
use `text`; `list` and `steps` (done one after the other) use `items`; `table` uses `rows`, the first one names the columns; \
`terms` uses `rows` of two cells, a term and what it means. What a kind does not use is empty.";

/// The text of a section to be written.
pub(super) struct SectionWriting<'a>(pub(super) Brief<'a>);

/// The text of a section as a model writes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SectionText {
    pub(super) heading: String,
    pub(super) blocks: Vec<Block>,
    excerpts: Vec<u32>,
}

impl Assignment for SectionWriting<'_> {
    type Piece = SectionText;
    const MOST_TOKENS: u32 = 6_000;

    fn name(&self) -> &'static str {
        "section_text"
    }

    fn instructions(&self) -> String {
        SECTION_INSTRUCTIONS.to_owned()
    }

    fn schema(&self) -> Value {
        prompt::object(json!({
            "heading": prompt::text("A few words."),
            "blocks": prompt::list(Block::schema()),
            "excerpts": prompt::numbers(),
        }))
    }

    fn material(&self) -> &Shown {
        &self.0.shown
    }

    fn shorter(&self) -> Self {
        Self(self.0.shorter())
    }

    fn task(&self) -> String {
        Self::TASK.to_owned()
    }

    fn data(&self) -> Value {
        self.0.data("section")
    }

    fn fitted(&self, text: SectionText) -> SectionText {
        SectionText {
            heading: line(&text.heading),
            blocks: text.blocks.into_iter().map(Block::fitted).collect(),
            excerpts: text.excerpts,
        }
    }

    fn texts(&self, text: &SectionText) -> Vec<String> {
        let prose = text.blocks.iter().take(BLOCKS).filter(|block| block.kind != BlockKind::Code);
        vec![prose.flat_map(Block::texts).collect::<Vec<_>>().join(". ")]
    }

    fn faults(&self, text: &SectionText) -> Vec<String> {
        let mut faults: Vec<String> = excerpt_faults(&text.excerpts, self.0.given()).into_iter().collect();
        faults.extend(wording::length("`heading`", &text.heading, HEADING));
        faults.extend(self.0.ground.inventions_in_heading(&text.heading));
        faults.extend(wording::entries("`blocks`", text.blocks.len(), BLOCKS));
        for (at, block) in text.blocks.iter().enumerate().take(BLOCKS) {
            if !block.is_formed() {
                faults.push(format!("blocks[{at}] is empty, too long or not formed as its kind needs"));
            }
            faults.extend(block.inventions(self.0.ground).into_iter().map(|fault| format!("blocks[{at}]: {fault}")));
        }
        faults
    }

    fn mended(&self, text: SectionText) -> Option<(SectionText, usize)> {
        let mut dropped = 0;
        let excerpts = given_of(text.excerpts, self.0.given());
        let blocks = text.blocks.into_iter().take(BLOCKS);
        let blocks: Vec<Block> = blocks.filter_map(|block| block.mended(self.0.ground, &mut dropped)).collect();
        let is_sound = wording::length("", &text.heading, HEADING).is_none()
            && self.0.ground.inventions_in_heading(&text.heading).is_empty();
        let heading = if is_sound { text.heading } else { self.0.heading().to_owned() };
        let teaches = blocks.iter().any(|block| block.kind != BlockKind::Heading);
        (teaches && !excerpts.is_empty()).then_some((SectionText { heading, blocks, excerpts }, dropped))
    }
}
