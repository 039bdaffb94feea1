//! YAML text to checked types (see below).
