//! Why an image's log strings cannot be used.

/// What is wrong with the strings.
#[derive(Debug, thiserror::Error, fwai_schema::Speak, PartialEq, Eq)]
pub enum DefmtError {
    #[error(
        "the ELF has defmt strings but no symbol that names their version; is it stripped? Give the ELF as the linker wrote it"
    )]
    NoVersion,
    #[error(
        "the ELF mixes two {what}s of defmt ({first} and {second}); let all crates use one version of defmt"
    )]
    Mixed { what: &'static str, first: String, second: String },
    #[error("the firmware logs in version {0} of defmt's format; versions 3 and 4 are understood")]
    Version(String),
    #[error("the firmware encodes its log as {0:?}; `rzcobs` and `raw` are understood")]
    Encoding(String),
    #[error(
        "the ELF does not say how its log is encoded; is it stripped? Give the ELF as the linker wrote it"
    )]
    NoEncoding,
    #[error("the ELF has no readable defmt strings among {0} symbols of its section; link with `-Tdefmt.x`")]
    NoStrings(usize),
}
