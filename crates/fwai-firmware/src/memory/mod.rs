//! Memory use of an image: regions, sections, files, symbols.
