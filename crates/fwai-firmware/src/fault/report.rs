//! A decoded fault, for people and for machines.

use std::fmt;

use crate::elf::Location;

/// One bit that was set, in words.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct FaultFact {
    /// `CFSR.PRECISERR`, `EXC_RETURN`…
    pub name: String,
    pub meaning: String,
}

/// What happened, where, why perhaps, and what to look at next.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct FaultReport {
    /// `bus fault`, `usage fault`, `memory management fault`, `secure fault`, `hard fault`, `debug event` or `unknown`.
    pub kind: String,
    /// One sentence.
    pub summary: String,
    pub facts: Vec<FaultFact>,
    /// The address whose use failed, when the core kept it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<u32>,
    /// What that address is, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_is: Option<String>,
    /// Where the guilty instruction is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// Who called that function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<Location>,
    pub causes: Vec<String>,
    pub next_steps: Vec<String>,
}

impl fmt::Display for FaultReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.summary)?;
        if let Some(location) = &self.location {
            writeln!(f, "  at     {location}")?;
        }
        if let Some(caller) = &self.caller {
            writeln!(f, "  from   {caller}")?;
        }
        if let (Some(address), Some(what)) = (self.address, &self.address_is) {
            writeln!(f, "  access {address:#010x}: {what}")?;
        }
        for fact in &self.facts {
            writeln!(f, "  {}: {}", fact.name, fact.meaning)?;
        }
        for (title, lines) in [("likely causes", &self.causes), ("next", &self.next_steps)] {
            if !lines.is_empty() {
                writeln!(f, "{title}:")?;
            }
            for line in lines {
                writeln!(f, "  - {line}")?;
            }
        }
        Ok(())
    }
}
