//! A response that is written before it is sent: in memory while that has room, then in a file without a name.

use std::fs::File;
use std::io::{self, Write};

use super::budget::Charge;
use super::held::Held;
use super::{Holder, MOST_IN_MEMORY_BYTES, Responses, SMALL_BYTES};
use crate::problem::Problem;

/// What is written to a file at once, in bytes.
const BUFFER_BYTES: usize = 64 * 1024;

/// Takes a response of any size as it is made, without holding all of it in memory.
pub struct Spool {
    responses: Responses,
    holder: Holder,
    /// What is not in the file yet.
    buffer: Vec<u8>,
    /// Of the buffer, beyond [`SMALL_BYTES`].
    memory: Option<Charge>,
    file: Option<SpoolFile>,
    refused: Option<Problem>,
}

struct SpoolFile {
    file: File,
    length: u64,
    charge: Charge,
}

impl Spool {
    pub(super) fn new(responses: Responses, holder: Holder) -> Self {
        Self { responses, holder, buffer: Vec::new(), memory: None, file: None, refused: None }
    }

    /// Writes some bytes.
    ///
    /// # Errors
    /// 429 or 503 where there is no room for them, 503 where the disk fails.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let result = self.try_push(bytes);
        if let Err(problem) = &result {
            self.refused = Some(problem.clone());
        }
        result
    }

    /// [`Spool::push`], in one expression.
    ///
    /// # Errors
    /// As [`Spool::push`].
    pub fn with(mut self, bytes: &[u8]) -> Result<Self, Problem> {
        self.push(bytes)?;
        Ok(self)
    }

    /// Writes a value as JSON.
    ///
    /// # Errors
    /// As [`Spool::push`].
    pub fn push_json(&mut self, value: &impl serde::Serialize) -> Result<(), Problem> {
        serde_json::to_writer(&mut *self, value)
            .map_err(|error| self.refused.clone().unwrap_or_else(|| Problem::unexpected(error)))
    }

    /// What was written so far, in bytes.
    pub fn length(&self) -> u64 {
        self.buffer.len() as u64 + self.file.as_ref().map_or(0, |file| file.length)
    }

    /// Whether nothing was written yet.
    pub fn is_empty(&self) -> bool {
        self.length() == 0
    }

    /// What was written, ready to be sent.
    ///
    /// # Errors
    /// 503 where the disk fails.
    pub fn finish(mut self) -> Result<Held, Problem> {
        if self.file.is_some() {
            self.flush_buffer()?;
        }
        Ok(match self.file {
            Some(SpoolFile { file, length, charge }) => Held::file(self.responses, self.holder, file, length, charge),
            None => Held::memory(self.buffer, self.memory),
        })
    }

    #[cfg(test)]
    pub(super) fn in_memory_bytes(&self) -> usize {
        self.buffer.capacity()
    }

    fn try_push(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        if self.file.is_none() && !self.fits_in_memory(bytes.len()) {
            self.file = Some(SpoolFile::make(&self.responses, &self.holder)?);
            self.flush_buffer()?;
            self.memory = None;
        }
        if self.file.is_some() && self.buffer.len() + bytes.len() > BUFFER_BYTES {
            self.flush_buffer()?;
            if bytes.len() > BUFFER_BYTES {
                return self.file.as_mut().map_or(Ok(()), |file| file.append(bytes));
            }
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    /// Charges the memory that the buffer is going to take.
    fn fits_in_memory(&mut self, more: usize) -> bool {
        let needed = self.buffer.len() + more;
        if needed <= self.buffer.capacity() || needed <= SMALL_BYTES {
            return true;
        }
        if needed > MOST_IN_MEMORY_BYTES {
            return false;
        }
        let capacity = needed.next_power_of_two();
        let growth = (capacity - self.buffer.capacity()) as u64;
        let charged = match &mut self.memory {
            Some(charge) => charge.grow(growth),
            None => self.responses.0.memory.charge(&self.holder, capacity as u64).map(|charge| {
                self.memory = Some(charge);
            }),
        };
        if charged.is_ok() {
            self.buffer.reserve_exact(capacity - self.buffer.len());
        }
        charged.is_ok()
    }

    fn flush_buffer(&mut self) -> Result<(), Problem> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.append(&self.buffer)?;
        self.buffer.clear();
        self.buffer.shrink_to(BUFFER_BYTES);
        Ok(())
    }
}

impl SpoolFile {
    fn make(responses: &Responses, holder: &Holder) -> Result<Self, Problem> {
        let charge = responses.0.disk.charge(holder, 0)?;
        let file = responses.file()?;
        Ok(Self { file, length: 0, charge })
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        self.charge.grow(bytes.len() as u64)?;
        self.file.write_all(bytes).map_err(disk_failed)?;
        self.length += bytes.len() as u64;
        Ok(())
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.push(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(problem) => Err(io::Error::other(problem)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) fn disk_failed(error: io::Error) -> Problem {
    Problem::Unavailable(std::sync::Arc::new(error))
}
