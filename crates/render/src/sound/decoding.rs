//! WAV files in memory as speech: those of programs that write to a pipe and of servers that stream, too.

use super::Speech;
use super::resampling::RATES;

/// Writers that do not know the length of their sound write the largest number that they can hold, or one that no sound
/// reaches. From here on, a length is such a number.
const UNKNOWN_BYTES: u32 = 1 << 30;

/// Why bytes are no speech.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WavError {
    /// They do not begin as a WAV file does.
    #[error("it is no WAV file")]
    NotWav,
    /// The file ends before its sound does.
    #[error("the WAV file ends before its sound does")]
    Truncated,
    /// The sound is something else than PCM of 16 bits, in one channel or two, at 8 to 192 kHz.
    #[error("the WAV file holds no PCM of 16 bits in one or two channels at 8 to 192 kHz")]
    UnsupportedFormat,
    /// The lengths in the file do not fit its bytes.
    #[error("the lengths in the WAV file contradict each other")]
    Inconsistent,
}

impl Speech {
    /// Reads a WAV file in memory: PCM of 16 bits with one channel, or with two, which are mixed.
    ///
    /// Programs that write to a pipe and servers that stream do not know how long their sound will be. A length of 1 GiB or
    /// more, or of 0 although sound follows, means the end of the bytes.
    ///
    /// # Errors
    /// When the bytes are no such file, or only a part of one.
    pub fn from_wav(bytes: &[u8]) -> Result<Self, WavError> {
        let after = bytes.strip_prefix(b"RIFF").ok_or(WavError::NotWav)?;
        let (file_bytes, after) = length(after).ok_or(WavError::Truncated)?;
        let is_length_known = usize::try_from(file_bytes).is_ok_and(|length| length == after.len());
        let (kind, mut rest) = after.split_at_checked(4).ok_or(WavError::Truncated)?;
        if kind != b"WAVE" {
            return Err(WavError::NotWav);
        }
        let mut format = None;
        loop {
            let (name, after) = rest.split_at_checked(4).ok_or(WavError::Truncated)?;
            let (chunk_bytes, after) = length(after).ok_or(WavError::Truncated)?;
            if name == b"data" {
                let format: Format = format.ok_or(WavError::Inconsistent)?;
                let sound = match chunk_bytes {
                    UNKNOWN_BYTES.. => after,
                    0 if !is_length_known => after,
                    _ => whole_chunk(chunk_bytes, after)?,
                };
                return Ok(Self { sample_rate: format.sample_rate, samples: format.samples(sound) });
            }
            let (chunk, behind) = split_chunk(chunk_bytes, after).ok_or(WavError::Truncated)?;
            if name == b"fmt " {
                format = Some(Format::read(chunk).ok_or(WavError::UnsupportedFormat)?);
            }
            rest = behind;
        }
    }
}

/// The length at the begin of bytes, and what follows it.
fn length(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (length, after) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*length), after))
}

/// The bytes of a chunk, and what follows its padding. The last chunk of a file may lack it.
fn split_chunk(length: u32, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (chunk, behind) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
    Some((chunk, if length % 2 == 1 { behind.get(1..).unwrap_or_default() } else { behind }))
}

/// The bytes of the chunk of sound, behind which only other chunks may be. Any other bytes would be sound that is lost: some
/// servers send a whole file for each part of a text.
fn whole_chunk(chunk_bytes: u32, bytes: &[u8]) -> Result<&[u8], WavError> {
    let (sound, mut behind) = split_chunk(chunk_bytes, bytes).ok_or(WavError::Truncated)?;
    while !behind.is_empty() {
        let name = behind.get(..4).filter(|name| *name != b"RIFF");
        let (chunk_bytes, after) = name.and_then(|_| length(&behind[4..])).ok_or(WavError::Inconsistent)?;
        behind = split_chunk(chunk_bytes, after).ok_or(WavError::Inconsistent)?.1;
    }
    Ok(sound)
}

/// A format that is read.
struct Format {
    channels: usize,
    sample_rate: u32,
}

impl Format {
    fn read(chunk: &[u8]) -> Option<Self> {
        const PCM: u16 = 1;
        /// Stands in the place of a format that has more fields; the format is the first of its last ones.
        const EXTENSIBLE: u16 = 0xFFFE;
        let field = |at: usize| Some(u16::from_le_bytes(*chunk.get(at..)?.first_chunk()?));
        let format = match field(0)? {
            EXTENSIBLE => field(24)?,
            format => format,
        };
        let (channels, bits) = (usize::from(field(2)?), field(14)?);
        let sample_rate = u32::from_le_bytes(*chunk.get(4..)?.first_chunk()?);
        let is_read = format == PCM && bits == 16 && (1..=2).contains(&channels) && RATES.contains(&sample_rate);
        is_read.then_some(Self { channels, sample_rate })
    }

    /// Samples of one channel.
    fn samples(&self, sound: &[u8]) -> Vec<i16> {
        let samples = sound.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        match self.channels {
            1 => samples.collect(),
            _ => {
                let both: Vec<i16> = samples.collect();
                both.chunks_exact(2).map(|pair| pair[0].midpoint(pair[1])).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sound::wav::{HEADER_BYTES, header};

    /// A file with this format and these samples; of its sound it says that it has so many bytes.
    fn file(change: impl Fn(&mut [u8; HEADER_BYTES]), samples: &[i16]) -> Vec<u8> {
        let mut header = header(u32::try_from(2 * samples.len()).unwrap());
        change(&mut header);
        header.into_iter().chain(samples.iter().flat_map(|sample| sample.to_le_bytes())).collect()
    }

    fn put(header: &mut [u8; HEADER_BYTES], at: usize, number: u32) {
        header[at..at + 4].copy_from_slice(&number.to_le_bytes());
    }

    fn samples(file: &[u8]) -> Result<Vec<i16>, WavError> {
        Speech::from_wav(file).map(|speech| speech.samples)
    }

    #[test]
    fn a_file_is_read_whole_or_not_at_all() {
        let whole = file(|_| {}, &[1, 2, -3]);
        assert_eq!(samples(&whole), Ok(vec![1, 2, -3]));
        for end in 4..whole.len() {
            assert_eq!(samples(&whole[..end]), Err(WavError::Truncated), "{end}");
        }
        let mp3 = [b"ID3\x04".as_slice(), &[0; 100]].concat();
        for other in [b"".as_slice(), b"RI", b"{\"error\": {}}", b"<html>", &mp3, b"RIFF\x04\0\0\0AVI LIST"] {
            assert_eq!(samples(other), Err(WavError::NotWav), "{other:?}");
        }
        assert_eq!(samples(&file(|header| header[12..16].copy_from_slice(b"junk"), &[1])), Err(WavError::Inconsistent));
    }

    #[test]
    fn who_streams_does_not_know_the_length() {
        for unknown in [0, 0x7FFF_F000, 0x7FFF_FFFF, 2_000_000_000, u32::MAX] {
            let streamed = file(|header| [4, 40].into_iter().for_each(|at| put(header, at, unknown)), &[1, 2]);
            assert_eq!(samples(&streamed), Ok(vec![1, 2]), "{unknown:#x}");
        }
        let python =
            file(|header| [(4, 36), (40, 0)].into_iter().for_each(|(at, number)| put(header, at, number)), &[1]);
        assert_eq!(samples(&python), Ok(vec![1]));
        let mut empty = file(|header| put(header, 4, 36 + 12), &[]);
        empty.extend(b"LIST\x04\0\0\0INFO");
        assert_eq!(samples(&empty), Ok(vec![]), "there is a length, and it is 0");
    }

    #[test]
    fn chunks_beside_the_sound_are_passed_over_and_other_bytes_are_not() {
        let plain = file(|_| {}, &[1, 2]);
        let (head, sound) = plain.split_at(36);
        let odd = b"LIST\x05\0\0\0INFO!\0";
        assert_eq!(samples(&[head, odd, sound, odd].concat()), Ok(vec![1, 2]));
        assert_eq!(samples(&[head, odd, sound, &odd[..13]].concat()), Ok(vec![1, 2]), "the last padding is missing");
        for behind in [plain.as_slice(), b"\x01\x02", &odd[..11]] {
            assert_eq!(samples(&[&plain, behind].concat()), Err(WavError::Inconsistent), "{behind:?}");
        }
    }

    #[test]
    fn two_channels_are_mixed_and_other_formats_refused() {
        let stereo = file(|header| header[22] = 2, &[100, 300, i16::MAX, i16::MAX, i16::MIN, i16::MIN]);
        assert_eq!(samples(&stereo), Ok(vec![200, i16::MAX, i16::MIN]));
        for rate in [8_000, 22_050, 24_000, 44_100, 192_000] {
            assert_eq!(Speech::from_wav(&file(|header| put(header, 24, rate), &[])).unwrap().sample_rate, rate);
        }
        let changes: [fn(&mut [u8; HEADER_BYTES]); 6] = [
            |header| header[20] = 3,
            |header| header[22] = 0,
            |header| header[22] = 6,
            |header| header[34] = 8,
            |header| put(header, 24, 7_999),
            |header| put(header, 24, u32::MAX),
        ];
        for (at, change) in changes.into_iter().enumerate() {
            assert_eq!(samples(&file(change, &[1])), Err(WavError::UnsupportedFormat), "{at}");
        }
    }

    #[test]
    fn the_extensible_form_of_the_same_format_is_read() {
        let plain = file(|_| {}, &[7]);
        let mut format = [&plain[20..36], &[22, 0, 16, 0, 4, 0, 0, 0, 1, 0], &[0; 14]].concat();
        format[..2].copy_from_slice(&[0xFE, 0xFF]);
        let extensible = |format: &[u8]| [&plain[..16], &[40, 0, 0, 0], format, &plain[36..]].concat();
        assert_eq!(samples(&extensible(&format)), Ok(vec![7]));
        format[24] = 3;
        assert_eq!(samples(&extensible(&format)), Err(WavError::UnsupportedFormat));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>, length: u32, name in "data|fmt |LIST|RIFF") {
            let head = file(|header| put(header, 40, length), &[1, 2]);
            let damaged = [&head[..36], name.as_bytes(), &length.to_le_bytes(), &bytes].concat();
            for file in [&bytes, &head, &damaged] {
                let samples = samples(file).map_or(0, |samples| samples.len());
                prop_assert!(2 * samples <= file.len());
            }
        }
    }
}
