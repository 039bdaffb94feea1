//! Map files of Arm's linker (Keil MDK, Arm Compiler 5 and 6).

use fwai_schema::project::MemoryRegion;

use super::{Reader, hex};

/// Whether the text is of this linker.
pub(super) fn is_armlink(text: &str) -> bool {
    text.contains("Memory Map of the image") && text.contains("Execution Region")
}

impl<'a> Reader<'a> {
    /// Execution regions with their capacity, and the rows below each.
    pub(super) fn armlink(&mut self, text: &'a str) {
        self.map.placed_by_address = true;
        let map = text.split_once("Memory Map of the image").map_or("", |(_, map)| map);
        for line in map.lines() {
            let line = line.trim();
            if line.starts_with("Image component sizes") {
                break;
            } else if let Some(region) = line.strip_prefix("Execution Region ") {
                self.map.regions.extend(execution_region(region));
            } else if line.starts_with("0x") {
                self.armlink_row(line);
            }
        }
        self.attributes_of_regions();
    }

    /// `exec [load] size type attr index [*] section object`; old versions have no load address.
    fn armlink_row(&mut self, line: &'a str) {
        let mut rest = line;
        let mut word = || {
            let text = rest.trim_start();
            let (word, after) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
            rest = after;
            word
        };
        let (address, second, third) = (word(), word(), word());
        let (size, kind) = if third.starts_with("0x") { (third, word()) } else { (second, third) };
        let (Some(address), Some(size)) = (hex(address), hex(size)) else { return };
        if size == 0 {
            return;
        }
        if kind == "PAD" {
            self.piece(None, address, size);
            return;
        }
        let (_attribute, _index) = (word(), word());
        let section = word();
        // A star marks the entry point's section.
        if section == "*" {
            word();
        }
        let object = rest.trim();
        if !object.is_empty() {
            let file = self.file(object);
            self.piece(Some(file), address, size);
        }
    }

    /// Code lives in regions that are read, zeros and variables in regions that are written.
    fn attributes_of_regions(&mut self) {
        for region in &mut self.map.regions {
            let is_ram =
                region.name.contains("RAM") || region.name.starts_with("RW_") || region.name.contains("ZI");
            region.attributes = Some(if is_ram { "rw" } else { "rx" }.to_string());
        }
    }
}

/// `ER_IROM1 (Exec base: 0x08000000, Load base: 0x08000000, Size: 0x530, Max: 0x100000, ABSOLUTE)`
fn execution_region(text: &str) -> Option<MemoryRegion> {
    let (name, facts) = text.split_once('(')?;
    let fact = |key: &str| {
        let value = facts.split([',', ')']).find_map(|part| part.trim().strip_prefix(key))?;
        hex(value.trim())
    };
    let origin = fact("Exec base:").or_else(|| fact("Base:"))?;
    // Without a limit in the scatter file the linker writes all ones.
    let length = fact("Max:").filter(|length| *length != 0xffff_ffff && *length != u64::MAX)?;
    Some(MemoryRegion { name: name.trim().to_string(), origin, length, attributes: None })
}

#[cfg(test)]
mod tests {
    use super::{super::MapFile, *};

    const AC6: &str = "
Component: Arm Compiler for Embedded 6.19 Tool: armlink [5e73cb00]

Memory Map of the image

  Image Entry point : 0x08000189

  Load Region LR_IROM1 (Base: 0x08000000, Size: 0x00000220, Max: 0x00100000, ABSOLUTE)

    Execution Region ER_IROM1 (Exec base: 0x08000000, Load base: 0x08000000, Size: 0x00000200, Max: 0x00100000, ABSOLUTE)

    Exec Addr    Load Addr    Size         Type   Attr      Idx    E Section Name        Object

    0x08000000   0x08000000   0x00000188   Data   RO            3    RESET               startup_stm32f40xx.o
    0x08000188   0x08000188   0x00000008   Code   RO         5163  * !!!main             c_w.l(__main.o)
    0x08000190   0x08000190   0x0000006e   Code   RO         2899    .text.main          main.o
    0x080001fe   0x080001fe   0x00000002   PAD

    Execution Region RW_IRAM1 (Exec base: 0x20000000, Load base: 0x08000200, Size: 0x00000420, Max: 0x00020000, ABSOLUTE, COMPRESSED[0x00000010])

    0x20000000   COMPRESSED   0x00000020   Data   RW         3001    .data               main.o
    0x20000020        -       0x00000400   Zero   RW            1    STACK               startup_stm32f40xx.o

==============================================================================

Image component sizes
      Code (inc. data)   RO Data    RW Data    ZI Data      Debug   Object Name
";

    #[test]
    fn rows_of_both_versions() {
        assert!(is_armlink(AC6));
        let map = MapFile::parse(AC6);
        let regions: Vec<_> =
            map.regions.iter().map(|region| (region.name.as_str(), region.origin, region.length)).collect();
        assert_eq!(regions, [("ER_IROM1", 0x0800_0000, 0x10_0000), ("RW_IRAM1", 0x2000_0000, 0x2_0000)]);
        assert_eq!(map.files, ["startup_stm32f40xx.o", "c_w.l(__main.o)", "main.o"]);
        let pieces: Vec<_> = map.pieces.iter().map(|piece| (piece.file, piece.address, piece.size)).collect();
        assert_eq!(
            pieces,
            [
                (Some(0), 0x0800_0000, 0x188),
                (Some(1), 0x0800_0188, 8),
                (Some(2), 0x0800_0190, 0x6e),
                (None, 0x0800_01fe, 2),
                (Some(2), 0x2000_0000, 0x20),
                (Some(0), 0x2000_0020, 0x400),
            ]
        );
        // Version 5 has one address in each row, and calls it base.
        let old =
            AC6.replace("Exec base: ", "Base: ").replace("   COMPRESSED", "").replace("        -   ", "");
        let old: Vec<String> = old
            .lines()
            .map(|line| match line.trim().strip_prefix("0x0800") {
                Some(_) => line.replacen(line.split_whitespace().next().unwrap(), "", 1),
                None => line.to_string(),
            })
            .collect();
        assert_eq!(MapFile::parse(&old.join("\n")).pieces, map.pieces);
    }
}
