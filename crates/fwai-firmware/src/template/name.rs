//! A project's name as C, CMake and file systems can all take it.

/// Why a text cannot name a project.
#[derive(Debug, thiserror::Error, fwai_schema::Speak, PartialEq, Eq)]
#[error(
    "`{name}` cannot name a project: {why}; take letters, digits, `_` and `-`, starting with a letter, for instance `{suggestion}`"
)]
pub struct NameError {
    pub name: String,
    pub why: &'static str,
    pub suggestion: String,
}

/// Checks a name.
pub fn project_name(name: &str) -> Result<&str, NameError> {
    let why = if name.is_empty() {
        "it is empty"
    } else if name.len() > 60 {
        "it is longer than 60 characters"
    } else if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        "it does not start with a letter"
    } else if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        "it holds other characters"
    } else if name == "test" || name == "all" || name == "clean" || name == "install" || name == "help" {
        "CMake keeps this word for itself"
    } else {
        return Ok(name);
    };
    Err(NameError { name: name.to_owned(), why, suggestion: suggestion(name) })
}

fn suggestion(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let plain = plain.trim_matches('-').trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
    let plain: String = plain.chars().take(40).collect();
    if plain.len() < 2 || plain == "test" { "my-firmware".to_owned() } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_break_a_build_are_refused() {
        assert_eq!(project_name("blinky_2"), Ok("blinky_2"));
        for bad in ["", "2fast", "a b", "../up", "x;rm -rf /", "${HOME}", "test", "größe"] {
            let error = project_name(bad).unwrap_err();
            assert!(project_name(&error.suggestion).is_ok(), "{bad} → {}", error.suggestion);
        }
    }
}
