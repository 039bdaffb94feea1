//! The plain `ustar` form, for bundles that should be one file.

/// Puts files into one archive. Times are zero, so equal bundles are equal bytes.
pub fn archive(files: &[(String, Vec<u8>)]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for (name, bytes) in files {
        out.extend_from_slice(&header(name, bytes.len())?);
        out.extend_from_slice(bytes);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    Some(out)
}

fn header(name: &str, size: usize) -> Option<[u8; 512]> {
    let mut block = [0; 512];
    let mut put = |at: usize, text: &str| block[at..at + text.len()].copy_from_slice(text.as_bytes());
    if name.len() > 100 || size >= 1 << 33 {
        return None;
    }
    put(0, name);
    put(100, if name.ends_with(".py") { "0000755\0" } else { "0000644\0" });
    put(108, "0000000\0");
    put(116, "0000000\0");
    put(124, &format!("{size:011o}\0"));
    put(136, "00000000000\0");
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\x0000");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Some(block)
}
