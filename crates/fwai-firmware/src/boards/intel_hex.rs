//! Intel HEX files as load segments.

/// Runs of bytes with their addresses, in the order of the file; adjoining records are joined.
pub fn parse(text: &str) -> Result<Vec<(u64, Vec<u8>)>, String> {
    let mut runs: Vec<(u64, Vec<u8>)> = Vec::new();
    let mut base = 0u64;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let fault = |what: &str| format!("line {}: {what}", index + 1);
        let record = line.strip_prefix(':').ok_or_else(|| fault("a record must start with `:`"))?;
        let bytes = hex::decode(record).map_err(|_| fault("not hexadecimal digits in pairs"))?;
        if bytes.len() < 5 || bytes.len() != usize::from(bytes[0]) + 5 {
            return Err(fault("the record's length does not match its count"));
        }
        if bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)) != 0 {
            return Err(fault("wrong checksum"));
        }
        let offset = u64::from(u16::from_be_bytes([bytes[1], bytes[2]]));
        let data = &bytes[4..bytes.len() - 1];
        let word = || match data {
            [high, low] => Ok(u64::from(u16::from_be_bytes([*high, *low]))),
            _ => Err(fault("an address record must hold two bytes")),
        };
        match bytes[3] {
            0 => {
                let address = base + offset;
                match runs.last_mut() {
                    Some((start, run)) if *start + run.len() as u64 == address => run.extend_from_slice(data),
                    _ => runs.push((address, data.to_vec())),
                }
            }
            1 => return Ok(runs),
            2 => base = word()? << 4,
            4 => base = word()? << 16,
            // Start addresses say where to begin, not what to write.
            3 | 5 => {}
            kind => return Err(fault(&format!("unknown record type {kind:02x}"))),
        }
    }
    Err("the file has no end record (`:00000001FF`); it may be cut off".to_string())
}

/// Runs of bytes as an Intel HEX file.
pub fn write<'a>(runs: impl Iterator<Item = (u64, &'a [u8])>) -> String {
    let mut text = String::new();
    let mut record = |kind: u8, offset: u16, data: &[u8]| {
        let mut bytes = vec![data.len() as u8];
        bytes.extend(offset.to_be_bytes());
        bytes.push(kind);
        bytes.extend_from_slice(data);
        let sum = bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
        bytes.push(sum.wrapping_neg());
        text.push(':');
        text.push_str(&hex::encode_upper(&bytes));
        text.push('\n');
    };
    let mut upper = 0u16;
    for (start, data) in runs {
        let mut at = 0;
        while at < data.len() {
            let address = start + at as u64;
            let high = (address >> 16) as u16;
            if high != upper {
                upper = high;
                record(4, 0, &high.to_be_bytes());
            }
            // A record must not cross a 64 KiB border.
            let room = (0x1_0000 - (address & 0xffff)) as usize;
            let count = 16.min(room).min(data.len() - at);
            record(0, address as u16, &data[at..at + count]);
            at += count;
        }
    }
    text.push_str(":00000001FF\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_join_and_extended_addresses_count() {
        let text = ":020000040800F2\n:0400000001020304F2\n:040004000506070 8\n".replace(' ', "");
        assert!(parse(&text).unwrap_err().contains("line 3"));
        let text =
            ":020000040800F2\r\n:0400000001020304F2\r\n:0200040005 06EF\r\n:00000001FF\r\n".replace(' ', "");
        assert_eq!(parse(&text).unwrap(), vec![(0x0800_0000, vec![1, 2, 3, 4, 5, 6])]);
    }

    #[test]
    fn what_is_written_reads_back() {
        let data: Vec<u8> = (0..70_000u32).map(|n| n as u8).collect();
        let text = write([(0x0800_fff0, &data[..]), (0x2000_0000, &[1, 2, 3][..])].into_iter());
        assert_eq!(parse(&text).unwrap(), vec![(0x0800_fff0, data), (0x2000_0000, vec![1, 2, 3])]);
    }

    #[test]
    fn damage_is_named_with_its_line() {
        for (text, what) in [
            ("junk", "line 1"),
            (":0400000001020304F3\n:00000001FF", "checksum"),
            (":04000000010203F6", "length"),
            (":0400000001020304F2\n", "end record"),
            (":00000009F7", "unknown record"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
