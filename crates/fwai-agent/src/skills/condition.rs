//! `when` of a step: `success`, `failure`, `always`, comparisons such as `steps.build.status == failure` or
//! `inputs.board != none`, and `and`, `or`, `not` with parentheses.

use super::variables::{Field, Reference, reference};
use fwai_schema::{document::nearest, skill::StepStatus};

/// A condition, read once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    Always,
    /// Every step so far went well.
    Success,
    /// Some step so far did not go well.
    Failure,
    Compare {
        left: Reference,
        how: Comparison,
        right: String,
    },
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    Different,
    Contains,
}

/// What a condition is held against.
pub struct Facts<'a> {
    /// Some step so far did not go well.
    pub failed: bool,
    pub lookup: &'a dyn Fn(&Reference) -> Option<String>,
}

impl Condition {
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
        let condition = parser.either()?;
        match parser.peek() {
            None => Ok(condition),
            Some(token) => {
                Err(format!("`{}` does not fit here; join conditions by `and` or `or`", token.text))
            }
        }
    }

    pub fn holds(&self, facts: &Facts<'_>) -> bool {
        match self {
            Self::Always => true,
            Self::Success => !facts.failed,
            Self::Failure => facts.failed,
            Self::Not(inner) => !inner.holds(facts),
            Self::And(one, other) => one.holds(facts) && other.holds(facts),
            Self::Or(one, other) => one.holds(facts) || other.holds(facts),
            Self::Compare { left, how, right } => {
                let value = (facts.lookup)(left).unwrap_or_default();
                match how {
                    Comparison::Equal => is_equal(left, &value, right),
                    Comparison::Different => !is_equal(left, &value, right),
                    Comparison::Contains => value.contains(right.as_str()),
                }
            }
        }
    }

    /// Whether it asks for the case that the skill has failed: such a step also runs after an abort.
    pub fn is_about_failure(&self) -> bool {
        match self {
            Self::Always | Self::Failure => true,
            Self::Success | Self::Compare { .. } => false,
            Self::Not(inner) => inner.is_about_failure(),
            Self::And(one, other) | Self::Or(one, other) => {
                one.is_about_failure() || other.is_about_failure()
            }
        }
    }

    /// Everything that it refers to.
    pub fn references(&self) -> Vec<&Reference> {
        match self {
            Self::Always | Self::Success | Self::Failure => Vec::new(),
            Self::Compare { left, .. } => vec![left],
            Self::Not(inner) => inner.references(),
            Self::And(one, other) | Self::Or(one, other) => [one.references(), other.references()].concat(),
        }
    }
}

/// `failure` stands for every bad end; the others are exact.
fn is_equal(left: &Reference, value: &str, wanted: &str) -> bool {
    if matches!(left, Reference::Step { field: Field::Status, .. }) && wanted == StepStatus::Failure.as_str()
    {
        return StepStatus::ALL.into_iter().any(|status| status.as_str() == value && status.is_bad());
    }
    value == wanted
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Token {
    text: String,
    quoted: bool,
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = if matches!(first, '"' | '\'') {
            let end = rest[1..].find(first).ok_or_else(|| format!("the quote `{first}` is never closed"))?;
            (Token { text: rest[1..=end].to_owned(), quoted: true }, end + 2)
        } else if let Some(sign) =
            ["==", "!=", "&&", "||", "(", ")"].into_iter().find(|sign| rest.starts_with(sign))
        {
            (Token { text: sign.to_owned(), quoted: false }, sign.len())
        } else if first == '!' {
            (Token { text: "not".to_owned(), quoted: false }, 1)
        } else {
            let ends =
                |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '=' | '!' | '"' | '\'' | '&' | '|');
            let end = rest.find(ends).unwrap_or(rest.len());
            if end == 0 {
                return Err(format!("`{first}` does not fit; compare with `==`, `!=` or `contains`"));
            }
            (Token { text: rest[..end].to_owned(), quoted: false }, end)
        };
        found.push(token);
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn take(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    fn takes(&mut self, words: &[&str]) -> bool {
        let fits = self.peek().is_some_and(|token| !token.quoted && words.contains(&token.text.as_str()));
        if fits {
            self.at += 1;
        }
        fits
    }

    fn either(&mut self) -> Result<Condition, String> {
        let mut left = self.both()?;
        while self.takes(&["or", "||"]) {
            left = Condition::Or(Box::new(left), Box::new(self.both()?));
        }
        Ok(left)
    }

    fn both(&mut self) -> Result<Condition, String> {
        let mut left = self.one()?;
        while self.takes(&["and", "&&"]) {
            left = Condition::And(Box::new(left), Box::new(self.one()?));
        }
        Ok(left)
    }

    fn one(&mut self) -> Result<Condition, String> {
        self.depth += 1;
        if self.depth > 50 {
            return Err("too many parentheses".into());
        }
        let condition = self.simple();
        self.depth -= 1;
        condition
    }

    fn simple(&mut self) -> Result<Condition, String> {
        if self.takes(&["not"]) {
            return Ok(Condition::Not(Box::new(self.one()?)));
        }
        if self.takes(&["("]) {
            let inner = self.either()?;
            return if self.takes(&[")"]) { Ok(inner) } else { Err("`(` is never closed by `)`".into()) };
        }
        let Some(token) = self.take() else {
            return Err(
                "the condition ends too early; write `success`, `failure`, `always`, or a comparison".into(),
            );
        };
        match token.text.as_str() {
            "always" if !token.quoted => return Ok(Condition::Always),
            "success" if !token.quoted => return Ok(Condition::Success),
            "failure" if !token.quoted => return Ok(Condition::Failure),
            _ => {}
        }
        let path = token.text.trim_start_matches('$').trim_start_matches('{').trim_end_matches('}');
        let is_path =
            token.text.starts_with('$') || path.starts_with("steps.") || path.starts_with("inputs.");
        if token.quoted || !is_path {
            let guess = nearest(&token.text, ["success", "failure", "always"]);
            let guess = guess.map(|guess| format!("; did you mean `{guess}`?")).unwrap_or_default();
            return Err(format!(
                "`{}` is no condition; write `success`, `failure`, `always`, or `steps.NAME.status == failure`{guess}",
                token.text
            ));
        }
        let left = reference(path)?;
        let how = match self.take().map(|token| token.text).as_deref() {
            Some("==") => Comparison::Equal,
            Some("!=") => Comparison::Different,
            Some("contains") => Comparison::Contains,
            _ => return Err(format!("after `{}` comes `==`, `!=` or `contains`", token.text)),
        };
        let Some(right) = self.take() else { return Err("a value is missing at the end".into()) };
        if matches!(left, Reference::Step { field: Field::Status, .. })
            && how != Comparison::Contains
            && !StepStatus::ALL.into_iter().any(|status| status.as_str() == right.text)
        {
            let words = StepStatus::ALL.map(StepStatus::as_str);
            let guess = nearest(&right.text, words);
            let guess = guess.map(|guess| format!("; did you mean `{guess}`?")).unwrap_or_default();
            return Err(format!("`{}` is no status; there are: {}{guess}", right.text, words.join(", ")));
        }
        Ok(Condition::Compare { left, how, right: right.text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn holds(text: &str, failed: bool, values: &[(&str, &str)]) -> bool {
        let lookup = |reference: &Reference| {
            let name = reference.to_string();
            values.iter().find(|(key, _)| format!("${key}") == name).map(|(_, value)| (*value).to_owned())
        };
        Condition::parse(text).unwrap().holds(&Facts { failed, lookup: &lookup })
    }

    #[test]
    fn the_words_look_at_what_happened_so_far() {
        assert!(holds("success", false, &[]) && !holds("success", true, &[]));
        assert!(!holds("failure", false, &[]) && holds("failure", true, &[]));
        assert!(holds("always", true, &[]) && holds("always", false, &[]));
    }

    #[test]
    fn comparisons_join_as_one_reads_them() {
        let values =
            [("steps.a.status", "failure"), ("steps.a.output", "HardFault at main"), ("board", "nucleo")];
        assert!(holds("steps.a.status == failure", true, &values));
        assert!(holds("$steps.a.output contains \"HardFault at\"", true, &values));
        assert!(holds("steps.a.status == success or inputs.board == nucleo", true, &values));
        assert!(!holds("steps.a.status == success and inputs.board == nucleo", true, &values));
        assert!(holds(
            "not (steps.a.status == success and always) && $board != 'other board'",
            true,
            &values
        ));
        assert!(holds("success or failure and always", true, &values));
    }

    #[test]
    fn failure_stands_for_every_bad_end() {
        for (status, bad) in
            [("failure", true), ("timeout", true), ("denied", true), ("skipped", false), ("success", false)]
        {
            assert_eq!(
                holds("steps.a.status == failure", false, &[("steps.a.status", status)]),
                bad,
                "{status}"
            );
        }
        assert!(!holds("steps.a.status == timeout", false, &[("steps.a.status", "failure")]));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let wrong = |text: &str| Condition::parse(text).unwrap_err();
        assert!(wrong("succes").contains("did you mean `success`?"));
        assert!(wrong("steps.a.status == failur").contains("did you mean `failure`?"));
        assert!(wrong("steps.a.status = failure").contains("compare with"));
        assert!(wrong("steps.a.status").contains("comes `==`"));
        assert!(wrong("").contains("ends too early"));
        assert!(wrong("(success").contains("never closed"));
        assert!(wrong("success failure").contains("does not fit here"));
        assert!(wrong("steps.a.nope == 1").contains("it has:"));
        assert!(wrong("\"x").contains("never closed"));
        assert!(wrong(&"(".repeat(10_000)).contains("too many"));
        assert!(wrong(&"not ".repeat(10_000)).contains("too many"));
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "\\PC{0,60}") {
            let _ = Condition::parse(&text);
        }
    }
}
