//! Numbers in the data of a certificate: seven bits a byte, the lowest first; the top bit says that
//! more follow (LEB128).

use std::io::{self, Read, Write};

/// Why no number could be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NumberError {
    /// Nothing is left.
    #[error("the data end where a move is needed")]
    End,
    /// The compressed data make no sense.
    #[error("the data cannot be decompressed ({0})")]
    Damaged(String),
    /// More than 32 bits, or an empty byte at the end.
    #[error("a number is not written in the shortest way")]
    Form,
}

/// Writes a number.
pub fn put(mut number: u32, out: &mut impl Write) -> io::Result<()> {
    while number >= 0x80 {
        out.write_all(&[number as u8 | 0x80])?;
        number >>= 7;
    }
    out.write_all(&[number as u8])
}

/// Reads the next number.
pub fn take(data: &mut impl Read) -> Result<u32, NumberError> {
    let mut number = 0;
    for shift in (0..32).step_by(7) {
        let byte = take_byte(data)?.ok_or(NumberError::End)?;
        let bits = u32::from(byte & 0x7f);
        if bits << shift >> shift != bits || (byte == 0 && shift > 0) {
            return Err(NumberError::Form);
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(NumberError::Form)
}

/// The next byte, or `None` at the end of the data.
pub fn take_byte(data: &mut impl Read) -> Result<Option<u8>, NumberError> {
    let mut byte = [0];
    match data.read(&mut byte) {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(byte[0])),
        // The decoder reports this when its input ends within a block.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(NumberError::End),
        Err(error) => Err(NumberError::Damaged(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back() {
        let numbers = [0, 1, 127, 128, 129, 300, 16383, 16384, 1 << 28, u32::MAX];
        let mut data = Vec::new();
        numbers.iter().for_each(|&number| put(number, &mut data).unwrap());
        assert_eq!(data[..3], [0, 1, 127]);
        assert_eq!(data[3..5], [0x80, 1]);
        let mut rest = &data[..];
        numbers.iter().for_each(|&number| assert_eq!(take(&mut rest), Ok(number)));
        assert_eq!(take(&mut rest), Err(NumberError::End));
    }

    #[test]
    fn one_way_to_write_a_number() {
        for bad in [&[0x80, 0][..], &[0xff; 6], &[0x80, 0x80, 0x80, 0x80, 0x10]] {
            assert_eq!(take(&mut &bad[..]), Err(NumberError::Form), "{bad:?}");
        }
        assert_eq!(take(&mut &[0x80][..]), Err(NumberError::End));
    }
}
