//! What a lesson consists of once its JSON shape is understood.

use super::inline::Passage;
use super::pointer::Pointer;

/// A lesson's content, in source order.
#[derive(Debug)]
pub(crate) struct LessonReading {
    pub(crate) pointer: Pointer,
    /// Pointers of its fields, in order.
    pub(crate) fields: Vec<Pointer>,
    /// Its title, or the heading that opens it.
    pub(crate) title: Option<String>,
    pub(crate) kind: String,
    /// What the source says that learners can do after it.
    pub(crate) objectives: Vec<Objective>,
    pub(crate) origin: Origin,
    pub(crate) blocks: Vec<Block>,
}

/// What the source says that learners can do after a lesson.
#[derive(Debug)]
pub(crate) struct Objective {
    pub(crate) pointer: Pointer,
    pub(crate) text: String,
}

/// Who has seen a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Learners: it is part of a lesson.
    Lesson,
    /// Only whoever wrote the prompt.
    Prompt,
}

/// A piece of content with the place it came from.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) pointer: Pointer,
    pub(crate) purpose: Purpose,
    pub(crate) body: Body,
}

impl Block {
    /// A block that teaches.
    pub(crate) fn taught(pointer: Pointer, body: Body) -> Self {
        Self { pointer, purpose: Purpose::Taught, body }
    }

    /// Whether it teaches, so that it can be asked about and summed up.
    pub(crate) fn teaches(&self) -> bool {
        self.purpose == Purpose::Taught
    }
}

/// What a block is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It teaches.
    Taught,
    /// It tells learners what to do: "Read chapter 2." It is shown, and neither asked about nor summed up.
    Instruction,
}

/// The kinds of content that a lesson can hold.
#[derive(Debug)]
pub(crate) enum Body {
    /// `level` 1 is right below the lesson's own heading.
    Heading {
        level: u8,
        text: String,
    },
    Paragraph(Passage),
    /// `steps`: the items are done one after the other.
    List {
        steps: bool,
        items: Vec<Item>,
    },
    Table(Table),
    Definitions(Vec<Pair>),
    Questions(Vec<Question>),
    Facts(Vec<Fact>),
    Dialogue(Vec<Turn>),
    Timeline(Vec<Event>),
    /// Kept with its lines and indents.
    Code(Code),
    /// A formula on a line of its own: LaTeX without delimiters.
    Formula(String),
    Picture(Picture),
    Quotation(Quotation),
    Example(WorkedExample),
}

/// Code of a program.
#[derive(Debug)]
pub(crate) struct Code {
    /// As the source names it: `python`, `c++`.
    pub(crate) language: Option<String>,
    pub(crate) text: String,
    /// What it prints, where the source says so.
    pub(crate) output: Option<String>,
}

/// A picture.
#[derive(Debug)]
pub(crate) struct Picture {
    /// As the source gives it.
    pub(crate) address: String,
    /// For those who can't see it; may be empty.
    pub(crate) description: String,
    pub(crate) caption: Option<String>,
}

/// Words of somebody else.
#[derive(Debug)]
pub(crate) struct Quotation {
    pub(crate) paragraphs: Vec<Passage>,
    /// Who said it, or where it stands.
    pub(crate) source: Option<String>,
}

/// A task with the way to its result.
#[derive(Debug)]
pub(crate) struct WorkedExample {
    pub(crate) title: Option<String>,
    pub(crate) problem: Passage,
    pub(crate) steps: Vec<Item>,
    pub(crate) result: Option<Passage>,
}

/// An item of a list; `level` 0 is the outermost.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) pointer: Pointer,
    pub(crate) level: u8,
    pub(crate) text: Passage,
    /// Further values that belong to the item, with their labels.
    pub(crate) notes: Vec<Note>,
}

/// Rows of cells; `columns` is empty where the source names none.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) columns: Vec<String>,
    /// The columns are named by the keys of records, and not by an author for readers.
    pub(crate) keyed: bool,
    pub(crate) rows: Vec<Row>,
}

/// A row of a table; its first cell names it.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) pointer: Pointer,
    pub(crate) cells: Vec<String>,
}

/// A term with what the source says it means.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) pointer: Pointer,
    pub(crate) term: String,
    pub(crate) definition: String,
    pub(crate) notes: Vec<Note>,
}

/// A labelled extra.
#[derive(Debug)]
pub(crate) struct Note {
    pub(crate) label: String,
    pub(crate) value: String,
}

/// A question that the source itself asks.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) pointer: Pointer,
    pub(crate) question: String,
    pub(crate) options: Vec<String>,
    /// Right options, or accepted answers where there are no options. Empty when the source gives none.
    pub(crate) answers: Vec<String>,
    pub(crate) explanation: Option<String>,
    /// How far a number may be from the answer: `0.1`.
    pub(crate) tolerance: Option<String>,
    pub(crate) notes: Vec<Note>,
}

impl Question {
    /// A question without options and answers.
    pub(crate) fn asking(pointer: Pointer, question: String) -> Self {
        Self {
            pointer,
            question,
            options: Vec::new(),
            answers: Vec::new(),
            explanation: None,
            tolerance: None,
            notes: Vec::new(),
        }
    }
}

/// A labelled value.
#[derive(Debug)]
pub(crate) struct Fact {
    pub(crate) pointer: Pointer,
    pub(crate) label: String,
    pub(crate) value: String,
    /// Addresses and the like that are no bookkeeping: shown, but never asked for.
    pub(crate) technical: bool,
}

/// A line of a conversation.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) pointer: Pointer,
    pub(crate) speaker: String,
    pub(crate) line: String,
    pub(crate) notes: Vec<Note>,
}

/// Something that happened at a time.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) pointer: Pointer,
    pub(crate) when: String,
    pub(crate) what: String,
    pub(crate) notes: Vec<Note>,
}
