//! Sound as files: what a scripted speech server says.

/// A WAV file: PCM of 16 bits with one channel.
pub fn wav(sample_rate: u32, samples: &[i16]) -> Vec<u8> {
    let sound: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    with_header(sample_rate, u32::try_from(sound.len()).expect("some seconds"), &sound)
}

/// The same as servers send it that stream: it says the largest length that there is.
pub fn streamed_wav(sample_rate: u32, samples: &[i16]) -> Vec<u8> {
    let sound: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    with_header(sample_rate, u32::MAX, &sound)
}

/// A sound of one pitch that can be heard well.
pub fn tone(sample_rate: u32, milliseconds: u32) -> Vec<i16> {
    let count = sample_rate * milliseconds / 1000;
    (0..count).map(|at| if at % 100 < 50 { 8_000 } else { -8_000 }).collect()
}

fn with_header(sample_rate: u32, length: u32, sound: &[u8]) -> Vec<u8> {
    let file_length = length.saturating_add(36);
    [
        b"RIFF".as_slice(),
        &file_length.to_le_bytes(),
        b"WAVEfmt ",
        &16_u32.to_le_bytes(),
        &[1, 0, 1, 0],
        &sample_rate.to_le_bytes(),
        &(2 * sample_rate).to_le_bytes(),
        &[2, 0, 16, 0],
        b"data",
        &length.to_le_bytes(),
        sound,
    ]
    .concat()
}
