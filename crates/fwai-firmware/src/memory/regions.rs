//! How full each memory region is.

use fwai_schema::project::MemoryRegion;

use super::report::{RegionUse, SectionKind, SectionUse};

/// Fill in each section's regions and count what each region holds.
pub(super) fn usage(
    regions: &[MemoryRegion],
    sections: &mut [SectionUse],
    is_tls_bss: impl Fn(&str) -> bool,
) -> Vec<RegionUse> {
    let mut taken: Vec<Vec<(u64, u64)>> = vec![Vec::new(); regions.len()];
    for section in sections.iter_mut() {
        let at = home(regions, section.address);
        section.region = at.map(|at| regions[at].name.clone());
        // Uninitialised thread-local storage is a template: it takes no room at its address.
        if let Some(at) = at.filter(|_| !(section.kind == SectionKind::Bss && is_tls_bss(&section.name))) {
            taken[at].push((section.address, section.address.saturating_add(section.size)));
        }
        if section.kind == SectionKind::Bss || section.load_address == section.address {
            continue;
        }
        if let Some(stored) = home(regions, section.load_address) {
            taken[stored].push((section.load_address, section.load_address.saturating_add(section.size)));
            if Some(stored) != at {
                section.load_region = Some(regions[stored].name.clone());
            }
        }
    }
    regions.iter().zip(taken).map(|(region, taken)| count(region, taken)).collect()
}

/// The region that holds an address; the smallest where they overlap.
fn home(regions: &[MemoryRegion], address: u64) -> Option<usize> {
    let holds = |region: &MemoryRegion| {
        address.checked_sub(region.origin).is_some_and(|offset| offset < region.length)
    };
    let holding = regions.iter().enumerate().filter(|(_, region)| holds(region));
    holding.min_by_key(|(_, region)| region.length).map(|(at, _)| at)
}

fn count(region: &MemoryRegion, mut taken: Vec<(u64, u64)>) -> RegionUse {
    taken.sort_unstable();
    let (mut used, mut padding, mut end) = (0u64, 0u64, None::<u64>);
    for (start, stop) in taken {
        let from = end.map_or(start, |end| start.max(end));
        used = used.saturating_add(stop.saturating_sub(from));
        // A gap smaller than any alignment in use is padding; a larger one was meant.
        if let Some(gap) = end.and_then(|end| start.checked_sub(end)).filter(|gap| *gap > 0 && *gap < 256) {
            padding += gap;
        }
        end = Some(end.map_or(stop, |end| end.max(stop)));
    }
    RegionUse {
        name: region.name.clone(),
        origin: region.origin,
        length: region.length,
        used,
        free: region.length.saturating_sub(used),
        percent: percent(used, region.length),
        padding,
        attributes: region.attributes.clone(),
    }
}

/// Two digits after the point, so that the number reads the same everywhere.
pub(super) fn percent(used: u64, length: u64) -> f64 {
    if length == 0 { 0.0 } else { (used as f64 * 10_000.0 / length as f64).round() / 100.0 }
}

impl RegionUse {
    /// Writable memory, by its attributes or else its name.
    pub fn is_ram(&self) -> bool {
        match &self.attributes {
            Some(attributes) => {
                attributes.trim_start_matches('!').contains(['w', 'W']) && !attributes.starts_with('!')
            }
            None => ["ram", "tcm", "ccm", "mem", "data"]
                .iter()
                .any(|word| self.name.to_ascii_lowercase().contains(word)),
        }
    }
}
