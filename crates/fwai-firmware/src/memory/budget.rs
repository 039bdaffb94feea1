//! Budgets: limits that a build must keep.

use std::collections::BTreeMap;

use super::{
    regions::percent,
    report::{BudgetResult, MemoryReport, RegionUse},
};
use crate::linker_script::number;

/// Why a budget could not be understood.
#[derive(Debug, thiserror::Error, fwai_schema::Speak, PartialEq, Eq)]
#[error(
    "budget `{name}: {limit}` is neither a percentage (`90%`) nor a byte count (`64K`, `0x8000`, `1200`)"
)]
pub struct BudgetError {
    pub name: String,
    pub limit: String,
}

/// Check region budgets and, with a delta, how much single symbols may grow.
pub fn check(
    report: &MemoryReport,
    budgets: &BTreeMap<String, String>,
    max_symbol_growth: Option<u64>,
) -> Result<Vec<BudgetResult>, BudgetError> {
    let mut results = Vec::new();
    for (name, limit) in budgets {
        results.push(region_budget(report, name, limit)?);
    }
    if let (Some(limit), Some(delta)) = (max_symbol_growth, &report.delta) {
        let grown = delta.symbols.iter().filter(|change| change.change > 0);
        let worst = grown.max_by_key(|change| change.change);
        let used = worst.map_or(0, |change| change.change.unsigned_abs());
        results.push(BudgetResult {
            name: "symbol growth".to_string(),
            limit: limit.to_string(),
            limit_bytes: limit,
            used,
            ok: used <= limit,
            message: match worst {
                Some(worst) => format!(
                    "`{}` grew by {used} bytes ({} to {}); {limit} are allowed",
                    worst.name, worst.before, worst.after
                ),
                None => "no symbol grew".to_string(),
            },
        });
    }
    Ok(results)
}

fn region_budget(report: &MemoryReport, name: &str, limit: &str) -> Result<BudgetResult, BudgetError> {
    let mut regions = regions_named(report, name);
    if limit.trim().ends_with('%') {
        // A share is of each region: an empty one must not make room in a full one.
        regions.sort_by(|a, b| b.percent.total_cmp(&a.percent));
        regions.truncate(1);
    }
    let (used, length) = regions.iter().fold((0, 0), |(used, length): (u64, u64), region| {
        (used.saturating_add(region.used), length.saturating_add(region.length))
    });
    let wrong = || BudgetError { name: name.to_string(), limit: limit.to_string() };
    let limit_bytes = match limit.trim().strip_suffix('%') {
        Some(share) => {
            let share: f64 = share.trim().parse().map_err(|_| wrong())?;
            if !(0.0..=1000.0).contains(&share) {
                return Err(wrong());
            }
            (length as f64 * share / 100.0).floor() as u64
        }
        None => number(limit.trim().trim_end_matches(['B', 'b'])).ok_or_else(wrong)?,
    };
    let found = !regions.is_empty();
    let message = if found {
        let names: Vec<&str> = regions.iter().map(|region| region.name.as_str()).collect();
        format!(
            "{}: {used} of {length} bytes used ({}%), {limit_bytes} are allowed",
            names.join("+"),
            percent(used, length)
        )
    } else {
        let known: Vec<&str> = report.regions.iter().map(|region| region.name.as_str()).collect();
        format!(
            "no region `{name}`; this image has {}",
            if known.is_empty() { "none".to_string() } else { known.join(", ") }
        )
    };
    Ok(BudgetResult {
        name: name.to_string(),
        limit: limit.to_string(),
        limit_bytes,
        used,
        ok: found && used <= limit_bytes,
        message,
    })
}

/// A region by its name, or all flash or RAM by those words.
fn regions_named<'a>(report: &'a MemoryReport, name: &str) -> Vec<&'a RegionUse> {
    let exact: Vec<&RegionUse> =
        report.regions.iter().filter(|region| region.name.eq_ignore_ascii_case(name)).collect();
    if !exact.is_empty() {
        return exact;
    }
    match name.to_ascii_lowercase().as_str() {
        "flash" | "rom" => report.regions.iter().filter(|region| !region.is_ram()).collect(),
        "ram" | "sram" => report.regions.iter().filter(|region| region.is_ram()).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> MemoryReport {
        let region = |name: &str, length, used, attributes: &str| RegionUse {
            name: name.to_string(),
            length,
            used,
            attributes: Some(attributes.to_string()),
            ..RegionUse::default()
        };
        MemoryReport {
            regions: vec![region("ROM1", 1000, 905, "rx"), region("SRAM1", 100, 50, "rwx")],
            ..MemoryReport::default()
        }
    }

    #[test]
    fn percentages_bytes_and_words() {
        for (name, limit, ok) in [
            ("flash", "90%", false),
            ("flash", "90.5%", true),
            ("rom1", "905", true),
            ("ROM1", "904", false),
            ("ram", "1K", true),
            ("sram1", "0x31", false),
            ("nowhere", "99%", false),
        ] {
            let budgets = BTreeMap::from([(name.to_string(), limit.to_string())]);
            assert_eq!(check(&report(), &budgets, None).unwrap()[0].ok, ok, "{name} {limit}");
        }
        let budgets = BTreeMap::from([("flash".to_string(), "much".to_string())]);
        assert!(check(&report(), &budgets, None).unwrap_err().to_string().contains("`flash: much`"));
    }
}
