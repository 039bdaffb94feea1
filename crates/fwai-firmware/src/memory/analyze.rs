//! [`analyze`]: from an ELF, and what lies beside it, to a report.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use fwai_schema::project::MemoryRegion;

use super::{
    dwarf::SourceFiles,
    files,
    map_file::MapFile,
    regions,
    report::{MemoryReport, SectionUse},
    sections, stack, symbols,
};
use crate::{
    elf::{ElfError, ElfImage, Place, Symbol, SymbolKind},
    linker_script::regions_of_script,
};

/// What may be known besides the ELF.
#[derive(Debug, Clone, Default)]
pub struct MemoryOptions {
    /// Names are shown relative to this.
    pub root: Option<PathBuf>,
    /// The linker's map; looked for beside the ELF where absent.
    pub map: Option<PathBuf>,
    pub linker_scripts: Vec<PathBuf>,
    /// Regions of the project file or the board.
    pub regions: Vec<MemoryRegion>,
    /// Leave out `.su` files.
    pub without_stack: bool,
}

/// Read the image and say where its bytes go.
pub fn analyze(elf: &Path, options: &MemoryOptions) -> Result<MemoryReport, ElfError> {
    Ok(analyze_image(&ElfImage::open(elf)?, options))
}

/// The same for an image that is already open.
pub fn analyze_image(image: &ElfImage, options: &MemoryOptions) -> MemoryReport {
    let mut problems = image.problems.clone();
    let mut rows = sections::rows(image);
    let size =
        if image.sections.is_empty() { sections::sizes_of_rows(&rows) } else { sections::berkeley(image) };
    if image.sections.is_empty() {
        problems.push("the image has no section headers; its segments are shown instead".to_string());
    }
    let map = find_map(image, options, &rows, &mut problems);
    let (regions, regions_from) = find_regions(map.as_ref(), options, &mut problems);
    let is_tls = |name: &str| image.section(name).is_some_and(crate::elf::Section::is_tls);
    let regions = regions::usage(&regions, &mut rows, is_tls);
    let sources = SourceFiles::read(image);
    let local_files = local_files(image);
    let root = options.root.as_deref();
    let symbols = symbols::rows(image, |index, symbol| {
        let by_debug = sources.at(symbol.address(image)).or_else(|| sources.at(symbol.value));
        let by_table = || local_files.get(&index).copied();
        by_debug.or_else(by_table).map(|name| shown_path(name, root))
    });
    let (files, fill) = match &map {
        Some(map) => {
            let (mut files, fill) = files::by_map(map, &rows);
            for file in &mut files {
                file.name = shown_path(&file.name, root);
            }
            (files, fill)
        }
        None => (files::by_symbols(&symbols, &rows), 0),
    };
    let stack = match (options.without_stack, image.path.parent()) {
        (false, Some(directory)) => stack::below(build_directory(directory)),
        _ => Vec::new(),
    };
    MemoryReport {
        elf: shown_path(&image.path.to_string_lossy(), root),
        machine: image.machine.name(),
        build_id: image.build_id().hex,
        size,
        padding: fill + regions.iter().map(|region| region.padding).sum::<u64>(),
        regions,
        regions_from: regions_from.to_string(),
        sections: rows,
        files,
        symbols,
        stack,
        problems,
        ..MemoryReport::default()
    }
}

/// Where the objects of the build lie: the nearest directory above that a build system calls its own.
fn build_directory(of_elf: &Path) -> &Path {
    let of_elf = if of_elf.as_os_str().is_empty() { Path::new(".") } else { of_elf };
    let is_own = |directory: &&Path| {
        ["CMakeCache.txt", "build.ninja"].iter().any(|name| directory.join(name).is_file())
    };
    of_elf.ancestors().take(4).find(is_own).unwrap_or(of_elf)
}

/// The map that was given, or the one beside the ELF; only if it is of this image.
fn find_map(
    image: &ElfImage,
    options: &MemoryOptions,
    rows: &[SectionUse],
    problems: &mut Vec<String>,
) -> Option<MapFile> {
    if let Some(path) = &options.map {
        return match MapFile::open(path) {
            Ok(map) if files::map_fits(&map, rows) => Some(map),
            Ok(_) => {
                problems.push(format!("{} is the map of another image and was not used", path.display()));
                None
            }
            Err(error) => {
                problems.push(format!("cannot read the map {}: {error}", path.display()));
                None
            }
        };
    }
    let mut names =
        vec![image.path.with_extension("map"), PathBuf::from(format!("{}.map", image.path.display()))];
    let directory =
        image.path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(entries) = std::fs::read_dir(directory) {
        let mut others: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| {
                path.extension().is_some_and(|end| end.eq_ignore_ascii_case("map")) && !names.contains(path)
            })
            .collect();
        others.sort();
        names.extend(others.into_iter().take(8));
    }
    let mut refused = None;
    for path in names.into_iter().filter(|path| path.is_file()) {
        match MapFile::open(&path) {
            Ok(map) if files::map_fits(&map, rows) => return Some(map),
            _ => refused = refused.or(Some(path)),
        }
    }
    if let Some(path) = refused {
        problems.push(format!("{} is not the map of this image and was not used", path.display()));
    }
    None
}

fn find_regions(
    map: Option<&MapFile>,
    options: &MemoryOptions,
    problems: &mut Vec<String>,
) -> (Vec<MemoryRegion>, &'static str) {
    if let Some(map) = map.filter(|map| !map.regions.is_empty()) {
        return (map.regions.clone(), "map");
    }
    let mut regions: Vec<MemoryRegion> = Vec::new();
    for script in &options.linker_scripts {
        match regions_of_script(script) {
            Ok(found) => regions.extend(
                found
                    .into_iter()
                    .filter(|new| !regions.iter().any(|old| old.name == new.name))
                    .collect::<Vec<_>>(),
            ),
            Err(error) => {
                problems.push(format!("cannot read the linker script {}: {error}", script.display()))
            }
        }
    }
    if !regions.is_empty() {
        return (regions, "linker_script");
    }
    if !options.regions.is_empty() {
        return (options.regions.clone(), "project");
    }
    problems.push(
        "no memory regions are known: link with -Wl,-Map=FILE, name the linker script (--script), or set target.regions in project.yaml"
            .to_string(),
    );
    (Vec::new(), "")
}

/// Files of local symbols by the `FILE` entries of the symbol table, for images without debug information.
fn local_files(image: &ElfImage) -> HashMap<usize, &str> {
    let mut files = HashMap::new();
    let mut current: Option<&Symbol> = None;
    for (index, symbol) in image.symbols().iter().enumerate() {
        if symbol.kind == SymbolKind::File {
            current = (!symbol.name.is_empty()).then_some(symbol);
        } else if symbol.local
            && matches!(symbol.place, Place::Section(_))
            && let Some(file) = current
        {
            files.insert(index, &*file.name);
        }
    }
    files
}

/// Relative to the root where it is inside, without `a/../b`.
fn shown_path(name: &str, root: Option<&Path>) -> String {
    let Some(root) = root else { return name.to_string() };
    let path = Path::new(name);
    if !path.is_absolute() {
        return name.to_string();
    }
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean.strip_prefix(root).map_or_else(|_| name.to_string(), |inside| inside.to_string_lossy().into_owned())
}
