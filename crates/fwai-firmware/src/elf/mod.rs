//! ELF images.
