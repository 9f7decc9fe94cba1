//! Follows the drawing operations of a page and puts the strings that it draws into the sink, with spaces and line ends
//! where the page has gaps: a PDF knows places, not words.

use std::collections::HashMap;
use std::rc::Rc;

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Object, Stream};

use super::super::super::limits::{DOCUMENT_BYTES, PART_BYTES, PDF_FORM_DEPTH, PDF_OPERATIONS};
use super::super::super::outcome::Unread;
use super::super::super::sink::Sink;
use super::font::Font;
use super::matrix::Matrix;
use super::sight::{Paint, Sight, parts_of_space};
use super::{expanded, number};

/// A gap of this part of the text's height is a space between words.
const SPACE: f64 = 0.15;
/// Text that stands this part of its height higher or lower is on another line; superscripts are not.
const OTHER_LINE: f64 = 0.5;

pub(super) struct Reader<'d, 's> {
    document: &'d Document,
    sink: &'s mut Sink,
    /// What the page around looks like.
    pub(super) sight: Sight,
    fonts: HashMap<*const Dictionary, Rc<Font<'d>>>,
    operations: usize,
    expanded: usize,
    depth: usize,
    last: Option<End>,
}

/// Where the last string ended.
#[derive(Clone, Copy)]
struct End {
    place: (f64, f64),
    /// Nobody knows how far it went.
    is_guessed: bool,
}

/// What holds for the strings that come.
#[derive(Clone)]
struct State<'d> {
    page: Matrix,
    paint: Paint,
    font: Option<Rc<Font<'d>>>,
    size: f64,
    leading: f64,
    character_spacing: f64,
    word_spacing: f64,
    stretch: f64,
}

/// A run of drawing: one page or one form, with what is saved within.
pub(super) struct Run<'d> {
    resources: Option<&'d Dictionary>,
    state: State<'d>,
    saved: Vec<State<'d>>,
    line: Matrix,
    text: Matrix,
    /// The place was named since the last string.
    has_moved: bool,
}

impl<'d, 's> Reader<'d, 's> {
    pub(super) fn new(document: &'d Document, sink: &'s mut Sink) -> Self {
        let (sight, fonts) = (Sight::default(), HashMap::new());
        Self { document, sink, sight, fonts, operations: 0, expanded: 0, depth: 0, last: None }
    }

    /// Text that is not drawn, on a line of its own.
    pub(super) fn say(&mut self, text: &str) {
        self.sink.line();
        self.sink.push_str(text);
        self.sink.line();
        self.last = None;
    }

    pub(super) fn end_line(&mut self) {
        self.sink.line();
        self.last = None;
    }

    /// Follows the operations of a page or a form.
    pub(super) fn draw(
        &mut self,
        content: &[u8],
        resources: Option<&'d Dictionary>,
        (page, paint): (Matrix, Paint),
    ) -> Result<(), Unread> {
        self.expanded += content.len();
        if self.expanded > DOCUMENT_BYTES {
            return Err(Unread::TooLarge);
        }
        let state = State {
            page,
            paint,
            font: None,
            size: 0.0,
            leading: 0.0,
            character_spacing: 0.0,
            word_spacing: 0.0,
            stretch: 1.0,
        };
        let (line, text) = (Matrix::IDENTITY, Matrix::IDENTITY);
        let mut run = Run { resources, state, saved: Vec::new(), line, text, has_moved: true };
        for operation in Content::<Vec<Operation>>::decode_iter(content) {
            self.operations += 1;
            if self.operations > PDF_OPERATIONS {
                return Err(Unread::TooLarge);
            }
            self.operate(&operation.map_err(|_| Unread::Damaged)?, &mut run)?;
        }
        Ok(())
    }

    /// Follows the operations of a form, in its own resources or else in those of the page around it.
    pub(super) fn draw_form(&mut self, form: &'d Stream, around: Option<&Run<'d>>) -> Result<(), Unread> {
        if self.depth >= PDF_FORM_DEPTH {
            return Err(Unread::TooLarge);
        }
        let own = form.dict.get_deref(b"Resources", self.document).and_then(Object::as_dict).ok();
        let outer = around.and_then(|run| run.resources);
        let (place, paint) =
            around.map_or((Matrix::IDENTITY, Paint::default()), |run| (run.state.page, run.state.paint));
        let matrix = form.dict.get_deref(b"Matrix", self.document).and_then(Object::as_array);
        let matrix = matrix.ok().and_then(|parts| matrix_of(parts)).unwrap_or(Matrix::IDENTITY);
        let content = expanded(form, PART_BYTES)?;
        self.depth += 1;
        self.draw(&content, own.or(outer), (matrix.then(place), paint))?;
        self.depth -= 1;
        Ok(())
    }

    fn operate(&mut self, operation: &Operation, run: &mut Run<'d>) -> Result<(), Unread> {
        let operands = operation.operands.as_slice();
        let given = |place: usize| operands.get(place).and_then(number).unwrap_or(0.0);
        match operation.operator.as_str() {
            "q" if run.saved.len() < PDF_OPERATIONS / 100 => run.saved.push(run.state.clone()),
            "q" => return Err(Unread::TooLarge),
            "Q" => run.state = run.saved.pop().unwrap_or_else(|| run.state.clone()),
            "cm" => run.state.page = matrix_of(operands).unwrap_or(Matrix::IDENTITY).then(run.state.page),
            "BT" => run.place(Matrix::IDENTITY),
            "Tf" => {
                run.state.font = self.font(operands.first(), run.resources)?;
                run.state.size = given(1);
            }
            "TL" => run.state.leading = given(0),
            "Tc" => run.state.character_spacing = given(0),
            "Tw" => run.state.word_spacing = given(0),
            "Tz" => run.state.stretch = given(0) / 100.0,
            "Td" => run.next_line(given(0), given(1)),
            "TD" => {
                run.state.leading = -given(1);
                run.next_line(given(0), given(1));
            }
            "Tm" => run.place(matrix_of(operands).unwrap_or(Matrix::IDENTITY)),
            "T*" => run.next_line(0.0, -run.state.leading),
            "Tj" => self.show(operands, run),
            "TJ" => self.show(operands.first().and_then(|all| all.as_array().ok()).map_or(&[], Vec::as_slice), run),
            "'" => {
                run.next_line(0.0, -run.state.leading);
                self.show(operands, run);
            }
            "\"" => {
                (run.state.word_spacing, run.state.character_spacing) = (given(0), given(1));
                run.next_line(0.0, -run.state.leading);
                self.show(operands.get(2..).unwrap_or_default(), run);
            }
            "Do" => self.paint(operands.first(), run)?,
            "Tr" | "g" | "rg" | "k" | "cs" | "sc" | "scn" => {
                let space = || self.resource(run.resources, b"ColorSpace", operands.first());
                let parts = || parts_of_space(self.document, space()?);
                run.state.paint.operate(&operation.operator, operands, parts);
            }
            "BI" | "EI" => self.sight.picture(run.state.page),
            other => self.sight.operate(other, operands, run.state.paint, run.state.page),
        }
        Ok(())
    }

    fn resource(&self, resources: Option<&'d Dictionary>, kind: &[u8], name: Option<&Object>) -> Option<&'d Object> {
        let all = resources?.get_deref(kind, self.document).and_then(Object::as_dict).ok()?;
        all.get_deref(name?.as_name().ok()?, self.document).ok()
    }

    fn font(
        &mut self,
        name: Option<&Object>,
        resources: Option<&'d Dictionary>,
    ) -> Result<Option<Rc<Font<'d>>>, Unread> {
        let font = self.resource(resources, b"Font", name).and_then(|font| font.as_dict().ok());
        let Some(font) = font else { return Ok(None) };
        if let Some(known) = self.fonts.get(&std::ptr::from_ref(font)) {
            return Ok(Some(known.clone()));
        }
        let read = Rc::new(Font::read(self.document, font)?);
        self.fonts.insert(font, read.clone());
        Ok(Some(read))
    }

    fn paint(&mut self, name: Option<&Object>, run: &Run<'d>) -> Result<(), Unread> {
        let Some(form) = self.resource(run.resources, b"XObject", name).and_then(|form| form.as_stream().ok()) else {
            return Ok(());
        };
        let is_form = form.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|kind| kind == b"Form");
        if is_form {
            return self.draw_form(form, Some(run));
        }
        self.sight.picture(run.state.page);
        Ok(())
    }

    /// Shows strings, and moves by the numbers between them.
    fn show(&mut self, pieces: &[Object], run: &mut Run<'d>) {
        for piece in pieces {
            match piece {
                Object::String(string, _) => self.show_string(string, run),
                other => {
                    let back = number(other).unwrap_or(0.0) / 1000.0 * run.state.size * run.state.stretch;
                    run.text = Matrix::shift(-back, 0.0).then(run.text);
                    let is_space = -back > SPACE * run.state.size;
                    if is_space && self.last.is_some_and(|last| last.is_guessed) {
                        self.sink.space();
                    }
                }
            }
        }
    }

    fn show_string(&mut self, string: &[u8], run: &mut Run<'d>) {
        let state = &run.state;
        let text = state
            .font
            .as_ref()
            .map_or_else(|| string.iter().map(|_| char::REPLACEMENT_CHARACTER).collect(), |font| font.text(string));
        let widths = state.font.as_ref().and_then(|font| font.widths(string));
        let spaced = |(width, is_space): &(f64, bool)| {
            width * state.size + state.character_spacing + if *is_space { state.word_spacing } else { 0.0 }
        };
        let length = widths.iter().flatten().map(spaced).sum::<f64>() * state.stretch;
        let end = Matrix::shift(length, 0.0).then(run.text);
        let (from, to) = (run.text.then(state.page), end.then(state.page).origin());
        let has_own_size = state.font.as_ref().is_some_and(|font| font.has_own_size);
        let height = (!has_own_size && state.font.is_some()).then(|| (state.size * from.height()).abs());
        if self.sight.hides(state.paint, from.origin(), to, height) {
            self.sink.hide(&text);
            run.text = end;
            return;
        }
        self.separate(run);
        text.chars().for_each(|c| push_plain(self.sink, c));
        self.last = Some(End { place: to, is_guessed: widths.is_none() });
        (run.text, run.has_moved) = (end, false);
    }

    /// Puts what is between the last string and the one that comes.
    fn separate(&mut self, run: &Run<'d>) {
        let Some(last) = self.last else { return };
        let whole = run.text.then(run.state.page);
        let height = (run.state.size * whole.height()).abs();
        let ((along_x, along_y), _) = whole.along();
        let (x, y) = whole.origin();
        let (x, y) = (x - last.place.0, y - last.place.1);
        let (gap, rise) = (x * along_x + y * along_y, y * along_x - x * along_y);
        if rise.abs() > OTHER_LINE * height {
            self.sink.line();
        } else if last.is_guessed {
            if run.has_moved {
                self.sink.space();
            }
        } else if gap > SPACE * height || gap < -OTHER_LINE * height {
            self.sink.space();
        }
    }
}

impl Run<'_> {
    fn place(&mut self, matrix: Matrix) {
        (self.line, self.text, self.has_moved) = (matrix, matrix, true);
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.place(Matrix::shift(x, y).then(self.line));
    }
}

fn matrix_of(parts: &[Object]) -> Option<Matrix> {
    let parts: Vec<f64> = parts.iter().filter_map(number).collect();
    parts.try_into().ok().map(Matrix::new)
}

/// Letters that a font joined are letters again.
fn push_plain(sink: &mut Sink, c: char) {
    match c {
        '\u{fb00}' => sink.push_str("ff"),
        '\u{fb01}' => sink.push_str("fi"),
        '\u{fb02}' => sink.push_str("fl"),
        '\u{fb03}' => sink.push_str("ffi"),
        '\u{fb04}' => sink.push_str("ffl"),
        '\u{fb05}' | '\u{fb06}' => sink.push_str("st"),
        _ => sink.push(c),
    }
}
