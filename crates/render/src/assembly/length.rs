//! How long an MP4 file says that it lasts.

use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::Path;

/// The length in milliseconds; `None` when the file says none.
pub(super) fn of(path: &Path) -> io::Result<Option<u64>> {
    let mut file = BufReader::new(File::open(path)?);
    let end = file.get_ref().metadata()?.len();
    let Some(moov) = find(&mut file, *b"moov", end)? else { return Ok(None) };
    let Some(mvhd) = find(&mut file, *b"mvhd", moov)? else { return Ok(None) };
    let mut bytes = Vec::new();
    file.take(mvhd.min(32)).read_to_end(&mut bytes)?;
    Ok(length(&bytes))
}

/// Goes to the content of a box among those up to an end; says how long the content is.
fn find(file: &mut BufReader<File>, name: [u8; 4], mut left: u64) -> io::Result<Option<u64>> {
    while left >= 8 {
        let mut head = [0; 8];
        file.read_exact(&mut head)?;
        let [a, b, c, d, kind @ ..] = head;
        let (size, header) = match u32::from_be_bytes([a, b, c, d]) {
            1 => {
                let mut long = [0; 8];
                file.read_exact(&mut long)?;
                (u64::from_be_bytes(long), 16)
            }
            size => (u64::from(size), 8),
        };
        let Some(content) = size.checked_sub(header).filter(|_| size <= left) else { return Ok(None) };
        if kind == name {
            return Ok(Some(content));
        }
        file.seek_relative(i64::try_from(content).map_err(io::Error::other)?)?;
        left -= size;
    }
    Ok(None)
}

/// The length of a movie's header, which has two versions.
fn length(mvhd: &[u8]) -> Option<u64> {
    let number = |at: usize| Some(u64::from(u32::from_be_bytes(*mvhd.get(at..)?.first_chunk()?)));
    let (scale, length) = match mvhd.first()? {
        0 => (number(12)?, number(16)?),
        _ => (number(20)?, u64::from_be_bytes(*mvhd.get(24..)?.first_chunk()?)),
    };
    length.checked_mul(1000)?.checked_div(scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_is_read_from_the_header() {
        let mut mvhd = vec![0; 20];
        mvhd[14..16].copy_from_slice(&[0x03, 0xE8]);
        mvhd[18..20].copy_from_slice(&[0x27, 0x10]);
        let part = |name: &[u8], content: &[u8]| {
            let size = u32::try_from(content.len() + 8).unwrap();
            [&size.to_be_bytes()[..], name, content].concat()
        };
        let file =
            [part(b"ftyp", b"isom"), part(b"moov", &[part(b"free", b""), part(b"mvhd", &mvhd)].concat())].concat();
        let path = tempfile::NamedTempFile::new().unwrap();
        for (content, expected) in [(&file[..], Some(10_000)), (&file[..12], None), (b"", None)] {
            std::fs::write(path.path(), content).unwrap();
            assert_eq!(of(path.path()).unwrap(), expected);
        }
    }
}
