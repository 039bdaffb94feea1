//! Symbols with a size, as `nm --size-sort` counts them.

use super::report::SymbolUse;
use crate::elf::{ElfImage, Place, Symbol, SymbolKind, demangled};

/// Largest first; names decide among equals.
pub(super) fn rows(image: &ElfImage, file_of: impl Fn(usize, &Symbol) -> Option<String>) -> Vec<SymbolUse> {
    let mut rows: Vec<SymbolUse> = image
        .symbols()
        .iter()
        .enumerate()
        .filter(|(_, symbol)| is_counted(symbol))
        .map(|(index, symbol)| SymbolUse {
            name: symbol.name.to_string(),
            demangled: demangled(&symbol.name),
            size: symbol.size,
            section: match symbol.place {
                Place::Common => "COMMON".to_string(),
                _ => image.symbol_section(symbol).map(|section| section.name.clone()).unwrap_or_default(),
            },
            file: file_of(index, symbol),
            address: symbol.address(image),
            kind: match symbol.kind {
                SymbolKind::Function => "function",
                SymbolKind::Object | SymbolKind::Common | SymbolKind::Tls => "object",
                _ => "other",
            }
            .to_string(),
        })
        .collect();
    rows.sort_by(|a, b| {
        b.size.cmp(&a.size).then_with(|| a.name.cmp(&b.name)).then(a.address.cmp(&b.address))
    });
    rows
}

pub(super) fn is_counted(symbol: &Symbol) -> bool {
    symbol.size > 0
        && matches!(symbol.place, Place::Section(_) | Place::Common)
        && !matches!(symbol.kind, SymbolKind::Section | SymbolKind::File)
}
