//! WAV files: written sample by sample, and joined.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use crate::limits::SAMPLE_RATE;

pub(super) const HEADER_BYTES: usize = 44;
/// Silence that is written at once, in samples.
const SILENCE: [u8; 9_600] = [0; 9_600];

/// A file that sound is written to.
pub(crate) struct WavWriter {
    file: BufWriter<File>,
    samples: u64,
}

impl WavWriter {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let mut file = BufWriter::new(File::create(path)?);
        file.write_all(&[0; HEADER_BYTES])?;
        Ok(Self { file, samples: 0 })
    }

    /// The number of samples so far.
    pub(crate) const fn samples(&self) -> u64 {
        self.samples
    }

    pub(crate) fn write(&mut self, samples: &[i16]) -> io::Result<()> {
        for sample in samples {
            self.file.write_all(&sample.to_le_bytes())?;
        }
        self.samples += samples.len() as u64;
        Ok(())
    }

    /// Adds silence until there are this many samples.
    pub(crate) fn pad_to(&mut self, samples: u64) -> io::Result<()> {
        while self.samples < samples {
            let some = (samples - self.samples).min(SILENCE.len() as u64 / 2);
            self.file.write_all(&SILENCE[..usize::try_from(2 * some).unwrap_or(SILENCE.len())])?;
            self.samples += some;
        }
        Ok(())
    }

    /// Adds the sound of another file that this crate wrote.
    pub(crate) fn append(&mut self, path: &Path) -> io::Result<()> {
        let mut other = File::open(path)?;
        let bytes = other.metadata()?.len().checked_sub(HEADER_BYTES as u64).ok_or(io::ErrorKind::UnexpectedEof)?;
        other.seek(SeekFrom::Start(HEADER_BYTES as u64))?;
        let copied = io::copy(&mut BufReader::new(other), &mut self.file)?;
        if copied != bytes || bytes % 2 != 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.samples += bytes / 2;
        Ok(())
    }

    /// Writes the header, now that the length is known.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let bytes = u32::try_from(2 * self.samples).map_err(|_| io::ErrorKind::FileTooLarge)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&header(bytes))?;
        self.file.flush()
    }
}

/// The header of a file with so many bytes of sound.
pub(super) fn header(bytes: u32) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    let mut put = |at: usize, part: &[u8]| header[at..at + part.len()].copy_from_slice(part);
    put(0, b"RIFF");
    put(4, &bytes.saturating_add(36).to_le_bytes());
    put(8, b"WAVEfmt ");
    put(16, &16_u32.to_le_bytes());
    // PCM, one channel.
    put(20, &1_u16.to_le_bytes());
    put(22, &1_u16.to_le_bytes());
    put(24, &SAMPLE_RATE.to_le_bytes());
    put(28, &(2 * SAMPLE_RATE).to_le_bytes());
    put(32, &2_u16.to_le_bytes());
    put(34, &16_u16.to_le_bytes());
    put(36, b"data");
    put(40, &bytes.to_le_bytes());
    header
}

/// How many samples a file has that this crate wrote.
pub(crate) fn samples_of(path: &Path) -> io::Result<u64> {
    let mut header = [0; HEADER_BYTES];
    let mut file = File::open(path)?;
    let bytes = file.metadata()?.len().saturating_sub(HEADER_BYTES as u64);
    file.read_exact(&mut header)?;
    if header[36..40] != *b"data"
        || u64::from(u32::from_le_bytes([header[40], header[41], header[42], header[43]])) != bytes
    {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok(bytes / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sound::Speech;

    fn written(folder: &Path, name: &str, samples: &[i16], length: u64) -> std::path::PathBuf {
        let path = folder.join(name);
        let mut writer = WavWriter::create(&path).unwrap();
        writer.write(samples).unwrap();
        writer.pad_to(length).unwrap();
        writer.finish().unwrap();
        path
    }

    #[test]
    fn files_are_joined_sample_by_sample() {
        let folder = tempfile::tempdir().unwrap();
        let one = written(folder.path(), "one", &[1, 2, 3], 5);
        let two = written(folder.path(), "two", &[-4], 0);
        let silence = written(folder.path(), "silence", &[], 100_000);
        let path = folder.path().join("all");
        let mut all = WavWriter::create(&path).unwrap();
        for part in [&one, &two, &silence, &one] {
            all.append(part).unwrap();
        }
        all.finish().unwrap();
        let speech = Speech::from_wav(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(speech.sample_rate, SAMPLE_RATE);
        assert_eq!((&speech.samples[..6], speech.samples.len()), (&[1, 2, 3, 0, 0, -4][..], 100_011));
        assert_eq!(samples_of(&path).unwrap(), 100_011);
        std::fs::write(&path, [0; 20]).unwrap();
        assert!(samples_of(&path).is_err());
        assert!(WavWriter::create(&folder.path().join("x")).unwrap().append(&path).is_err());
    }
}
